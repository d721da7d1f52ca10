import type { Booking } from '../domain/booking/booking.ts'
import { cancelPolicyOf, inZone, penaltyAt, refundOf } from '../domain/booking/cancel-policy.ts'
import { discrepancyOf, isStanding, type MailContent } from '../domain/mail.ts'
import { digitsOf } from '../domain/money/currency.ts'
import { type Money, toMajor } from '../domain/money/money.ts'
import { isClockTime } from '../lib/time/zoned-time.ts'
import type { Words } from './words.ts'

export type Row = { readonly label: string; readonly value: string }

/** What a mail tells of its booking, line by line; `value` may have several lines. */
export function rowsOf(content: MailContent, words: Words): Row[] {
  const { kind, booking, event } = content
  const { labels } = words
  const { property, stay, room, confirmation, vendorReference } = booking
  // A number of a booking that is not certain would look like a confirmation.
  const numbers = isStanding(kind) || kind === 'cancelled'
  const rows: [string, string | undefined][] = [
    [labels.difference, kind === 'changed' ? differenceWords(content, words) : undefined],
    [labels.reference, booking.reference],
    [labels.vendorNumber, numbers ? (confirmation?.vendor ?? vendorReference) : undefined],
    [labels.hotelNumber, numbers ? confirmation?.property : undefined],
    [labels.hotel, property.name],
    [labels.address, property.address],
    [labels.phone, property.phone],
    [labels.checkIn, dayAnd(stay.checkIn, property.checkInTime, words.from, words)],
    [labels.checkOut, dayAnd(stay.checkOut, property.checkOutTime, words.until, words)],
    [labels.room, [stay.occupancies.length > 1 ? `${stay.occupancies.length} ×` : '', room.name].join(' ').trim()],
    [labels.rooms, kind === 'cancelled' ? undefined : roomLines(booking, words)],
    [labels.board, words.boards[room.board]],
    [labels.guests, guestLines(booking, words)],
    [labels.requests, booking.persons.specialRequests],
    [labels.total, kind === 'not_booked' ? undefined : totalOf(booking, words)],
    [labels.cancellation, isStanding(kind) ? cancelLines(booking, event.at, words) : undefined],
    [labels.refund, kind === 'cancelled' ? refundWords({ booking, event }, words) : undefined],
  ]
  return rows.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [{ label, value }]))
}

/** With all decimals of the currency: by itself, Intl rounds forints, rupiahs and others to whole ones. */
function money(amount: Money, { locale }: Words): string {
  const { currency } = amount
  const digits = digitsOf(currency) ?? 2
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code', ...options })
    .format(toMajor(amount))
    .replaceAll('\u00a0', ' ')
}

export const day = (date: string, { locale }: Words, style: 'full' | 'medium' = 'full'): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`))

function dayAnd(date: string, time: string, said: (time: string) => string, words: Words): string {
  return isClockTime(time) ? `${day(date, words)}, ${said(time)}` : day(date, words)
}

const guestLines = ({ persons, stay }: Booking, words: Words): string =>
  stay.occupancies
    .map(({ adults, childrenAges }, room) => {
      const guest = persons.guests[room]
      const name = guest === undefined ? '' : `${guest.givenName} ${guest.familyName}: `
      return `${name}${words.party(adults, childrenAges)}`
    })
    .join('\n')

/** Only where the rooms do not all stand alike. */
const roomLines = ({ rooms = [] }: Booking, { roomStates }: Words): string =>
  rooms.includes('cancelled') ? rooms.map((state, place) => roomStates[state](place + 1)).join('\n') : ''

function differenceWords(content: MailContent, words: Words): string | undefined {
  const { differs, boards } = words
  const found = discrepancyOf(content)
  if (found?.code === 'guests_differ') return differs.guests(found.vendorSays.rooms.join(', '))
  if (found?.code !== 'terms_differ') return undefined
  const { booked, vendorSays: said } = found
  if (booked.what === 'board')
    return said.what === 'board' ? differs.board(boards[booked.board], boards[said.board]) : ''
  if (said.what === 'board') return undefined
  const from = new Date(said.from).toISOString()
  const moment = momentAt(from, content.booking.property.timezone, words)
  return differs.fee(moment, money(booked.fee, words), money(said.fee, words))
}

function totalOf({ price }: Booking, words: Words): string {
  const total = money(price.total, words)
  return price.dueAtProperty.minor === 0 ? total : `${total}, ${words.dueAtProperty(money(price.dueAtProperty, words))}`
}

/** Every step that the terms have, in the property's time; what the vendor did not say is never called free. */
function cancelLines({ cancel, price, property, stay }: Booking, now: number, words: Words): string {
  const { cancel: say } = words
  if (cancel === undefined) return say.unknown
  const frame = { ...price, checkIn: stay.checkIn, checkInTime: property.checkInTime, timezone: property.timezone, now }
  if (cancelPolicyOf(cancel, frame).cancelation === 'none') return say.none
  if (cancel.penalties.length === 0) return say.free
  const moment = (iso: string) => momentAt(iso, property.timezone, words)
  const steps = [...cancel.penalties].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
  const [first] = steps
  const isFree = first !== undefined && Date.parse(first.from) > now && penaltyAt(cancel, price.total, now).minor === 0
  const fees = steps.map((step) => say.feeFrom(moment(step.from), money(step.amount, words)))
  return [...(isFree ? [say.freeUntil(moment(first.from))] : []), ...fees].join('\n')
}

/** `26 February 2027, 23:59` by the clocks of the property. */
function momentAt(iso: string, timezone: string, words: Words): string {
  const [date = '', time = ''] = inZone(iso, timezone).split('T')
  return /^\d{4}-\d\d-\d\d$/.test(date) ? `${day(date, words)}, ${time.slice(0, 5)}` : iso
}

/** The same figure as the API's. A fee that was noted for a cancellation of ours says nothing of one by the vendor. */
function refundWords({ booking, event }: Pick<MailContent, 'booking' | 'event'>, words: Words): string {
  const { cancelFee, price } = booking
  if (cancelFee === undefined || event.from === 'confirmed') return words.refundLater
  return words.refund(money(refundOf(price, cancelFee), words), money(cancelFee, words))
}
