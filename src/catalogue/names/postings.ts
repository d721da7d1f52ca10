import { setImmediate as pause } from 'node:timers/promises'
import type { NameRows } from './name-rows.ts'

const SLICE_ROWS = 50_000

/** For each word the rows whose name has it, the best-known first. */
export type Postings = {
  readonly rows: Uint32Array
  /** Start index in `rows` for each word. A word's rows end where those of the next word start; words added later have none yet. */
  readonly starts: Uint32Array
}

export const NO_POSTINGS: Postings = { rows: new Uint32Array(0), starts: new Uint32Array(1) }

type Snapshot = ReturnType<NameRows['snapshot']>

/** Sorts by counting: how many rows have each word, and then each row into its place. Others get their turn meanwhile. */
export async function buildPostings(rows: Snapshot, wordCount: number): Promise<Postings> {
  const starts = new Uint32Array(wordCount + 1)
  await forEachWord(rows, (word) => {
    starts[word + 1] = (starts[word + 1] ?? 0) + 1
  })
  for (let word = 0; word < wordCount; word++) starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0)
  const next = starts.slice()
  const lists = new Uint32Array(starts[wordCount] ?? 0)
  await forEachWord(rows, (word, row) => {
    const at = next[word] ?? 0
    lists[at] = row
    next[word] = at + 1
  })
  return { rows: lists, starts }
}

async function forEachWord(rows: Snapshot, visit: (word: number, row: number) => void): Promise<void> {
  const order = byFame(rows)
  for (let at = 0; at < order.length; at++) {
    const row = order[at] ?? 0
    const from = rows.start[row] ?? 0
    const to = from + (rows.nameWords[row] ?? 0)
    for (let i = from; i < to; i++) visit(rows.words[i] ?? 0, row)
    if (at % SLICE_ROWS === 0) await pause()
  }
}

/** The rows that count, the best-known first: one bucket for each fame. */
function byFame({ fame, count }: Snapshot): Uint32Array {
  const next = new Uint32Array(257)
  for (const each of fame) next[each] = (next[each] ?? 0) + 1
  const valid = count - (next[0] ?? 0)
  let places = 0
  for (let each = 255; each >= 0; each--) {
    const here = next[each] ?? 0
    next[each] = places
    places += here
  }
  const order = new Uint32Array(count)
  for (let row = 0; row < count; row++) {
    const each = fame[row] ?? 0
    const place = next[each] ?? 0
    order[place] = row
    next[each] = place + 1
  }
  return order.subarray(0, valid)
}
