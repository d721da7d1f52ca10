import { Suspense } from 'react'
import { loadable } from '../ui/loadable.tsx'
import type { SearchFormProps } from './search-form.tsx'

const SearchForm = loadable(() => import('./search-form.tsx').then((module) => ({ default: module.SearchForm })))

/** Loads the code of the search form before it is needed. */
export const preloadSearchForm = (): void => void SearchForm.preload().catch(() => undefined)

/** The search form; its space is reserved until it has loaded. */
export function LazySearchForm(props: SearchFormProps) {
  const height = props.hasPlace === false ? 'min-h-[14rem] lg:min-h-19.5' : 'min-h-[18.6rem] lg:min-h-19.5'
  return (
    <Suspense fallback={<div className={`search-bar ${height}`} aria-hidden="true" />}>
      <SearchForm {...props} />
    </Suspense>
  )
}
