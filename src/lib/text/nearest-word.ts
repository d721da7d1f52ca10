import { editDistance } from './edit-distance.ts'

/** Known word closest to a misspelt one; undefined if none is close. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  return nearestWithin(Math.max(2, Math.floor(word.length / 3)), word.toLowerCase(), words)
}

/** Suggests the known name closest to each unknown one. The limit is tight because setting names are long and similar. */
export const suggestKnownNames = (names: readonly string[], known: readonly string[]): string[] =>
  names.flatMap((name) => {
    const suggestion = known.includes(name) ? undefined : nearestWithin(Math.floor(name.length / 5), name, known)
    return suggestion === undefined ? [] : [`${name} is not a setting and is ignored. Did you mean ${suggestion}?`]
  })

function nearestWithin(maxDistance: number, word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= maxDistance ? best.candidate : undefined
}
