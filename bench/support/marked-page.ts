/** Replaces the text between the markers of this name. */
export function replaceMarked(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`]
  const from = page.indexOf(start)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`The page has no markers for ${name}.`)
  return page.slice(0, from + start.length) + text + page.slice(to)
}
