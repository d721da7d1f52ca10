/** How many letters must be inserted, deleted or replaced to turn one text into the other. */
export function editDistance(a: string, b: string): number {
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

/** The text with one typing error at this position corrected: an extra letter, two letters swapped, a missing or a wrong letter. */
export function oneErrorAt(text: string, at: number, alphabet: string): string[] {
  const before = text.slice(0, at)
  const after = text.slice(at)
  const meant: string[] = []
  if (after.length > 0) meant.push(before + after.slice(1))
  if (after.length > 1) meant.push(before + after.charAt(1) + after.charAt(0) + after.slice(2))
  for (const letter of alphabet) {
    meant.push(before + letter + after)
    if (after.length > 0) meant.push(before + letter + after.slice(1))
  }
  return meant
}
