/** Splits items into lists of `size`; the first list may have its own size. */
export function chunk<T>(items: readonly T[], size: number, first = size): T[][] {
  const parts: T[][] = []
  for (let start = 0, end = first; start < items.length; start = end, end += size) parts.push(items.slice(start, end))
  return parts
}
