import type { AvailabilityPage, PropertyCard, Search, SearchRequest } from './generated/api-types.ts'
import type { CallOptions, Methods } from './methods.ts'
import type { SearchEvent } from './search-stream.ts'

/** The same arguments with `view: 'card'`. */
type ForCards<Given extends unknown[]> = Given extends [args: infer Args, ...rest: infer Rest]
  ? [args: Omit<Args, 'view'> & { readonly view: 'card' }, ...rest: Rest]
  : never

type SearchMethods = Methods['search']

/** Overloads: with `view: 'card'`, properties are cards. */
export type CardMethods = {
  stream(
    args: SearchRequest & { readonly view: 'card' },
    options?: CallOptions,
  ): AsyncGenerator<SearchEvent<PropertyCard>, void, undefined>
  create(
    ...given: ForCards<Parameters<SearchMethods['create']>>
  ): Promise<Omit<Search, 'availability'> & { availability: PropertyCard[] }>
  readonly availability: {
    (
      ...given: ForCards<Parameters<SearchMethods['availability']>>
    ): Promise<Omit<AvailabilityPage, 'data'> & { data: PropertyCard[] }>
    all(...given: ForCards<Parameters<SearchMethods['availability']>>): AsyncGenerator<PropertyCard, void, undefined>
  }
}
