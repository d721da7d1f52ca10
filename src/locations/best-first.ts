import { createHeap } from './heap.ts'
import type { KeyTable } from './key-table.ts'
import { exactBonus } from './match-class.ts'
import type { PrefixRange } from './prefix-range.ts'

/** A range of the key table and what is added to every score in it. */
export type Source = { readonly range: PrefixRange; readonly queryBytes: number; readonly extra: number }

/** Told of every place once, best first; answering false ends the walk. */
export type Visit = (row: number, score: number) => boolean

/** The best slot of `[from, to)`, standing for all of them until it is taken. */
type Span = { readonly score: number; readonly slot: number; readonly from: number; readonly to: number; extra: number }

/** Equal scores go by slot, so that the order never depends on how the heap happened to fill. */
const before = (a: Span, b: Span): boolean => a.score > b.score || (a.score === b.score && a.slot < b.slot)

/**
 * Walks all places of the ranges in falling order of score, at a cost that depends on how many are taken and
 * not on how many there are. A place that several keys lead to is told once, at its best.
 */
export function walkBestFirst(table: KeyTable, sources: readonly Source[], visit: Visit): void {
  const heap = createHeap(before)
  const seen = new Set<number>()

  function pushSpan(from: number, to: number, extra: number): void {
    if (from >= to) return
    const slot = table.bestIn(from, to)
    heap.push({ score: (table.score[slot] as number) + extra, slot, from, to, extra })
  }

  for (const { range, queryBytes, extra } of sources) {
    for (let slot = range.from; slot < range.exactEnd; slot++) {
      const bonus = exactBonus((table.place[slot] as number) & 7, queryBytes)
      heap.push({ score: (table.score[slot] as number) + bonus + extra, slot, from: slot, to: slot, extra })
    }
    pushSpan(range.exactEnd, range.to, extra)
  }

  for (let span = heap.pop(); span !== undefined; span = heap.pop()) {
    pushSpan(span.from, span.slot, span.extra)
    pushSpan(span.slot + 1, span.to, span.extra)
    const row = (table.place[span.slot] as number) >>> 3
    if (seen.has(row)) continue
    seen.add(row)
    if (!visit(row, span.score)) return
  }
}
