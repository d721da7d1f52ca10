import type { Booking, BookingEvent } from '../domain/booking/booking.ts'
import { describeDiscrepancy } from '../domain/booking/describe-discrepancy.ts'
import type { SaleTerms } from '../domain/booking/sale.ts'
import { billedFee, soldBooking } from '../domain/booking/sold.ts'
import { type Money, toDecimal } from '../domain/money/money.ts'
import { nightsOf } from '../domain/stay.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'
import { plain } from './command.ts'

const HEADINGS = ['BOOKING', 'STATUS', 'VENDOR', 'REFERENCE', 'CHECK-IN', 'CHECK-OUT', 'TOTAL', 'AGE', 'PROPERTY']

/** One line of the list. It names no guest, because lists are pasted into tickets. */
export function listLine(booking: Booking, now: number): string[] {
  const { total } = soldBooking(booking).price
  return [
    booking.bookingId,
    booking.simulated ? `${booking.state} (simulated)` : booking.state,
    booking.vendorId,
    booking.vendorReference ?? '–',
    booking.stay.checkIn,
    booking.stay.checkOut,
    `${toDecimal(total)} ${total.currency}`,
    ageOf(now - booking.createdAt),
    booking.property.name,
  ].map(plain)
}

export function alignedTable(rows: readonly (readonly string[])[]): string[] {
  const all = [HEADINGS, ...rows]
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}

export function describeBooking(booking: Booking, events: readonly BookingEvent[], showPersons: boolean): string[] {
  const { property, room, stay, sale, payable } = booking
  const sold = soldBooking(booking)
  const words = (money: Money) => `${toDecimal(money)} ${money.currency}`
  const facts: [string, string | undefined][] = [
    ['status', booking.simulated ? `${booking.state} (simulated)` : booking.state],
    ['account', booking.accountId],
    ['vendor', booking.vendorId],
    ['vendor reference', booking.vendorReference ?? '–'],
    ['property’s number', booking.confirmation?.property],
    ['our reference', booking.reference],
    ['client reference', booking.clientReference],
    ['property', `${property.name} (${property.propertyId}; ${booking.vendorId} ${property.vendorPropertyId})`],
    ['room', room.name],
    [
      'stay',
      `${stay.checkIn} to ${stay.checkOut}, ${counted(nightsOf(stay), 'night')}, ${counted(stay.occupancies.length, 'room')}`,
    ],
    ['total', words(sold.price.total)],
    ['net', sale && `${words(payable ?? booking.price.total)} (${soldBy(sale.terms)})`],
    ['cancellation fee', sold.cancelFee && words(sold.cancelFee)],
    ['vendor’s fee', sale && booking.cancelFee && words(billedFee(booking, booking.cancelFee))],
    ['rooms', booking.rooms?.map((state, place) => `${place + 1} ${state}`).join(', ')],
    ...(booking.discrepancies ?? []).map((one): [string, string] => ['discrepancy', describeDiscrepancy(one)]),
    ...personFacts(booking, showPersons),
    ['created', new Date(booking.createdAt).toISOString()],
    ['sent to vendor', booking.submittedAt === undefined ? 'never' : new Date(booking.submittedAt).toISOString()],
  ]
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '')
  return [
    booking.bookingId,
    ...known.map(([name, value]) => `  ${name.padEnd(18)}${plain(value)}`),
    '  history',
    ...events.map(eventLine),
  ]
}

const soldBy = ({ version, priority }: SaleTerms) =>
  priority === undefined ? 'no rule' : `rule ${priority} of version ${version}`

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function personFacts({ persons }: Booking, show: boolean): [string, string | undefined][] {
  const reach = (email: string, phone: string) =>
    [show ? email : maskEmail(email), show ? phone : maskPhone(phone)].filter((part) => part !== '').join(', ')
  return [
    ...persons.guests.map((guest): [string, string] => {
      const contact = reach(guest.email, guest.phone)
      return ['guest', `${guest.givenName} ${guest.familyName}${contact === '' ? '' : ` (${contact})`}`]
    }),
    ['contact', reach(persons.contact.email, persons.contact.phone)],
    ['special requests', persons.specialRequests && (show ? persons.specialRequests : '(--persons shows them)')],
  ]
}

const maskEmail = (email: string) => (email === '' ? '' : `${email.slice(0, 1)}…@${email.split('@').at(-1)}`)
const maskPhone = (phone: string) => (phone === '' ? '' : `…${phone.slice(-2)}`)

function eventLine({ sequence, kind, from, to, at, reason, by }: BookingEvent): string {
  const step = kind ?? (from === undefined ? to : `${from} → ${to}`)
  const why = reason === undefined ? '' : `  ${plain(reason)}`
  const who = by === undefined ? '' : `  by ${by.actor.kind} ${plain(by.actor.id)}`
  return `    ${String(sequence).padStart(2)}  ${new Date(at).toISOString()}  ${step}${why}${who}`
}
