import type { CatalogueStore } from '../store/catalogue.ts'
import type { PropertySummaryRow } from '../store/tables.ts'
import { slugsOf, summaryBytes } from './summary-json.ts'

/** A result line's static part, and what filters and ranking need of it without parsing. */
export type Summary = {
  readonly propertyId: string
  /** JSON members without braces, as bytes: `{`, these, `,"total_price":…}` is the whole line. */
  readonly json: Buffer
  readonly nameFolded: string
  readonly starRating: number
  /** 0 to 5; 0 where nobody has rated. */
  readonly guestRating: number
  readonly category: string
  readonly amenitySlugs: readonly string[]
}

export type SummaryCache = ReturnType<typeof createSummaryCache>

/** Beside the text: keys, numbers and the map's own bookkeeping, measured roughly. */
const OVERHEAD_BYTES = 400

/** Summaries by id out of memory, the missing ones out of the store in one query; the longest unused go first. */
export function createSummaryCache(store: Pick<CatalogueStore, 'summaries'>, bytesMax: number) {
  const kept = new Map<string, { summary: Summary; bytes: number }>()
  let bytes = 0
  /** Grows with every forget, so that a row read before a change is not kept after it. */
  let epoch = 0

  function keep(summary: Summary): void {
    const size = bytesOf(summary)
    if (size > bytesMax) return
    remove(summary.propertyId)
    kept.set(summary.propertyId, { summary, bytes: size })
    bytes += size
    for (const oldest of kept.keys()) {
      if (bytes <= bytesMax) break
      remove(oldest)
    }
  }

  function remove(propertyId: string): void {
    const found = kept.get(propertyId)
    if (found === undefined) return
    kept.delete(propertyId)
    bytes -= found.bytes
  }

  return {
    async get(propertyIds: readonly string[]): Promise<Map<string, Summary>> {
      const found = new Map<string, Summary>()
      const missing: string[] = []
      // Who was used last matters only to those who may have to go; while there is room, nobody is moved.
      const isCrowded = bytes > bytesMax / 2
      for (const id of propertyIds) {
        const entry = kept.get(id)
        if (entry === undefined) missing.push(id)
        else {
          found.set(id, entry.summary)
          if (!isCrowded) continue
          kept.delete(id)
          kept.set(id, entry)
        }
      }
      if (missing.length === 0) return found
      const asked = epoch
      for (const row of await store.summaries(missing)) {
        const summary = fromRow(row)
        found.set(summary.propertyId, summary)
        if (asked === epoch) keep(summary)
      }
      return found
    },
    forget(propertyId: string): void {
      epoch += 1
      remove(propertyId)
    },
    bytes: (): number => bytes,
  }
}

function fromRow(row: PropertySummaryRow): Summary {
  return {
    propertyId: row.property_id,
    json: summaryBytes(row),
    nameFolded: row.name_folded,
    starRating: row.star_rating,
    guestRating: row.guest_rating,
    category: row.category,
    amenitySlugs: slugsOf(row),
  }
}

const bytesOf = ({ json }: Summary): number => json.length + OVERHEAD_BYTES
