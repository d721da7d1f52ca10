import { lazy, Suspense } from 'react'
import type { SearchFormProps } from './search-form.tsx'

// Loading starts at once, but the heading is shown without waiting for it.
const arriving = import('./search-form.tsx')
const SearchForm = lazy(() => arriving.then((module) => ({ default: module.SearchForm })))

/** The search form; its space is reserved until it has loaded. */
export function LazySearchForm(props: SearchFormProps) {
  const height = props.hasPlace === false ? 'min-h-[14rem] lg:min-h-19.5' : 'min-h-[18.6rem] lg:min-h-19.5'
  return (
    <Suspense fallback={<div className={`search-bar ${height}`} aria-hidden="true" />}>
      <SearchForm {...props} />
    </Suspense>
  )
}
