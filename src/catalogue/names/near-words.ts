import { oneErrorAt } from '../../lib/text/edit-distance.ts'

const LETTERS_MIN = 4
const LETTERS_MAX = 24
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** Known words one slip away from one that is not known: a letter too many, missing, wrong, or two in the wrong order. */
export function nearWords(word: string, isKnown: (word: string) => boolean): string[] {
  if (word.length < LETTERS_MIN || word.length > LETTERS_MAX) return []
  const near = new Set<string>()
  for (let at = 0; at <= word.length; at++) for (const one of oneErrorAt(word, at, ALPHABET)) near.add(one)
  return [...near].filter(isKnown)
}
