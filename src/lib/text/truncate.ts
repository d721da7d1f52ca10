/** Never cuts inside a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength
  return text.slice(0, end)
}

/** Ends at a word, with an ellipsis if anything was cut. */
export function truncateAtWord(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const room = truncate(text, maxLength - 1)
  const word = room.lastIndexOf(' ')
  return `${word > maxLength / 2 ? room.slice(0, word) : room}…`
}
