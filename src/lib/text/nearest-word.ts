import { editDistance } from './edit-distance.ts'

/** The word that a misspelt one most likely meant; undefined when none is near. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  return nearestWithin(Math.max(2, Math.floor(word.length / 3)), word.toLowerCase(), words)
}

/** Says of each name that is nearly a known one which one that is. Names that are long and much alike must not be mixed up. */
export const misspelt = (names: readonly string[], known: readonly string[]): string[] =>
  names.flatMap((name) => {
    const meant = known.includes(name) ? undefined : nearestWithin(Math.floor(name.length / 5), name, known)
    return meant === undefined ? [] : [`${name} is no setting and is ignored; did you mean ${meant}?`]
  })

function nearestWithin(most: number, word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= most ? best.candidate : undefined
}
