/** The items in lists of `size`; the first of them may have another one. */
export function partsOf<T>(items: readonly T[], size: number, first = size): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += at === 0 ? first : size)
    parts.push(items.slice(at, at + (at === 0 ? first : size)))
  return parts
}
