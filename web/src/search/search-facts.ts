import type { SearchResult } from '../api/shapes.ts'

/** A search without its results. */
export type SearchFacts = Omit<SearchResult, 'availability'>

/** Prefix of the storage keys. */
export const SEARCH_FACTS_PREFIX = 'serai.search.'

export function writeFacts(facts: SearchFacts): void {
  try {
    sessionStorage.setItem(`${SEARCH_FACTS_PREFIX}${facts.search_id}`, JSON.stringify(facts))
  } catch {
    // Storage may be full or blocked; a restored search then has no warnings.
  }
}

export function readFacts(searchId: string): SearchFacts | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(`${SEARCH_FACTS_PREFIX}${searchId}`) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
