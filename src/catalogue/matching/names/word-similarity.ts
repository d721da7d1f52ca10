import { editDistance } from '../../../lib/text/edit-distance.ts'

/** In shorter words one letter makes a different word: "Luna" and "Lena" are two flats. */
const SPELLED_MIN = 5
/** A single digit or East Asian character changes the meaning: "B101" is not "B102". */
const NO_TYPOS = /[\d\u2e80-\ud7ff]/

/** 1 for equal words, slightly less for a typing error or an abbreviation, 0 for different words. */
export function wordSimilarity(a: string, b: string): number {
  if (a === b) return 1
  const shorter = a.length < b.length ? a : b
  const longer = a.length < b.length ? b : a
  if (shorter.length < 4) return 0
  // A plural or a feminine ending.
  if (longer.startsWith(shorter) && /^e?s$|^e$/.test(longer.slice(shorter.length))) return 0.95
  if (shorter.length < SPELLED_MIN || longer.length - shorter.length > 2) return 0
  if (NO_TYPOS.test(a) || NO_TYPOS.test(b)) return 0
  const allowed = shorter.length >= 8 ? 2 : 1
  const edits = editsWithin(shorter, longer, allowed)
  return edits > allowed ? 0 : 1 - (edits * 1.2) / shorter.length
}

/** Edit distance (swapped neighbours are one edit), at most `max + 1`. */
export function editsWithin(a: string, b: string, max: number): number {
  let head = 0
  while (head < a.length && a.charCodeAt(head) === b.charCodeAt(head)) head += 1
  const rest = Math.min(a.length, b.length) - head
  let tail = 0
  while (tail < rest && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail += 1
  const left = a.slice(head, a.length - tail)
  const right = b.slice(head, b.length - tail)
  if (Math.max(left.length, right.length) <= 1) return Math.max(left.length, right.length)
  if (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]) return 1
  if (max === 1) return 2
  return Math.min(max + 1, editDistance(left, right))
}

/** Dice coefficient of neighbouring letter pairs. */
export function pairSimilarity(a: string, b: string): number {
  if (a === b) return a === '' ? 0 : 1
  if (a.length < 2 || b.length < 2) return 0
  const pairs = new Map<string, number>()
  for (let i = 0; i + 1 < a.length; i += 1) {
    const pair = a.slice(i, i + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let shared = 0
  for (let i = 0; i + 1 < b.length; i += 1) {
    const pair = b.slice(i, i + 2)
    const left = pairs.get(pair) ?? 0
    if (left === 0) continue
    pairs.set(pair, left - 1)
    shared += 1
  }
  return (2 * shared) / (a.length + b.length - 2)
}

const VOWELS_INSIDE = /(?!^)[aeiou]/

/** A prefix ("wash"), consonants in order ("dwtn"), or all consonants and some vowels ("sqre" for "square"). */
export function isAbbreviation(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 2 || long.length < 4 || short[0] !== long[0]) return false
  if (short.length >= 3 && long.startsWith(short)) return true
  if (/\d/.test(short)) return false
  let matched = 0
  let missing = 0
  for (const letter of long) {
    if (letter === short[matched]) matched += 1
    else if (!/[aeiouy]/.test(letter) && matched < short.length) missing += 1
  }
  return matched === short.length && (!VOWELS_INSIDE.test(short) || (short.length >= 4 && missing === 0))
}
