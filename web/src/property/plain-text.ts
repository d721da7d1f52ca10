/** Vendors' texts contain paragraphs and line breaks only; these functions turn them into plain text. */
export const plainText = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim()

export const paragraphs = (markup: string): string[] =>
  markup
    .split(/<\/?p>|<br\s*\/?>/i)
    .map(plainText)
    .filter((text) => text !== '')
