/** Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
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

/** Candidates with one typing error corrected at `index`: an extra, swapped, missing or wrong letter. */
export function correctionsAt(text: string, index: number, alphabet: string): string[] {
  const before = text.slice(0, index)
  const after = text.slice(index)
  const candidates: string[] = []
  if (after.length > 0) candidates.push(before + after.slice(1))
  if (after.length > 1) candidates.push(before + after.charAt(1) + after.charAt(0) + after.slice(2))
  for (const letter of alphabet) {
    candidates.push(before + letter + after)
    if (after.length > 0) candidates.push(before + letter + after.slice(1))
  }
  return candidates
}
