import { soldBooking } from '../../domain/booking/apply-sale.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { describeDifference } from '../../domain/booking/describe-discrepancy.ts'
import { type Discrepancy, type DiscrepancyCode, isOpenDiscrepancy } from '../../domain/booking/discrepancy.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { AttentionBookingStore } from '../store/bookings.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'
import { findEnough } from './find-enough.ts'

/** Most uncertain outcomes are settled within seconds. */
const DOUBT_MS = 60_000

/** Bookings that need a review, have an unknown outcome, or differ from the vendor's record. */
export const bookingSources = (bookings: AttentionBookingStore): AttentionSource[] => [
  async (_now, limit) => {
    const found = await bookings.inReview(limit)
    const moves = await bookings.lastMoves(found.map(({ bookingId }) => bookingId))
    return found.map((booking) => reviewEntry(booking, moves.get(booking.bookingId)))
  },
  async (now, limit) => {
    const found = await bookings.inDoubt(now - DOUBT_MS, limit)
    return found.map(doubtEntry)
  },
  async (now, limit) => {
    const yesterday = addDays(dateIn('UTC', now), -1)
    return findEnough(
      limit,
      (wanted) => bookings.disputed(yesterday, wanted),
      async (found) =>
        found.flatMap((booking) => openDiscrepancies(booking).map((open) => discrepancyEntry(booking, open))),
    )
  },
]

export const discrepancyEntryId = (bookingId: string, code: DiscrepancyCode) => `discrepancy.${bookingId}.${code}`

/** Uses selling prices: not every operator may see net prices. */
const openDiscrepancies = (booking: Booking): readonly Discrepancy[] =>
  (soldBooking(booking).discrepancies ?? []).filter(isOpenDiscrepancy)

const about = ({ bookingId, vendorId, accountId }: Booking) => ({ bookingId, vendorId, accountId })
const describeStay = ({ property, stay }: Booking) => `${property.name}, ${stay.checkIn} to ${stay.checkOut}`
const describeReferences = ({ reference, vendorReference }: Booking) =>
  `our reference ${reference}${vendorReference === undefined ? '' : `, the vendor’s ${vendorReference}`}`

const REVIEW_REASONS: Readonly<Record<string, string>> = {
  no_answer: 'The vendor has not reported the status of the booking for half an hour.',
  not_found: 'The vendor does not know the booking.',
  property_differs: 'The vendor has the booking at another property.',
  dates_differ: 'The vendor has the booking for other dates.',
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

function reviewEntry(booking: Booking, move: { at: number; reason: string | undefined } | undefined): AttentionEntry {
  const reason = move?.reason ?? ''
  const differences = openDiscrepancies(booking).map(
    (open) => `${DIFFERENCES[open.code]}: ${describeDifference(open)}.`,
  )
  return {
    id: `needs_review.${booking.bookingId}`,
    kind: 'needs_review',
    since: move?.at ?? booking.updatedAt,
    title: `Needs review: ${describeStay(booking)}`,
    whatHappened: [
      REVIEW_REASONS[reason] ?? `The outcome is unclear (${reason || 'no reason is known'}).`,
      ...differences,
    ].join(' '),
    whatToDo: `Ask ${booking.vendorId} (${describeReferences(booking)}), then record the outcome. If the vendor has corrected it, reading the booking again is enough.`,
    action: 'resolve',
    ...about(booking),
  }
}

const DOUBTS: Readonly<Record<string, string>> = {
  in_doubt: 'The vendor’s answer was lost: it may or may not hold the booking.',
  submitting: 'The process that sent the booking stopped before the vendor answered.',
  cancelling: 'A cancellation was sent, and the vendor has not confirmed it.',
}

function doubtEntry({ booking, looks }: { readonly booking: Booking; readonly looks: number }): AttentionEntry {
  return {
    id: `in_doubt.${booking.bookingId}`,
    kind: 'in_doubt',
    since: booking.state === 'cancelling' ? booking.updatedAt : (booking.submittedAt ?? booking.createdAt),
    worsenedAt: booking.updatedAt,
    title: `Outcome unknown: ${describeStay(booking)}`,
    whatHappened: `${DOUBTS[booking.state] ?? ''} The vendor was asked ${formatTimes(looks)} since then.`,
    whatToDo: `The service keeps asking ${booking.vendorId} (${describeReferences(booking)}). Ask now to know earlier. Do not book again before the outcome is known.`,
    action: 'read',
    ...about(booking),
  }
}

const formatTimes = (count: number) => (count === 1 ? 'once' : `${count} times`)

function discrepancyEntry(booking: Booking, found: Discrepancy): AttentionEntry {
  const isCancelled = found.code === 'cancelled_by_vendor'
  return {
    id: discrepancyEntryId(booking.bookingId, found.code),
    kind: 'discrepancy',
    since: found.since,
    title: `${isCancelled ? 'Cancelled by the vendor' : 'The vendor’s record differs'}: ${describeStay(booking)}`,
    whatHappened: isCancelled
      ? `${booking.vendorId} has cancelled a booking that was confirmed (${describeReferences(booking)}). The guest was notified if there is an e-mail address.`
      : `${DIFFERENCES[found.code]}: ${describeDifference(found)} (${describeReferences(booking)}).`,
    whatToDo: isCancelled
      ? 'Find the guest another room, agree with the vendor who pays for it, and mark this as settled.'
      : 'Clarify it with the vendor. Once the vendor has corrected it, read the booking again; otherwise mark this as settled.',
    action: 'mark_done',
    ...about(booking),
  }
}
