/** Cleans text of vendors and guests for a model, so that it cannot imitate our own output. */

/** Invisible characters, including the tag block, which can hide whole sentences. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu
const MARKUP = /<[^<>]{0,2000}>|!?\[([^\]]{0,500})\]\([^)]{0,2000}\)/g
const LINK = /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)\S+|\b(?:javascript|data|mailto):\S*/gi
const ADDRESS = /[^\s@]{1,64}@[^\s@]{1,253}\.[a-z]{2,}/gi
/** Names of tools and of chat roles do not occur in names of hotels and rooms. */
const ORDERS = /\b[a-z]+(?:_[a-z]+)+\b|\b(?:system|assistant|developer|user|human)\s*:/gi
const PHONE = /(?:\+|\b00)\d[\d ()./-]{6,}\d/g

const NAME_MAX = 60
const REFERENCE_MAX = 64

/** Longer than any output; limits the cost of the patterns. */
const READ_MAX = 10_000

/** Also removes joiners that some scripts need; keeping them is not worth the risk. */
const removeHidden = (text: string): string => text.slice(0, READ_MAX).replace(HIDDEN, ' ')

const withoutLinks = (text: string): string =>
  text
    .replace(MARKUP, (_whole, label?: string) => label ?? ' ')
    .replace(LINK, '[link removed]')
    .replace(ADDRESS, '[address removed]')

const withoutContacts = (text: string): string => withoutLinks(text).replace(PHONE, '[number removed]')

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const truncate = (text: string, max: number): string => {
  const letters = Array.from(text)
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : text
}

const toShortLine = (text: string, max: number): string => truncate(toOneLine(text).replaceAll('"', '’'), max)

/** Reduces a name to one short line. */
export const cleanName = (text: string, max = NAME_MAX): string =>
  toShortLine(withoutContacts(removeHidden(text).normalize('NFKC')).replace(ORDERS, '…'), max)

/** Cleans a booking number of a vendor or hotel. Keeps digits that look like a phone number. */
export const cleanReference = (text: string): string =>
  toShortLine(withoutLinks(removeHidden(text).normalize('NFKC')), REFERENCE_MAX)

type UntrustedText = { readonly source: string; readonly text: string }

/** Quotes texts of a vendor, with a limit for each and for all. Omits empty ones. */
export function quoteTexts(
  texts: readonly UntrustedText[],
  { each, all }: { readonly each: number; readonly all: number },
): UntrustedText[] {
  let left = all
  return texts.flatMap(({ source, text }) => {
    const cleaned = truncate(toOneLine(withoutContacts(removeHidden(text))), Math.min(each, left))
    if (cleaned === '' || left <= 1) return []
    left -= cleaned.length
    return [{ source, text: cleaned }]
  })
}
