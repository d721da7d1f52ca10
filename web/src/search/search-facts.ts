import type { SearchResult } from '../api/shapes.ts'

/** A search without what it found. */
export type SearchFacts = Omit<SearchResult, 'availability'>

/** How the keys begin under which this tab keeps them. */
export const SEARCH_FACTS = 'serai.search.'

export function writeFacts(facts: SearchFacts): void {
  try {
    sessionStorage.setItem(`${SEARCH_FACTS}${facts.search_id}`, JSON.stringify(facts))
  } catch {
    // Storage may be full or forbidden; then a restored search has no warnings.
  }
}

export function readFacts(searchId: string): SearchFacts | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(`${SEARCH_FACTS}${searchId}`) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
