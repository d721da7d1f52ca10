import { correctionsAt } from '../../lib/text/edit-distance.ts'

const LETTERS_MIN = 4
const LETTERS_MAX = 24
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** Known words one typing error away. */
export function nearWords(word: string, isKnown: (word: string) => boolean): string[] {
  if (word.length < LETTERS_MIN || word.length > LETTERS_MAX) return []
  const near = new Set<string>()
  for (let i = 0; i <= word.length; i++) for (const candidate of correctionsAt(word, i, ALPHABET)) near.add(candidate)
  return [...near].filter(isKnown)
}
