import { LRUCache } from 'lru-cache'
import type { PropertySummary } from '../../domain/property/property-summary.ts'
import type { CatalogueStore } from '../store/catalogue.ts'

/** Size of a summary and its JSON, which the presenter caches along with it. */
const estimateBytes = (summary: PropertySummary): number => 2 * JSON.stringify(summary).length + 400

/** Caches summaries by property id and reads missing ones in one query. */
export function createSummaries(store: Pick<CatalogueStore, 'summaries'>, bytesMax: number) {
  const cache = new LRUCache<string, PropertySummary>({ maxSize: bytesMax, sizeCalculation: estimateBytes })
  /** Increases with every change, so that a row read before a change is not cached after it. */
  let changes = 0

  return {
    async get(propertyIds: readonly string[]): Promise<Map<string, PropertySummary>> {
      const found = new Map<string, PropertySummary>()
      const missing: string[] = []
      for (const id of propertyIds) {
        const summary = cache.get(id)
        if (summary === undefined) missing.push(id)
        else found.set(id, summary)
      }
      if (missing.length === 0) return found
      const changesBefore = changes
      for (const summary of await store.summaries(missing)) {
        found.set(summary.propertyId, summary)
        if (changes === changesBefore) cache.set(summary.propertyId, summary)
      }
      return found
    },
    forget(propertyId: string): void {
      changes += 1
      cache.delete(propertyId)
    },
    bytes: (): number => cache.calculatedSize,
  }
}
