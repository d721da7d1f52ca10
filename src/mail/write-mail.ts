import type { Booking } from '../domain/booking/booking.ts'
import { buildMailId, isForConfirmedStay, type MailContent } from '../domain/mail.ts'
import type { Notice } from '../domain/offer.ts'
import { escapeHtml } from '../lib/text/escape-html.ts'
import { buildCalendar } from '../voucher/calendar.ts'
import { describeBooking, formatDay, type Row } from './describe-booking.ts'
import { toLanguage, WORDS, type Words } from './mail-texts.ts'
import { translateNoticeTitle } from './notice-titles.ts'
import { buildReservation } from './reservation-json.ts'
import { removeHidden, tidyContent, toSingleLine } from './sanitize-content.ts'

export type Attachment = { readonly filename: string; readonly contentType: string; readonly content: string | Buffer }

export type Mail = {
  /** The same for every attempt, so that duplicates are recognised. */
  readonly messageId: string
  readonly at: number
  readonly to: string
  readonly language: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly Attachment[]
}

export type WriteMailDeps = {
  /** Domain of our sender, used in message ids and calendar entries. */
  readonly domain: string
  /** All bookings are simulations, because the vendors are simulated. */
  readonly isSandbox: boolean
  readonly createVoucher: (booking: Booking) => Promise<Attachment>
  /** Link that opens the booking without an account; undefined once it would have expired. */
  readonly linkTo: (booking: Booking) => Promise<string | undefined>
}

/** Deterministic: the same content gives the same mail. */
export async function writeMail(original: MailContent, { domain, isSandbox, ...deps }: WriteMailDeps): Promise<Mail> {
  const content = tidyContent(original)
  const { kind, booking, event } = content
  const language = toLanguage(booking.market.language)
  const words = WORDS[language]
  const isSimulated = booking.simulated || isSandbox
  const page = { ...buildPage(content, words, isSimulated), link: await buildLink(original.booking, words, deps) }
  const { sequence, at } = event
  const isCancelled = kind === 'cancelled'
  const calendar =
    isCancelled || isForConfirmedStay(kind) ? buildCalendar(booking, { isCancelled, sequence, at, domain }) : undefined
  const voucher = isForConfirmedStay(kind)
    ? await deps.createVoucher({ ...original.booking, simulated: isSimulated })
    : undefined
  const ics = calendar && {
    filename: 'booking.ics',
    contentType: `text/calendar; charset=utf-8; method=${calendar.method}`,
    content: calendar.text,
  }
  return {
    messageId: `<${buildMailId(booking.bookingId, event)}@${domain}>`,
    at: event.at,
    to: booking.persons.contact.email,
    language,
    subject: page.subject,
    text: toText(page),
    html: toHtml(page, language, isSimulated ? undefined : buildReservation(content)),
    attachments: [ics, voucher].filter((file) => file !== undefined),
  }
}

type Page = {
  readonly subject: string
  readonly lead: readonly string[]
  readonly rows: readonly Row[]
  readonly notices: readonly Pick<Notice, 'title' | 'text' | 'url'>[]
  readonly footer: string
}
type Link = { readonly label: string; readonly url: string; readonly warning: string }
type LinkedPage = Page & { readonly link: Link | undefined }

async function buildLink(booking: Booking, { manage, linkWarning }: Words, { linkTo }: Pick<WriteMailDeps, 'linkTo'>) {
  const url = await linkTo(booking)
  return url === undefined ? undefined : { label: manage, url, warning: linkWarning }
}

function buildPage(content: MailContent, words: Words, isSimulated: boolean): Page {
  const { kind, booking } = content
  const { checkIn, checkOut } = booking.stay
  const { subject, lead } = words.openings[kind]
  const dates = `${formatDay(checkIn, words, 'medium')} – ${formatDay(checkOut, words, 'medium')}`
  const line = toSingleLine(subject(toSingleLine(booking.property.name, HOTEL_MAX), dates))
  const notices = isForConfirmedStay(kind) ? (booking.notices ?? []) : []
  return {
    subject: isSimulated ? `[${words.simulated.mark}] ${line}` : line,
    lead: [...(isSimulated ? [words.simulated.text] : []), lead, ...attentionLines(content, words)].map(removeHidden),
    rows: describeBooking(content, words).map(({ label, value }) => ({ label, value: removeHidden(value) })),
    notices: notices.map(({ title, text, url }) => ({
      title: translateNoticeTitle(removeHidden(title), words.language),
      text: removeHidden(text),
      ...(url !== undefined && { url }),
    })),
    footer: words.footer,
  }
}

function attentionLines({ kind, booking, event }: MailContent, { attention, differs }: Words): string[] {
  if (kind === 'changed') return [differs.next]
  if (kind !== 'needs_attention') return []
  const isPartly = booking.rooms?.includes('cancelled') === true
  if (event.from === 'cancelling') return [isPartly ? attention.partly : attention.cancelling, attention.next]
  return [event.from === 'confirmed' ? attention.changed : attention.booking, attention.next]
}

const HOTEL_MAX = 100

const toText = ({ lead, link, rows, notices, footer }: LinkedPage): string =>
  [
    lead.join('\n\n'),
    ...(link === undefined ? [] : [`${link.label}:\n${link.url}\n${link.warning}`]),
    rows.map(({ label, value }) => `${label}: ${value.split('\n').join('\n  ')}`).join('\n'),
    ...notices.map(({ title, text, url }) => [title, text, ...(url === undefined ? [] : [url])].join('\n')),
    `-- \n${footer}`,
  ].join('\n\n')

const STYLE = {
  body: 'font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#1c1b19;margin:0;padding:24px;max-width:640px',
  label: 'text-align:left;vertical-align:top;padding:4px 16px 4px 0;font-weight:600;white-space:nowrap',
  value: 'padding:4px 0;vertical-align:top',
}

function toHtml(page: LinkedPage, language: string, reservation: unknown): string {
  const { subject, lead, link, rows, notices, footer } = page
  const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title>`,
    ...(reservation === undefined
      ? []
      : [`<script type="application/ld+json">${escapeScript(JSON.stringify(reservation))}</script>`]),
    `</head><body style="${STYLE.body}">`,
    ...lead.map((text) => `<p>${lines(text)}</p>`),
    ...(link === undefined
      ? []
      : [
          `<p><a href="${escapeHtml(link.url)}" style="font-weight:600">${escapeHtml(link.label)}</a><br>`,
          `<small style="color:#6b675f">${escapeHtml(link.warning)}</small></p>`,
        ]),
    '<table role="presentation" style="border-collapse:collapse">',
    ...rows.map(
      ({ label, value }) =>
        `<tr><th scope="row" style="${STYLE.label}">${escapeHtml(label)}</th><td style="${STYLE.value}">${lines(value)}</td></tr>`,
    ),
    '</table>',
    ...notices.map(
      ({ title, text, url }) =>
        `<h2 style="font-size:16px">${escapeHtml(title)}</h2><p>${lines(text)}</p>${url === undefined ? '' : anchor(url)}`,
    ),
    `<p style="color:#6b675f">${escapeHtml(footer)}</p></body></html>`,
  ].join('\n')
}

const anchor = (url: string): string =>
  /^https?:\/\//i.test(url) ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : ''

/** Escapes characters that could end the script element. */
const escapeScript = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
