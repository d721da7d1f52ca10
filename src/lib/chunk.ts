/** Splits items into lists of `size`; the first list may have its own size. */
export function chunk<T>(items: readonly T[], size: number, first = size): T[][] {
  const parts: T[][] = []
  for (let start = 0, end = first; start < items.length; start = end, end += size) parts.push(items.slice(start, end))
  return parts
}

/** Splits items into as few lists of at most `max` as possible, of about equal size. */
export const chunkEvenly = <T>(items: readonly T[], max: number): T[][] =>
  chunk(items, Math.ceil(items.length / Math.ceil(items.length / max)))
