import type { Booking } from '../domain/booking/booking.ts'
import { calculateRefund, currentCancelPolicy, formatInZone, penaltyAt } from '../domain/booking/cancel-policy.ts'
import { findReportedDiscrepancy, isForConfirmedStay, type MailContent } from '../domain/mail.ts'
import { minorDigits } from '../domain/money/currency.ts'
import { type Money, toMajor } from '../domain/money/money.ts'
import { nameCardBrand } from '../domain/payment/name-card-brand.ts'
import { hasMandatoryFees, MANDATORY_FEES } from '../domain/property/notices.ts'
import { writeOutCountry } from '../lib/text/write-out-country.ts'
import { isClockTime } from '../lib/time/zoned-time.ts'
import type { Words } from './mail-texts.ts'
import { translateNoticeTitle } from './notice-titles.ts'

export type Row = { readonly label: string; readonly value: string }

/** Details of the booking; `value` may have several lines. */
export function describeBooking(content: MailContent, words: Words): Row[] {
  const { kind, booking, event } = content
  const { labels } = words
  const { property, stay, room, confirmation, vendorReference } = booking
  // The number of an uncertain booking would look like a confirmation.
  const hasNumbers = isForConfirmedStay(kind) || kind === 'cancelled'
  const rows: [string, string | undefined][] = [
    [labels.difference, kind === 'changed' ? describeDifference(content, words) : undefined],
    [labels.reference, booking.reference],
    [labels.vendorNumber, hasNumbers ? (confirmation?.vendor ?? vendorReference) : undefined],
    [labels.hotelNumber, hasNumbers ? confirmation?.property : undefined],
    [labels.hotel, property.name],
    [labels.address, writeOutCountry(property.address, words.locale)],
    [labels.phone, property.phone],
    [labels.checkIn, formatDayAndTime(stay.checkIn, property.checkInTime, words.from, words)],
    [labels.checkOut, formatDayAndTime(stay.checkOut, property.checkOutTime, words.until, words)],
    [labels.room, [stay.occupancies.length > 1 ? `${stay.occupancies.length} ×` : '', room.name].join(' ').trim()],
    [labels.rooms, kind === 'cancelled' ? undefined : roomLines(booking, words)],
    [labels.board, words.boards[room.board]],
    [labels.guests, guestLines(booking, words)],
    [labels.requests, booking.persons.specialRequests],
    [labels.total, kind === 'not_booked' ? undefined : formatTotal(content, words)],
    [labels.card, isForConfirmedStay(kind) ? describeCard(booking, words) : undefined],
    [labels.cancellation, isForConfirmedStay(kind) ? cancelLines(booking, event.at, words) : undefined],
    [labels.refund, kind === 'cancelled' ? describeRefund({ booking, event }, words) : undefined],
    [labels.refunded, kind === 'refunded' ? event.refunded && formatMoney(event.refunded, words) : undefined],
  ]
  return rows.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [{ label, value }]))
}

/** Charged with the confirmation. Undefined on account. */
function describeCard({ payment, persons: { card } }: Booking, words: Words): string | undefined {
  if (payment === undefined) return undefined
  const amount = formatMoney(payment.amount, words)
  return card === undefined ? amount : words.byCard(amount, nameCardBrand(card.brand), card.last4)
}

/** With all decimals of the currency; by default, Intl rounds some currencies to whole units. */
function formatMoney(amount: Money, { locale }: Words): string {
  const { currency } = amount
  const digits = minorDigits(currency) ?? 2
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code', ...options })
    .format(toMajor(amount))
    .replaceAll('\u00a0', ' ')
}

