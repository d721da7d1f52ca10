import type { KeyTable } from './key-table.ts'

/** Slots `[from, exactEnd)` are the query itself, `[exactEnd, to)` go on after it. */
export type PrefixRange = { readonly from: number; readonly exactEnd: number; readonly to: number }

/** The slots whose text begins with `prefix`, looked for between `low` and `high`. */
export function prefixRange(table: KeyTable, prefix: Uint8Array, low = 0, high = table.size): PrefixRange {
  const from = partition(table, prefix, low, high, 0)
  const to = from === high || compare(table, from, prefix) !== 0 ? from : upperEnd(table, prefix, from, high)
  return { from, exactEnd: exactEnd(table, prefix.length, from, to), to }
}

/** The first slot in `[low, high)` whose text compares with the prefix at `bound` or above. */
function partition(table: KeyTable, prefix: Uint8Array, low: number, high: number, bound: 0 | 1): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(table, middle, prefix) < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** Most ranges are short and near: doubling steps find their end sooner than halving the whole table. */
function upperEnd(table: KeyTable, prefix: Uint8Array, from: number, high: number): number {
  let step = 1
  while (from + step < high && compare(table, from + step, prefix) === 0) step *= 2
  return partition(table, prefix, from + (step >> 1), Math.min(high, from + step), 1)
}

function exactEnd(table: KeyTable, length: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (table.text[(table.textAt[middle] as number) + length] === 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Negative, zero or positive as the slot's text comes before the prefix, begins with it, or comes after. */
function compare(table: KeyTable, slot: number, prefix: Uint8Array): number {
  const { text } = table
  const at = table.textAt[slot] as number
  for (let i = 0; i < prefix.length; i++) {
    const difference = (text[at + i] as number) - (prefix[i] as number)
    if (difference !== 0) return difference
  }
  return 0
}
