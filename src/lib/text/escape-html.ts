import { escapeUTF8 } from 'entities'

/** Text as HTML, in elements and in attributes. Old mail programs do not know `&apos;`. */
export const escapeHtml = (text: string): string => escapeUTF8(text).replaceAll('&apos;', '&#39;')