export const formatDay = (date: string, { locale }: Words, style: 'full' | 'medium' = 'full'): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`))

function formatDayAndTime(date: string, time: string, formatTime: (time: string) => string, words: Words): string {
  return isClockTime(time) ? `${formatDay(date, words)}, ${formatTime(time)}` : formatDay(date, words)
}

const guestLines = ({ persons, stay }: Booking, words: Words): string =>
  stay.occupancies
    .map(({ adults, childrenAges }, room) => {
      const guest = persons.guests[room]
      const name = guest === undefined ? '' : `${guest.givenName} ${guest.familyName}: `
      return `${name}${words.party(adults, childrenAges)}`
    })
    .join('\n')

/** Empty if no room is cancelled. */
const roomLines = ({ rooms = [] }: Booking, { roomStates }: Words): string =>
  rooms.includes('cancelled') ? rooms.map((state, index) => roomStates[state](index + 1)).join('\n') : ''

function describeDifference(content: MailContent, words: Words): string | undefined {
  const { differs, boards } = words
  const found = findReportedDiscrepancy(content)
  if (found?.code === 'guests_differ') return differs.guests(found.vendorSays.rooms.join(', '))
  if (found?.code !== 'terms_differ') return undefined
  const { booked, vendorSays: reported } = found
  if (booked.what === 'board')
    return reported.what === 'board' ? differs.board(boards[booked.board], boards[reported.board]) : ''
  if (reported.what === 'board') return undefined
  const from = new Date(reported.from).toISOString()
  const moment = momentAt(from, content.booking.property.timezone, words)
  return differs.fee(moment, formatMoney(booked.fee, words), formatMoney(reported.fee, words))
}

function formatTotal({ kind, booking: { price, notices } }: MailContent, words: Words): string {
  const isPartlyThere = price.dueAtProperty.minor > 0
  const parts = [
    formatMoney(price.total, words),
    ...(isPartlyThere ? [words.dueAtProperty(formatMoney(price.dueAtProperty, words))] : []),
  ]
  // The notices are part of the same mails.
  if (!isForConfirmedStay(kind) || !hasMandatoryFees(notices)) return parts.join(', ')
  const fees = isPartlyThere ? words.feesInTextMaybe : words.feesInText
  return `${parts.join(', ')}\n${fees(translateNoticeTitle(MANDATORY_FEES, words.language))}`
}

/** Every step of the terms in local time. Missing terms are never presented as free. */
function cancelLines({ cancel, price, property, stay }: Booking, now: number, words: Words): string {
  const { cancel: texts } = words
  if (cancel === undefined) return texts.unknown
  const frame = { ...price, checkIn: stay.checkIn, checkInTime: property.checkInTime, timezone: property.timezone, now }
  if (currentCancelPolicy(cancel, frame).cancelation === 'none') return texts.none
  if (cancel.penalties.length === 0) return texts.free
  const moment = (iso: string) => momentAt(iso, property.timezone, words)
  const steps = [...cancel.penalties].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
  const [first] = steps
  const isFree = first !== undefined && Date.parse(first.from) > now && penaltyAt(cancel, price.total, now).minor === 0
  const fees = steps.map(({ from, amount }) => {
    const refund = calculateRefund(price, amount)
    const back = refund.minor === 0 ? undefined : formatMoney(refund, words)
    return texts.feeFrom(moment(from), formatMoney(amount, words), back)
  })
  return [...(isFree ? [texts.freeUntil(moment(first.from))] : []), ...fees].join('\n')
}

/** Local time of the property: `26 February 2027, 23:59`. */
function momentAt(iso: string, timezone: string, words: Words): string {
  const [date = '', time = ''] = formatInZone(iso, timezone).split('T')
  return /^\d{4}-\d\d-\d\d$/.test(date) ? `${formatDay(date, words)}, ${time.slice(0, 5)}` : iso
}

/** Same amount as in the API. The fee of our own cancellation does not apply to one by the vendor. */
function describeRefund({ booking, event }: Pick<MailContent, 'booking' | 'event'>, words: Words): string {
  const { cancelFee, price } = booking
  const isByVendor = event.from === 'confirmed' || event.reason === 'cancelled_by_vendor'
  if (cancelFee === undefined || isByVendor) return words.refundLater
  return words.refund(formatMoney(calculateRefund(price, cancelFee), words), formatMoney(cancelFee, words))
}
