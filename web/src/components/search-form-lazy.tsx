import { lazy, Suspense } from 'react'
import type { SearchFormProps } from './search-form.tsx'

// Asked for at once, but not waited for: heading and words are painted while the form's code is on its way.
const arriving = import('./search-form.tsx')
const SearchForm = lazy(() => arriving.then((module) => ({ default: module.SearchForm })))

/** The search form, with its place kept until it is there. */
export function LazySearchForm(props: SearchFormProps) {
  return (
    <Suspense fallback={<div className="search-bar min-h-[18.6rem] lg:min-h-19.5" aria-hidden="true" />}>
      <SearchForm {...props} />
    </Suspense>
  )
}
