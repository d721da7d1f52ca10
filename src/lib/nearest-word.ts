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

/** Insertions, deletions, replacements. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
