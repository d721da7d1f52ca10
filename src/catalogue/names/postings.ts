import { setImmediate as pause } from 'node:timers/promises'
import type { NameRows } from './name-rows.ts'

const SLICE_ROWS = 50_000

/** Rows by word of the name, best-known first. */
export type Postings = {
  readonly rows: Uint32Array
  /** Start index in `rows` for each word; the next entry is its end. Words added later have none. */
  readonly starts: Uint32Array
}

export const NO_POSTINGS: Postings = { rows: new Uint32Array(0), starts: new Uint32Array(1) }

type Snapshot = ReturnType<NameRows['snapshot']>

/** Counting sort that yields to the event loop between slices. */
export async function buildPostings(rows: Snapshot, wordCount: number): Promise<Postings> {
  const starts = new Uint32Array(wordCount + 1)
  await forEachWord(rows, (word) => {
    starts[word + 1] = (starts[word + 1] ?? 0) + 1
  })
  for (let word = 0; word < wordCount; word++) starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0)
  const next = starts.slice()
  const lists = new Uint32Array(starts[wordCount] ?? 0)
  await forEachWord(rows, (word, row) => {
    const index = next[word] ?? 0
    lists[index] = row
    next[word] = index + 1
  })
  return { rows: lists, starts }
}

async function forEachWord(rows: Snapshot, visit: (word: number, row: number) => void): Promise<void> {
  const order = byFame(rows)
  for (let index = 0; index < order.length; index++) {
    const row = order[index] ?? 0
    const from = rows.start[row] ?? 0
    const to = from + (rows.nameWords[row] ?? 0)
    for (let i = from; i < to; i++) visit(rows.words[i] ?? 0, row)
    if (index % SLICE_ROWS === 0) await pause()
  }
}

/** Active rows, best-known first: one bucket per fame. */
function byFame({ fame, count }: Snapshot): Uint32Array {
  const next = new Uint32Array(257)
  for (const bucket of fame) next[bucket] = (next[bucket] ?? 0) + 1
  const valid = count - (next[0] ?? 0)
  let places = 0
  for (let bucket = 255; bucket >= 0; bucket--) {
    const size = next[bucket] ?? 0
    next[bucket] = places
    places += size
  }
  const order = new Uint32Array(count)
  for (let row = 0; row < count; row++) {
    const bucket = fame[row] ?? 0
    const place = next[bucket] ?? 0
    order[place] = row
    next[bucket] = place + 1
  }
  return order.subarray(0, valid)
}
