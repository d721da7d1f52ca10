import { editDistance } from '../../../lib/text/edit-distance.ts'

/** In shorter words one letter makes another word: "Luna" and "Lena" are two flats. */
const SPELLED_MIN = 5
/** Digits, and the signs of East Asian scripts, of which each is a word or a syllable: "B101" is not "B102". */
const ONE_SIGN_COUNTS = /[\d\u2e80-\ud7ff]/

/** 1 for equal words, a little less for a slip of the pen or an abbreviation, 0 for different words. */
export function wordSimilarity(a: string, b: string): number {
  if (a === b) return 1
  const shorter = a.length < b.length ? a : b
  const longer = a.length < b.length ? b : a
  if (shorter.length < 4) return 0
  // A plural or a feminine ending.
  if (longer.startsWith(shorter) && /^e?s$|^e$/.test(longer.slice(shorter.length))) return 0.95
  if (shorter.length < SPELLED_MIN || longer.length - shorter.length > 2) return 0
  if (ONE_SIGN_COUNTS.test(a) || ONE_SIGN_COUNTS.test(b)) return 0
  const allowed = shorter.length >= 8 ? 2 : 1
  const edits = editsWithin(shorter, longer, allowed)
  return edits > allowed ? 0 : 1 - (edits * 1.2) / shorter.length
}

/** Edits (neighbours swapped count as one) between two words, or `most + 1` as soon as there are more. */
export function editsWithin(a: string, b: string, most: number): number {
  let head = 0
  while (head < a.length && a.charCodeAt(head) === b.charCodeAt(head)) head += 1
  const rest = Math.min(a.length, b.length) - head
  let tail = 0
  while (tail < rest && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail += 1
  const left = a.slice(head, a.length - tail)
  const right = b.slice(head, b.length - tail)
  if (Math.max(left.length, right.length) <= 1) return Math.max(left.length, right.length)
  if (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]) return 1
  if (most === 1) return 2
  return Math.min(most + 1, editDistance(left, right))
}

/** Share of neighbouring letter pairs that two texts have in common (Dice). */
export function pairSimilarity(a: string, b: string): number {
  if (a === b) return a === '' ? 0 : 1
  if (a.length < 2 || b.length < 2) return 0
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < a.length; at += 1) {
    const pair = a.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let shared = 0
  for (let at = 0; at + 1 < b.length; at += 1) {
    const pair = b.slice(at, at + 2)
    const left = pairs.get(pair) ?? 0
    if (left === 0) continue
    pairs.set(pair, left - 1)
    shared += 1
  }
  return (2 * shared) / (a.length + b.length - 2)
}

const VOWELS_INSIDE = /(?!^)[aeiou]/

/**
 * "dwtn" for "downtown", "gdn" for "garden": the first letter, then only consonants of the word in their order. Or the
 * beginning of the word: "wash" for "washington".
 */
export function isAbbreviation(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 2 || long.length < 4 || short[0] !== long[0]) return false
  if (short.length >= 3 && long.length >= short.length + 3 && long.startsWith(short)) return true
  if (VOWELS_INSIDE.test(short) || /\d/.test(short)) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length
}
