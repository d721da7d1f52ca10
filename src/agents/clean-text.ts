/** Text of vendors and guests that a model will read. It is data: nothing in it may look like a part of our answer. */

/**
 * What nobody sees: control characters, zero-width and bidirectional ones, variation selectors, private use, and the tag
 * block, in which a whole sentence can be hidden.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu
const MARKUP = /<[^<>]{0,2000}>|!?\[([^\]]{0,500})\]\([^)]{0,2000}\)/g
const LINK = /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)\S+|\b(?:javascript|data|mailto):\S*/gi
const ADDRESS = /[^\s@]{1,64}@[^\s@]{1,253}\.[a-z]{2,}/gi
const PHONE = /(?:\+|\b00)\d[\d ()./-]{6,}\d/g

const NAME_MAX = 80
const REFERENCE_MAX = 64

/** More than is ever shown; the patterns below take long on longer ones. */
const READ_MAX = 10_000

/** Joiners that some scripts need between letters are not worth the risk here. */
const visible = (text: string): string => text.slice(0, READ_MAX).replace(HIDDEN, ' ')

const withoutLinks = (text: string): string =>
  text
    .replace(MARKUP, (_whole, label?: string) => label ?? ' ')
    .replace(LINK, '[link removed]')
    .replace(ADDRESS, '[address removed]')

const withoutContacts = (text: string): string => withoutLinks(text).replace(PHONE, '[number removed]')

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const cut = (text: string, most: number): string => {
  const letters = Array.from(text)
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

const inShort = (text: string, most: number): string => cut(inOneLine(text).replaceAll('"', '’'), most)

/** A name in one short line. */
export const cleanName = (text: string, most = NAME_MAX): string =>
  inShort(withoutContacts(visible(text).normalize('NFKC')), most)

/** A number that a vendor or hotel gave to a booking. Some look like phone numbers, so those stay. */
export const cleanReference = (text: string): string =>
  inShort(withoutLinks(visible(text).normalize('NFKC')), REFERENCE_MAX)

type UntrustedText = { readonly source: string; readonly text: string }

/** Texts of a vendor, each short, and not too much of all of them together. Empty ones are left out. */
export function quoteTexts(
  texts: readonly UntrustedText[],
  { each, all }: { readonly each: number; readonly all: number },
): UntrustedText[] {
  let left = all
  return texts.flatMap(({ source, text }) => {
    const cleaned = cut(inOneLine(withoutContacts(visible(text))), Math.min(each, left))
    if (cleaned === '' || left <= 1) return []
    left -= cleaned.length
    return [{ source, text: cleaned }]
  })
}
