import { LRUCache } from 'lru-cache'
import { type PropertySummary, summaryOf } from '../../domain/property/property-summary.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import type { StoredSummary } from '../store/summaries.ts'
import { mergeContent } from './merge-content.ts'
import { readContents } from './stored-content.ts'

type Deps = {
  readonly store: Pick<CatalogueStore, 'summaries' | 'properties' | 'contents' | 'write'>
  readonly bytesMax: number
  onBug(error: unknown, where: string): void
}

/** A summary in memory and its JSON, which the presenter remembers as long as the summary lives. */
const bytesOf = (summary: PropertySummary): number => 2 * JSON.stringify(summary).length + 400

/** Summaries by property id: from memory, the missing ones from the store in one query. */
export function createSummaries({ store, bytesMax, onBug }: Deps) {
  const kept = new LRUCache<string, PropertySummary>({ maxSize: bytesMax, sizeCalculation: bytesOf })
  /** Grows with every change, so that a row read before a change is not kept after it. */
  let changes = 0

  /**
   * Makes new summaries from the vendors' content and stores them: for properties that a process of version 0.1 has
   * written since, which knows only the old table.
   */
  async function rebuild(stale: readonly StoredSummary[]): Promise<PropertySummary[]> {
    if (stale.length === 0) return []
    const rows = await store.properties(stale.map(({ propertyId }) => propertyId))
    const rebuilt = [...(await readContents(store, rows))].flatMap(([propertyId, contents]) =>
      contents.length === 0 ? [] : [summaryOf(propertyId, mergeContent(contents))],
    )
    const seqOf = new Map(stale.map(({ propertyId, seq }) => [propertyId, seq]))
    store
      .write((writer) =>
        writer.putSummaries(rebuilt.map((summary) => ({ summary, seq: seqOf.get(summary.propertyId) ?? 0 }))),
      )
      .catch((error) => onBug(error, 'storing summaries'))
    return rebuilt
  }

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
      const stored = await store.summaries(missing)
      const rebuilt = await rebuild(stored.filter(({ isCurrent }) => !isCurrent))
      for (const summary of [...stored.map((row) => row.summary), ...rebuilt]) {
        if (summary === undefined) continue
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
