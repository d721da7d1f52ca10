import { createHeap } from './heap.ts'
import type { KeyTable } from './key-table.ts'
import { exactBonus } from './match-class.ts'
import type { PrefixRange } from './prefix-range.ts'

/** A range of the key table and what is added to every score in it. */
export type Source = { readonly range: PrefixRange; readonly queryBytes: number; readonly extra: number }

/** Told of every place once, best first; answering false ends the walk. */
export type Visit = (row: number, score: number) => boolean

export type WalkBestFirst = (sources: readonly Source[], visit: Visit) => void

export type Walker = {
  /** At a cost that depends on how many are taken and not on how many there are. */
  readonly bestFirst: WalkBestFirst
  /** All places in the order of `bestFirst`: sorted at once, which is cheaper than taking every one off the heap. */
  all(sources: readonly Source[]): number[]
  /** How many places there are; nothing is put in order for it. */
  count(sources: readonly Source[]): number
}

/** Room for every slot below a score, so that one number orders by score and then by slot. */
const SLOTS = 2 ** 24
/** Four numbers a span. */
const SPAN = 4

/**
 * Goes through the places of ranges in falling order of score. A place that several keys lead to is told once, at its
 * best. One walk at a time: `visit` must not start another.
 */
export function createWalker(table: KeyTable, rowCount: number): Walker {
  const heap = createHeap()
  // Spans of slots: from, to, the best slot between, and what is added to its score.
  const spans: number[] = []
  const seen = new Uint32Array(rowCount)
  let walk = 0

  function pushSpan(from: number, to: number, extra: number): void {
    if (from < to) push(from, to, table.bestIn(from, to), extra)
  }

  function push(from: number, to: number, slot: number, extra: number): void {
    heap.push(keyOf(slot, extra), spans.length)
    spans.push(from, to, slot, extra)
  }

  const keyOf = (slot: number, extra: number) => ((table.score[slot] as number) + extra) * SLOTS + (SLOTS - 1 - slot)
  const bonusOf = (slot: number, queryBytes: number) => exactBonus((table.place[slot] as number) & 7, queryBytes)

  /** Whether this walk meets the slot's place for the first time. */
  function isNew(slot: number): boolean {
    const row = (table.place[slot] as number) >>> 3
    if (seen[row] === walk) return false
    seen[row] = walk
    return true
  }

  function bestFirst(sources: readonly Source[], visit: Visit): void {
    heap.clear()
    spans.length = 0
    walk++
    for (const { range, queryBytes, extra } of sources) {
      for (let slot = range.from; slot < range.exactEnd; slot++) {
        push(slot, slot, slot, extra + bonusOf(slot, queryBytes))
      }
      pushSpan(range.exactEnd, range.to, extra)
    }
    for (let at = heap.pop(); at >= 0; at = heap.pop()) {
      const slot = spans[at + 2] as number
      const extra = spans[at + SPAN - 1] as number
      pushSpan(spans[at] as number, slot, extra)
      pushSpan(slot + 1, spans[at + 1] as number, extra)
      if (!isNew(slot)) continue
      if (!visit((table.place[slot] as number) >>> 3, (table.score[slot] as number) + extra)) return
    }
  }

  function all(sources: readonly Source[]): number[] {
    walk++
    const keys = new Float64Array(sources.reduce((sum, { range }) => sum + range.to - range.from, 0))
    let at = 0
    for (const { range, queryBytes, extra } of sources) {
      for (let slot = range.from; slot < range.to; slot++) {
        keys[at++] = keyOf(slot, slot < range.exactEnd ? extra + bonusOf(slot, queryBytes) : extra)
      }
    }
    keys.sort()
    const rows: number[] = []
    for (let i = keys.length - 1; i >= 0; i--) {
      // Scores are whole numbers, so what is left of the key is the slot.
      const slot = SLOTS - 1 - ((keys[i] as number) % SLOTS)
      if (isNew(slot)) rows.push((table.place[slot] as number) >>> 3)
    }
    return rows
  }

  function count(sources: readonly Source[]): number {
    walk++
    let places = 0
    for (const { range } of sources) {
      for (let slot = range.from; slot < range.to; slot++) if (isNew(slot)) places++
    }
    return places
  }

  return { bestFirst, all, count }
}
