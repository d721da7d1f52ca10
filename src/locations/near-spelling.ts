import { correctionsAt } from '../lib/text/edit-distance.ts'
import type { Source } from './best-places.ts'
import { type KeyTable, type PrefixRange, prefixRange } from './key-table.ts'

const LETTERS_MIN = 4
const LETTERS_MAX = 24
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALPHABET = ` ${LETTERS}`
/** The first letter is rarely wrong, and trusting it keeps the search small. */
const TRUSTED_LETTERS = 1

/** Ranges of keys one typing error away from the query. Searches only among keys that share the letters before the error. */
export function nearSpellings(table: KeyTable, query: string): Source[] {
  if (query.length < LETTERS_MIN || query.length > LETTERS_MAX || !/^[a-z0-9 ]+$/.test(query)) return []
  const sources: Source[] = []
  let within: PrefixRange = { from: 0, exactEnd: 0, to: table.size }
  for (let index = 0; index <= query.length && within.from < within.to; index++) {
    if (index >= TRUSTED_LETTERS) {
      for (const attempt of correctionsAt(query, index, ALPHABET)) {
        const range = prefixRange(table, Buffer.from(attempt, 'latin1'), within.from, within.to)
        if (range.from < range.to) sources.push({ range, queryBytes: attempt.length, extra: 0 })
      }
    }
    within = prefixRange(table, Buffer.from(query.slice(0, index + 1), 'latin1'), within.from, within.to)
  }
  return sources
}

/** Returns a test if a text contains the word, or a word one typing error away. */
export function hasNearWord(word: string): (words: string) => boolean {
  const candidates = new Set<string>()
  if (word.length >= LETTERS_MIN && word.length <= LETTERS_MAX)
    for (let index = TRUSTED_LETTERS; index <= word.length; index++)
      for (const attempt of correctionsAt(word, index, LETTERS)) candidates.add(attempt)
  return (words) => words.includes(` ${word}`) || words.split(' ').some((other) => candidates.has(other))
}
