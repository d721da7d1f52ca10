import type { Booking } from '../../domain/booking/booking.ts'
import { differenceOf } from '../../domain/booking/describe-discrepancy.ts'
import { type Discrepancy, type DiscrepancyCode, isOpen } from '../../domain/booking/discrepancy.ts'
import { soldBooking } from '../../domain/booking/sold.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { AttentionBookingStore } from '../store/bookings.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'
import { findEnough } from './find-enough.ts'

/** Most doubts end within seconds. */
const DOUBT_MS = 60_000

/** Bookings that need a person, have an unknown outcome, or of which the vendor says something else. */
export const bookingSources = (bookings: AttentionBookingStore): AttentionSource[] => [
  async (_now, most) => {
    const found = await bookings.inReview(most)
    const moves = await bookings.lastMoves(found.map(({ bookingId }) => bookingId))
    return found.map((booking) => reviewOf(booking, moves.get(booking.bookingId)))
  },
  async (now, most) => {
    const found = await bookings.inDoubt(now - DOUBT_MS, most)
    return found.map(doubtOf)
  },
  async (now, most) => {
    const yesterday = addDays(dateIn('UTC', now), -1)
    return findEnough(
      most,
      (wanted) => bookings.disputed(yesterday, wanted),
      async (found) => found.flatMap((booking) => openOf(booking).map((one) => discrepancyOf(booking, one))),
    )
  },
]

/** Of one discrepancy of a booking. */
export const discrepancyEntryId = (bookingId: string, code: DiscrepancyCode) => `discrepancy.${bookingId}.${code}`

/** In the amounts that the client pays: not every operator may see net prices. */
const openOf = (booking: Booking): readonly Discrepancy[] => (soldBooking(booking).discrepancies ?? []).filter(isOpen)

const about = ({ bookingId, vendorId, accountId }: Booking) => ({ bookingId, vendorId, accountId })
const stayOf = ({ property, stay }: Booking) => `${property.name}, ${stay.checkIn} to ${stay.checkOut}`
const referencesOf = ({ reference, vendorReference }: Booking) =>
  `our reference ${reference}${vendorReference === undefined ? '' : `, the vendor’s ${vendorReference}`}`

const REVIEW_REASONS: Readonly<Record<string, string>> = {
  no_answer: 'The vendor has not told for half an hour how the booking stands.',
  not_found: 'The vendor does not know the booking.',
  property_differs: 'The vendor has it at another property.',
  dates_differ: 'The vendor has it for other dates.',
  rooms_differ: 'The vendor has fewer rooms than were booked.',
  room_cancelled: 'The vendor has cancelled some of the rooms.',
}

const DIFFERENCES: Readonly<Record<DiscrepancyCode, string>> = {
  property_differs: 'Property',
  dates_differ: 'Dates',
  price_differs: 'Price',
  rooms_differ: 'Rooms',
  guests_differ: 'Guests',
  room_cancelled: 'Rooms',
  cancelled_by_vendor: 'State',
  not_found: 'State',
  terms_differ: 'Terms',
}

function reviewOf(booking: Booking, move: { at: number; reason: string | undefined } | undefined): AttentionEntry {
  const reason = move?.reason ?? ''
  const said = openOf(booking).map((one) => `${DIFFERENCES[one.code]}: ${differenceOf(one)}.`)
  return {
    id: `needs_review.${booking.bookingId}`,
    kind: 'needs_review',
    since: move?.at ?? booking.updatedAt,
    title: `Needs review: ${stayOf(booking)}`,
    whatHappened: [
      REVIEW_REASONS[reason] ?? `The outcome is not clear (${reason || 'no reason is known'}).`,
      ...said,
    ].join(' '),
    whatToDo: `Ask ${booking.vendorId} (${referencesOf(booking)}), then record how the booking ends. If the vendor has put it right, reading the booking again is enough.`,
    action: 'resolve',
    ...about(booking),
  }
}

const DOUBTS: Readonly<Record<string, string>> = {
  in_doubt: 'The vendor’s answer to the booking was lost: it may hold the booking or not.',
  submitting: 'The booking was being sent, and the process that did so has not come back.',
  cancelling: 'A cancellation was sent, and the vendor has not told whether it holds.',
}

function doubtOf({ booking, looks }: { readonly booking: Booking; readonly looks: number }): AttentionEntry {
  return {
    id: `in_doubt.${booking.bookingId}`,
    kind: 'in_doubt',
    since: booking.state === 'cancelling' ? booking.updatedAt : (booking.submittedAt ?? booking.createdAt),
    asOf: booking.updatedAt,
    title: `Outcome unknown: ${stayOf(booking)}`,
    whatHappened: `${DOUBTS[booking.state] ?? ''} The vendor was asked ${timesOf(looks)} since.`,
    whatToDo: `The service keeps asking ${booking.vendorId} (${referencesOf(booking)}). Ask now to know earlier. Nobody should book again before the outcome is known.`,
    action: 'read',
    ...about(booking),
  }
}

const timesOf = (count: number) => (count === 1 ? 'once' : `${count} times`)

function discrepancyOf(booking: Booking, one: Discrepancy): AttentionEntry {
  const isCancelled = one.code === 'cancelled_by_vendor'
  return {
    id: discrepancyEntryId(booking.bookingId, one.code),
    kind: 'discrepancy',
    since: one.since,
    title: `${isCancelled ? 'Cancelled by the vendor' : 'The vendor differs'}: ${stayOf(booking)}`,
    whatHappened: isCancelled
      ? `${booking.vendorId} has cancelled a booking that was confirmed (${referencesOf(booking)}). The guest was told, where there is an e-mail address.`
      : `${DIFFERENCES[one.code]}: ${differenceOf(one)} (${referencesOf(booking)}).`,
    whatToDo: isCancelled
      ? 'Find the guest another room, clear up with the vendor who pays for it, and mark this as settled.'
      : 'Clear it up with the vendor. Once it says what was agreed, reading the booking again ends this; otherwise mark it as settled.',
    action: 'mark_done',
    ...about(booking),
  }
}
