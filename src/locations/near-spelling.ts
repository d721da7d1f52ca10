import { oneErrorAt } from '../lib/text/edit-distance.ts'
import type { Source } from './best-places.ts'
import { type KeyTable, type PrefixRange, prefixRange } from './key-table.ts'

const LETTERS_MIN = 4
const LETTERS_MAX = 24
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALPHABET = ` ${LETTERS}`
/** The first letter is hardly ever the wrong one, and trusting it keeps the search small. */
const TRUSTED_LETTERS = 1

/**
 * Ranges of keys one slip away from a query that matches nothing: a letter too many, missing, wrong, or two in the
 * wrong order. Every attempt is looked for only among keys that share the letters before the slip.
 */
export function nearSpellings(table: KeyTable, query: string): Source[] {
  if (query.length < LETTERS_MIN || query.length > LETTERS_MAX || !/^[a-z0-9 ]+$/.test(query)) return []
  const sources: Source[] = []
  let within: PrefixRange = { from: 0, exactEnd: 0, to: table.size }
  for (let at = 0; at <= query.length && within.from < within.to; at++) {
    if (at >= TRUSTED_LETTERS) {
      for (const attempt of oneErrorAt(query, at, ALPHABET)) {
        const range = prefixRange(table, Buffer.from(attempt, 'latin1'), within.from, within.to)
        if (range.from < range.to) sources.push({ range, queryBytes: attempt.length, extra: 0 })
      }
    }
    within = prefixRange(table, Buffer.from(query.slice(0, at + 1), 'latin1'), within.from, within.to)
  }
  return sources
}

/** Returns a test whether a text has the word, or a word that differs from it by one typing error. */
export function standsNearlyIn(word: string): (words: string) => boolean {
  const meant = new Set<string>()
  if (word.length >= LETTERS_MIN && word.length <= LETTERS_MAX)
    for (let at = TRUSTED_LETTERS; at <= word.length; at++)
      for (const attempt of oneErrorAt(word, at, LETTERS)) meant.add(attempt)
  return (words) => words.includes(` ${word}`) || words.split(' ').some((one) => meant.has(one))
}
