import { preferences } from '../browser/preferences.ts'
import { searchBodyOf } from './search-body.ts'
import { startSearch } from './search-store.ts'
import { readLink, stayOf, writeStay } from './stay-form.ts'

/** Starts the search that a link asks for before its page is shown; the page then finds it running. */
export function startLinkedSearch(query: URLSearchParams): void {
  const link = readLink(query, preferences().currency)
  if (link.faults.length > 0) return
  const stay = stayOf(link)
  startSearch(writeStay(stay).toString(), searchBodyOf(stay), query.get('search_id') ?? undefined)
}
