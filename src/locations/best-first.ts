import { createHeap } from './heap.ts'
import type { KeyTable } from './key-table.ts'
import { exactBonus } from './match-class.ts'
import type { PrefixRange } from './prefix-range.ts'

/** A range of the key table and what is added to every score in it. */
export type Source = { readonly range: PrefixRange; readonly queryBytes: number; readonly extra: number }

/** Told of every place once, best first; answering false ends the walk. */
export type Visit = (row: number, score: number) => boolean

export type WalkBestFirst = (sources: readonly Source[], visit: Visit) => void

/** Room for every slot below a score, so that one number orders by score and then by slot. */
const SLOTS = 2 ** 24
/** Four numbers a span. */
const SPAN = 4

/**
 * Walks all places of the ranges in falling order of score, at a cost that depends on how many are taken and
 * not on how many there are. A place that several keys lead to is told once, at its best. One walk at a time:
 * `visit` must not start another.
 */
export function createWalk(table: KeyTable, rowCount: number): WalkBestFirst {
  const heap = createHeap()
  // Spans of slots: from, to, the best slot between, and what is added to its score.
  const spans: number[] = []
  const seen = new Uint32Array(rowCount)
  let walk = 0

  function pushSpan(from: number, to: number, extra: number): void {
    if (from < to) push(from, to, table.bestIn(from, to), extra)
  }

  function push(from: number, to: number, slot: number, extra: number): void {
    heap.push(((table.score[slot] as number) + extra) * SLOTS + (SLOTS - 1 - slot), spans.length)
    spans.push(from, to, slot, extra)
  }

  return function walkBestFirst(sources, visit) {
    heap.clear()
    spans.length = 0
    walk++
    for (const { range, queryBytes, extra } of sources) {
      for (let slot = range.from; slot < range.exactEnd; slot++) {
        push(slot, slot, slot, extra + exactBonus((table.place[slot] as number) & 7, queryBytes))
      }
      pushSpan(range.exactEnd, range.to, extra)
    }
    for (let at = heap.pop(); at >= 0; at = heap.pop()) {
      const slot = spans[at + 2] as number
      const extra = spans[at + SPAN - 1] as number
      pushSpan(spans[at] as number, slot, extra)
      pushSpan(slot + 1, spans[at + 1] as number, extra)
      const row = (table.place[slot] as number) >>> 3
      if (seen[row] === walk) continue
      seen[row] = walk
      if (!visit(row, (table.score[slot] as number) + extra)) return
    }
  }
}
