import { getPreferences } from '../browser/preferences.ts'
import { buildSearchBody } from './search-body.ts'
import { startSearch } from './search-store.ts'
import { readLink, toStayForm, writeStay } from './stay-form.ts'

/** Starts the linked search before its page is shown; the page then finds it running. */
export function startLinkedSearch(query: URLSearchParams): void {
  const link = readLink(query, getPreferences().currency)
  if (link.faults.length > 0) return
  const stay = toStayForm(link)
  startSearch(writeStay(stay).toString(), buildSearchBody(stay), query.get('search_id') ?? undefined)
}
