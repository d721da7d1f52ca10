import { type KeyTable, nextWorth, type PrefixRange } from './key-table.ts'
import { exactBonus, type Grade, gradeOf } from './match-class.ts'

/** A range of the key table and what is added to every score in it. */
export type Source = { readonly range: PrefixRange; readonly queryBytes: number; readonly extra: number }

type Match = { readonly row: number; readonly score: number }

/** One key that leads to a place. */
type Hit = Match & { readonly slot: number; readonly grade: Grade }

/** Up to so many can be put in order while they are read; for more, it is quicker to read all and sort them once. */
export const FEW = 100

/** The places of the sources, best first. A place that several keys lead to is given once, at its best. */
export function bestPlaces(table: KeyTable, sources: readonly Source[], limit = Number.POSITIVE_INFINITY): Match[] {
  if (limit <= 0) return []
  return limit <= FEW ? fewBest(table, sources, limit) : allSorted(table, sources).slice(0, limit)
}

/** The first of them with how well they match; `limit` is small. */
export function fewBest(
  table: KeyTable,
  sources: readonly Source[],
  limit: number,
): (Match & { readonly grade: Grade })[] {
  const best: Hit[] = []
  /** What a key must be worth to matter. */
  let least = Number.NEGATIVE_INFINITY

  function add(hit: Hit): void {
    let at = 0
    while (at < best.length && byWorth(best[at] ?? hit, hit) < 0) {
      if (best[at]?.row === hit.row) return
      at++
    }
    // From here on the list is moved down by one, up to where the place stood before with a lesser key.
    let moved: Hit | undefined = hit
    for (; moved !== undefined && at < limit; at++) {
      const next: Hit | undefined = best[at]
      best[at] = moved
      moved = next?.row === hit.row ? undefined : next
    }
    if (best.length === limit) least = best[limit - 1]?.score ?? least
  }

  for (const source of sources) {
    const { range, extra } = source
    for (let slot = range.from; slot < range.exactEnd; slot++) add(hitAt(table, source, slot))
    for (let slot = range.exactEnd - 1; slot < range.to; ) {
      slot = nextWorth(table, slot + 1, range.to, least - extra)
      if (slot < range.to) add(hitAt(table, source, slot))
    }
  }
  return best
}

/** Room for every slot below a score, so that one number orders by score and then by slot. */
const SLOTS = 2 ** 24
/** Scores may fall below zero by what is added to them; the ordering number must not. */
const SCORE_FLOOR = 2 ** 14

/** Each key as one number, because numbers are sorted several times as quickly as objects. */
function allSorted(table: KeyTable, sources: readonly Source[]): Match[] {
  const orders = new Float64Array(sources.reduce((sum, { range }) => sum + range.to - range.from, 0))
  let at = 0
  for (const source of sources) {
    for (let slot = source.range.from; slot < source.range.to; slot++) {
      orders[at++] = (hitAt(table, source, slot).score + SCORE_FLOOR) * SLOTS + (SLOTS - 1 - slot)
    }
  }
  const places = new Map<number, Match>()
  for (const order of orders.sort().reverse()) {
    const row = (table.place[SLOTS - 1 - (order % SLOTS)] ?? 0) >>> 3
    if (!places.has(row)) places.set(row, { row, score: Math.floor(order / SLOTS) - SCORE_FLOOR })
  }
  return [...places.values()]
}

const byWorth = (a: Hit, b: Hit): number => b.score - a.score || a.slot - b.slot

/** What the key in a slot of the source is worth. */
export function hitAt(table: KeyTable, { range, queryBytes, extra }: Source, slot: number): Hit {
  const place = table.place[slot] ?? 0
  const isExact = slot < range.exactEnd
  const bonus = isExact ? exactBonus(place & 7, queryBytes) : 0
  const score = (table.score[slot] ?? 0) + extra + bonus
  return { row: place >>> 3, score, slot, grade: gradeOf(place & 7, isExact) }
}

const COUNTS_MAX = 255

/** Counts the places of sources without putting them in order. Each count has a number, which marks the rows it has met. */
export function createCountPlaces({ place }: KeyTable, rowCount: number): (sources: readonly Source[]) => number {
  const metIn = new Uint8Array(rowCount)
  let count = 0
  return function countPlaces(sources) {
    if (count === COUNTS_MAX) metIn.fill(0)
    count = (count % COUNTS_MAX) + 1
    let places = 0
    for (const { range } of sources) {
      for (let slot = range.from; slot < range.to; slot++) {
        const row = (place[slot] ?? 0) >>> 3
        if (metIn[row] !== count) places++
        metIn[row] = count
      }
    }
    return places
  }
}
