const LETTERS_MIN = 4
const LETTERS_MAX = 24
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** Known words one slip away from one that is not known: a letter too many, missing, wrong, or two in the wrong order. */
export function nearWords(word: string, isKnown: (word: string) => boolean): string[] {
  if (word.length < LETTERS_MIN || word.length > LETTERS_MAX) return []
  const near = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at)
    const after = word.slice(at)
    near.add(before + after.slice(1))
    near.add(before + after.charAt(1) + after.charAt(0) + after.slice(2))
    for (const letter of ALPHABET) {
      near.add(before + letter + after)
      near.add(before + letter + after.slice(1))
    }
  }
  return [...near].filter(isKnown)
}
