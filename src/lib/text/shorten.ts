/** Cuts between characters, never inside a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
  return text.slice(0, end)
}

/** Ends at a word, with an ellipsis where something was left out. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const room = cut(text, most - 1)
  const word = room.lastIndexOf(' ')
  return `${word > most / 2 ? room.slice(0, word) : room}…`
}
