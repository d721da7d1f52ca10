import { LRUCache } from 'lru-cache'
import type { PropertySummary } from '../../domain/property/property-summary.ts'
import type { CatalogueStore } from '../store/catalogue.ts'

/** A summary in memory and its JSON, which the presenter remembers as long as the summary lives. */
const bytesOf = (summary: PropertySummary): number => 2 * JSON.stringify(summary).length + 400

/** Summaries by property id: from memory, the missing ones from the store in one query. */
export function createSummaries(store: Pick<CatalogueStore, 'summaries'>, bytesMax: number) {
  const kept = new LRUCache<string, PropertySummary>({ maxSize: bytesMax, sizeCalculation: bytesOf })
  /** Grows with every change, so that a row read before a change is not kept after it. */
  let changes = 0

  return {
    async get(propertyIds: readonly string[]): Promise<Map<string, PropertySummary>> {
      const found = new Map<string, PropertySummary>()
      const missing: string[] = []
      for (const id of propertyIds) {
        const summary = kept.get(id)
        if (summary === undefined) missing.push(id)
        else found.set(id, summary)
      }
      if (missing.length === 0) return found
      const changesBefore = changes
      for (const summary of await store.summaries(missing)) {
        found.set(summary.propertyId, summary)
        if (changes === changesBefore) kept.set(summary.propertyId, summary)
      }
      return found
    },
    forget(propertyId: string): void {
      changes += 1
      kept.delete(propertyId)
    },
    bytes: (): number => kept.calculatedSize,
  }
}
