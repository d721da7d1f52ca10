/** Vendors' texts contain only paragraphs and line breaks. */
export const stripMarkup = (markup: string): string =>
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

export const splitParagraphs = (markup: string): string[] =>
  markup
    .split(/<\/?p>|<br\s*\/?>/i)
    .map(stripMarkup)
    .filter((text) => text !== '')
