import { escapeHtml } from '../../lib/text/escape-html.ts'
import { type Language, WORDS } from '../../mail/mail-texts.ts'
import type { ListedCard, ListedSearch } from '../schemas.ts'
import { PLAIN_WORDS } from './plain-words.ts'

export type PlainResults = {
  readonly search: ListedSearch
  readonly cards: readonly ListedCard[]
  /** Number of properties that match, shown or not. */
  readonly total: number
  readonly ignoresFilters: boolean
  /** Query of the link, for the links of the properties. */
  readonly query: URLSearchParams
}

/** Texts of vendors are escaped; nothing is loaded. */
export function resultsHtml({ search, cards, total, ignoresFilters, query }: PlainResults, language: Language): string {
  const words = PLAIN_WORDS[language]
  const { party, locale, simulated } = WORDS[language]
  const day = (date: string) => formatDate(date, locale, { dateStyle: 'full' })
  const rooms = search.occupancies.map(({ adults, children_ages }) => party(adults, children_ages)).join(' + ')
  const lines = [
    `${day(search.check_in)} – ${day(search.check_out)} · ${words.nights(search.nights)} · ${rooms}`,
    cards.length === 0 ? words.none : words.shown(cards.length, total),
    ...(cards.length === 0 ? [] : [words.price, words.needed]),
    ...(search.partial ? [words.partial] : []),
    ...(ignoresFilters ? [words.filters] : []),
    ...(search.simulated ? [simulated.text] : []),
  ]
  const items = cards.map((card) => cardHtml(card, language, query))
  const title = words.title(search.location.name)
  return documentHtml(title, `${paragraphs(lines)}<ol>${items.join('')}</ol>`, language)
}

/** A page of sentences with the link to try again. */
export const messageHtml = (title: string, lines: readonly string[], language: Language): string =>
  documentHtml(
    title,
    `${paragraphs(lines)}<form method="post"><button>${PLAIN_WORDS[language].again}</button></form>`,
    language,
  )

function cardHtml(card: ListedCard, language: Language, query: URLSearchParams): string {
  const words = PLAIN_WORDS[language]
  const { locale, boards } = WORDS[language]
  const number = (value: number, minimumFractionDigits = 0) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 1 }).format(value)
  const money = (amount: number) =>
    `${card.converted ? '≈ ' : ''}${new Intl.NumberFormat(locale, { style: 'currency', currency: card.currency }).format(amount)}`
  const facts = [
    ...(card.star_rating > 0 ? [words.stars(number(card.star_rating))] : []),
    ...(card.guest_rating > 0 ? [words.rating(number(card.guest_rating, 1), number(card.review_count))] : []),
    `${number(card.distance_km)}\u00a0km`,
  ]
  const terms = [boards[card.board], describeFree(card, language, money), ...(card.fees_in_text ? [words.fees] : [])]
  const href = `/property/${encodeURIComponent(card.property_id)}?${query}`
  return `<li><h2><a href="${escapeHtml(href)}">${escapeHtml(card.name)}</a></h2><p>${escapeHtml(facts.join(' · '))}</p><p><strong>${escapeHtml(money(card.total_price))}</strong> · ${escapeHtml(terms.join(' · '))}</p></li>`
}

function describeFree(
  { free_cancellation: free, total_price: total }: ListedCard,
  language: Language,
  money: (amount: number) => string,
) {
  const words = PLAIN_WORDS[language]
  if (free === undefined) return words.notFree
  if (free.total_price > total) return words.freeFor(money(free.total_price))
  // Local time at the property, as the vendor states it.
  const end = free.until?.slice(0, 16)
  return end === undefined
    ? words.free
    : words.freeUntil(formatDate(`${end}Z`, WORDS[language].locale, { dateStyle: 'medium', timeStyle: 'short' }))
}

const formatDate = (date: string, locale: string, style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(Date.parse(date))

const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')

const documentHtml = (title: string, body: string, language: Language) => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)} · Serai</title><style>${STYLE}</style></head>
<body><p><a href="/">Serai</a></p><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`

export const STYLE = `:root{color-scheme:light dark;background:light-dark(#f6f3ec,#13151e);color:light-dark(#1a1d2b,#efebe1)}body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:0 auto;padding:1rem}
h1,h2{line-height:1.25;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.25rem 0 0}p{margin:.35rem 0}a{color:light-dark(#27408b,#a9b9ff)}
button{font:inherit;padding:.6rem 1rem}ol{padding-left:1.5rem}`
