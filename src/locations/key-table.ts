import type { LocationKeys } from './location-file.ts'
import {
  ALIAS_CLASS,
  CODE_CLASS,
  GENERIC_WORD_CLASS,
  NAME_CLASS,
  OTHER_NAME_CLASS,
  scoreKey,
  WORD_CLASS,
} from './match-class.ts'

/** Slots `[from, exactEnd)` equal the query; `[exactEnd, to)` only start with it. */
export type PrefixRange = { readonly from: number; readonly exactEnd: number; readonly to: number }

/** All searchable texts in byte order; each slot is one text of one place. */
export type KeyTable = {
  readonly size: number
  /** All key texts, zero-terminated. */
  readonly text: Uint8Array
  /** Offset of the slot's text in `text`. */
  readonly textAt: Uint32Array
  /** row × 8 + match class. */
  readonly place: Uint32Array
  /** Score of a prefix match. */
  readonly score: Uint16Array
  /** Best score of every BLOCK slots, so that a search can skip blocks. */
  readonly blockBest: Uint16Array
}

const BLOCK = 32

/** In the order of NAME_KINDS. */
const POSTING_CLASSES = [NAME_CLASS, OTHER_NAME_CLASS, ALIAS_CLASS, CODE_CLASS] as const

export function expandKeys(keys: LocationKeys, importance: Uint16Array): KeyTable {
  const { text, keyAt } = expandTexts(keys)
  const postingAt = new Uint32Array(keys.postings.length + 1)
  for (let key = 0; key < keys.postings.length; key++) {
    postingAt[key + 1] = (postingAt[key] ?? 0) + (keys.postings[key] ?? 0)
  }
  const size = countSlots(keys, postingAt)
  const textAt = new Uint32Array(size)
  const place = new Uint32Array(size)
  const score = new Uint16Array(size)
  let slot = 0

  function addSlots(key: number, offset: number, wordClass: number | undefined): void {
    for (let i = postingAt[key] ?? 0; i < (postingAt[key + 1] ?? 0); i++) {
      const posting = keys.posting[i] ?? 0
      if (wordClass !== undefined && (posting & 3) !== 0) continue
      const matchClass = wordClass ?? POSTING_CLASSES[posting & 3] ?? ALIAS_CLASS
      const row = posting >>> 2
      textAt[slot] = (keyAt[key] ?? 0) + offset
      place[slot] = row * 8 + matchClass
      score[slot] = scoreKey(importance[row] ?? 0, matchClass)
      slot++
    }
  }

  let word = 0
  let nextWordAfter = keys.wordAfter[0] ?? Number.POSITIVE_INFINITY
  for (let key = 0; key <= keys.postings.length; key++) {
    while (word < keys.wordKey.length && nextWordAfter === key) {
      const matchClass = keys.wordIsGeneric[word] === 1 ? GENERIC_WORD_CLASS : WORD_CLASS
      addSlots(keys.wordKey[word] ?? 0, keys.wordAt[word] ?? 0, matchClass)
      word++
      nextWordAfter += keys.wordAfter[word] ?? 0
    }
    if (key < keys.postings.length) addSlots(key, 0, undefined)
  }
  return { size, text, textAt, place, score, blockBest: bestPerBlock(score) }
}

function bestPerBlock(score: Uint16Array): Uint16Array {
  const best = new Uint16Array(Math.ceil(score.length / BLOCK))
  for (let slot = 0; slot < score.length; slot++) {
    const block = Math.floor(slot / BLOCK)
    best[block] = Math.max(best[block] ?? 0, score[slot] ?? 0)
  }
  return best
}

/** First slot from `slot` with a score of at least `least`, or `to`. */
export function findNextSlot({ score, blockBest }: KeyTable, slot: number, to: number, least: number): number {
  while (slot < to) {
    if (slot % BLOCK === 0 && (blockBest[slot / BLOCK] ?? 0) < least) slot += BLOCK
    else if ((score[slot] ?? 0) >= least) return slot
    else slot++
  }
  return to
}

function expandTexts(keys: LocationKeys): { text: Uint8Array; keyAt: Uint32Array } {
  let size = 0
  for (let key = 0; key < keys.length.length; key++) size += (keys.shared[key] ?? 0) + (keys.length[key] ?? 0) + 1
  const text = new Uint8Array(size)
  const keyAt = new Uint32Array(keys.length.length)
  let at = 0
  let from = 0
  let previous = 0
  for (let key = 0; key < keys.length.length; key++) {
    const shared = keys.shared[key] ?? 0
    const length = keys.length[key] ?? 0
    keyAt[key] = at
    for (let i = 0; i < shared; i++) text[at + i] = text[previous + i] ?? 0
    for (let i = 0; i < length; i++) text[at + shared + i] = keys.bytes[from + i] ?? 0
    previous = at
    from += length
    at += shared + length + 1
  }
  return { text, keyAt }
}

function countSlots(keys: LocationKeys, postingAt: Uint32Array): number {
  let size = keys.posting.length
  for (const key of keys.wordKey) {
    for (let i = postingAt[key] ?? 0; i < (postingAt[key + 1] ?? 0); i++) {
      if (((keys.posting[i] ?? 0) & 3) === 0) size++
    }
  }
  return size
}

/** Slots between `low` and `high` whose text starts with `prefix`. */
export function prefixRange(table: KeyTable, prefix: Uint8Array, low = 0, high = table.size): PrefixRange {
  const from = firstSlot(table, prefix, low, high, 0)
  // Most ranges are short, so doubling steps find the end sooner than bisecting the table.
  let step = 1
  while (from + step < high && compare(table, from + step, prefix) === 0) step *= 2
  const to = firstSlot(table, prefix, from, Math.min(high, from + step), 1)
  return { from, exactEnd: findExactEnd(table, prefix.length, from, to), to }
}

/** First slot in `[low, high)` that compares with the prefix as `least` or more, or `high`. */
function firstSlot(table: KeyTable, prefix: Uint8Array, low: number, high: number, least: 0 | 1): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(table, middle, prefix) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** End of the slots that have no bytes after the first `length`, which all slots share. */
function findExactEnd({ text, textAt }: KeyTable, length: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (text[(textAt[middle] ?? 0) + length] === 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Zero if the slot's text starts with the prefix. */
function compare({ text, textAt }: KeyTable, slot: number, prefix: Uint8Array): number {
  const at = textAt[slot] ?? 0
  for (let i = 0; i < prefix.length; i++) {
    const difference = (text[at + i] ?? 0) - (prefix[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
