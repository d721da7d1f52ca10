import { escapeUTF8 } from 'entities'

/** Escapes text for elements and attributes. Old mail clients do not know `&apos;`. */
export const escapeHtml = (text: string): string => escapeUTF8(text).replaceAll('&apos;', '&#39;')
