import { findNextSlot, type KeyTable, type PrefixRange } from './key-table.ts'
import { exactBonus, type Grade, gradeMatch } from './match-class.ts'

/** A range of the key table; `extra` is added to every score in it. */
export type Source = { readonly range: PrefixRange; readonly queryBytes: number; readonly extra: number }

type Match = { readonly row: number; readonly score: number }

/** A key that matched. */
type Hit = Match & { readonly slot: number; readonly grade: Grade }

/** Up to this limit inserting in order is faster; above it, sorting everything once is. */
export const FEW_MAX = 100

/** Places of the sources, best first; each place once, with its best score. */
export function bestPlaces(table: KeyTable, sources: readonly Source[], limit = Number.POSITIVE_INFINITY): Match[] {
  if (limit <= 0) return []
  return limit <= FEW_MAX ? rankFew(table, sources, limit) : sortAll(table, sources).slice(0, limit)
}

/** The best places with their grades; `limit` must be small. */
export function rankFew(
  table: KeyTable,
  sources: readonly Source[],
  limit: number,
): (Match & { readonly grade: Grade })[] {
  const best: Hit[] = []
  /** Score that a key must reach to matter. */
  let minScore = Number.NEGATIVE_INFINITY

  function add(hit: Hit): void {
    let index = 0
    while (index < best.length && byScore(best[index] ?? hit, hit) < 0) {
      if (best[index]?.row === hit.row) return
      index++
    }
    // Shifts the rest down by one, up to the place's earlier entry with a weaker key.
    let moved: Hit | undefined = hit
    for (; moved !== undefined && index < limit; index++) {
      const next: Hit | undefined = best[index]
      best[index] = moved
      moved = next?.row === hit.row ? undefined : next
    }
    if (best.length === limit) minScore = best[limit - 1]?.score ?? minScore
  }

  for (const source of sources) {
    const { range, extra } = source
    for (let slot = range.from; slot < range.exactEnd; slot++) add(hitAt(table, source, slot))
    for (let slot = range.exactEnd - 1; slot < range.to; ) {
      slot = findNextSlot(table, slot + 1, range.to, minScore - extra)
      if (slot < range.to) add(hitAt(table, source, slot))
    }
  }
  return best
}

/** Larger than any slot number, so that one number sorts by score and then by slot. */
const SLOTS = 2 ** 24
/** Keeps the sort number positive: `extra` may make a score negative. */
const SCORE_FLOOR = 2 ** 14

/** Sorts numbers, which is several times faster than sorting objects. */
function sortAll(table: KeyTable, sources: readonly Source[]): Match[] {
  const orders = new Float64Array(sources.reduce((sum, { range }) => sum + range.to - range.from, 0))
  let index = 0
  for (const source of sources) {
    for (let slot = source.range.from; slot < source.range.to; slot++) {
      orders[index++] = (hitAt(table, source, slot).score + SCORE_FLOOR) * SLOTS + (SLOTS - 1 - slot)
    }
  }
  const places = new Map<number, Match>()
  for (const order of orders.sort().reverse()) {
    const row = (table.place[SLOTS - 1 - (order % SLOTS)] ?? 0) >>> 3
    if (!places.has(row)) places.set(row, { row, score: Math.floor(order / SLOTS) - SCORE_FLOOR })
  }
  return [...places.values()]
}

const byScore = (a: Hit, b: Hit): number => b.score - a.score || a.slot - b.slot

export function hitAt(table: KeyTable, { range, queryBytes, extra }: Source, slot: number): Hit {
  const place = table.place[slot] ?? 0
  const isExact = slot < range.exactEnd
  const bonus = isExact ? exactBonus(place & 7, queryBytes) : 0
  const score = (table.score[slot] ?? 0) + extra + bonus
  return { row: place >>> 3, score, slot, grade: gradeMatch(place & 7, isExact) }
}

const CALLS_MAX = 255

/** Counts places without sorting them. Each call marks the rows it has seen with its own number. */
export function createCountPlaces({ place }: KeyTable, rowCount: number): (sources: readonly Source[]) => number {
  const seenIn = new Uint8Array(rowCount)
  let call = 0
  return function countPlaces(sources) {
    if (call === CALLS_MAX) seenIn.fill(0)
    call = (call % CALLS_MAX) + 1
    let places = 0
    for (const { range } of sources) {
      for (let slot = range.from; slot < range.to; slot++) {
        const row = (place[slot] ?? 0) >>> 3
        if (seenIn[row] !== call) places++
        seenIn[row] = call
      }
    }
    return places
  }
}
