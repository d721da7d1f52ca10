import type { LocationKeys } from './location-file.ts'
import {
  ALIAS_CLASS,
  CODE_CLASS,
  GENERIC_WORD_CLASS,
  NAME_CLASS,
  OTHER_NAME_CLASS,
  scoreOf,
  WORD_CLASS,
} from './match-class.ts'
import { createRangeMaximum, type RangeMaximum, winnersOfBlocks } from './range-maximum.ts'

/** Everything a query can begin with, in byte order; each slot is one text standing for one place. Only columns. */
export type KeyColumns = {
  readonly size: number
  /** All key texts, each closed by a zero byte. */
  readonly text: Uint8Array
  /** Where in `text` the slot's text starts. */
  readonly textAt: Uint32Array
  /** row × 8 + match class. */
  readonly place: Uint32Array
  /** What a match that is not exact is worth. */
  readonly score: Uint16Array
  /** Of `score`, for `bestIn`. */
  readonly winners: Uint32Array[]
}

export type KeyTable = KeyColumns & { readonly bestIn: RangeMaximum }

/** In the order of NAME_KINDS. */
const CLASS_OF_POSTING = [NAME_CLASS, OTHER_NAME_CLASS, ALIAS_CLASS, CODE_CLASS] as const

export const openKeyTable = (columns: KeyColumns): KeyTable => ({
  ...columns,
  bestIn: createRangeMaximum(columns.score, columns.winners),
})

export function expandKeyColumns(keys: LocationKeys, importance: Uint16Array): KeyColumns {
  const { text, keyAt } = expandKeys(keys)
  const postingAt = new Uint32Array(keys.postings.length + 1)
  for (let key = 0; key < keys.postings.length; key++) {
    postingAt[key + 1] = (postingAt[key] as number) + (keys.postings[key] as number)
  }
  const size = countSlots(keys, postingAt)
  const textAt = new Uint32Array(size)
  const place = new Uint32Array(size)
  const score = new Uint16Array(size)
  let slot = 0

  function addSlots(key: number, at: number, classOfWord: number | undefined): void {
    for (let i = postingAt[key] as number; i < (postingAt[key + 1] as number); i++) {
      const posting = keys.posting[i] as number
      if (classOfWord !== undefined && (posting & 3) !== 0) continue
      const matchClass = classOfWord ?? CLASS_OF_POSTING[posting & 3] ?? ALIAS_CLASS
      const row = posting >>> 2
      textAt[slot] = (keyAt[key] as number) + at
      place[slot] = row * 8 + matchClass
      score[slot] = scoreOf(importance[row] as number, matchClass)
      slot++
    }
  }

  let word = 0
  let nextWordAfter = keys.wordAfter[0] ?? Number.POSITIVE_INFINITY
  for (let key = 0; key <= keys.postings.length; key++) {
    while (word < keys.wordKey.length && nextWordAfter === key) {
      const matchClass = keys.wordIsGeneric[word] === 1 ? GENERIC_WORD_CLASS : WORD_CLASS
      addSlots(keys.wordKey[word] as number, keys.wordAt[word] as number, matchClass)
      word++
      nextWordAfter += keys.wordAfter[word] ?? 0
    }
    if (key < keys.postings.length) addSlots(key, 0, undefined)
  }
  return { size, text, textAt, place, score, winners: winnersOfBlocks(score) }
}

function expandKeys(keys: LocationKeys): { text: Uint8Array; keyAt: Uint32Array } {
  let size = 0
  for (let key = 0; key < keys.length.length; key++)
    size += (keys.shared[key] as number) + (keys.length[key] as number) + 1
  const text = new Uint8Array(size)
  const keyAt = new Uint32Array(keys.length.length)
  let at = 0
  let from = 0
  let previous = 0
  for (let key = 0; key < keys.length.length; key++) {
    const shared = keys.shared[key] as number
    const length = keys.length[key] as number
    keyAt[key] = at
    for (let i = 0; i < shared; i++) text[at + i] = text[previous + i] as number
    for (let i = 0; i < length; i++) text[at + shared + i] = keys.bytes[from + i] as number
    previous = at
    from += length
    at += shared + length + 1
  }
  return { text, keyAt }
}

function countSlots(keys: LocationKeys, postingAt: Uint32Array): number {
  let size = keys.posting.length
  for (const key of keys.wordKey) {
    for (let i = postingAt[key] as number; i < (postingAt[key + 1] as number); i++) {
      if (((keys.posting[i] as number) & 3) === 0) size++
    }
  }
  return size
}
