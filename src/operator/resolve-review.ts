import type { StoredAnswer } from '../booking/store/answers.ts'
import type { BookingStore } from '../booking/store/bookings.ts'
import type { By } from '../domain/actor.ts'
import { type Booking, type BookingState, ROOM_STATES, type RoomState, TRANSITIONS } from '../domain/booking/booking.ts'
import { isOpen } from '../domain/booking/discrepancy.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Attention } from './attention/attention.ts'
import { discrepancyEntryId } from './attention/booking-attention.ts'

/** How a review may end. */
export const RESOLUTIONS = TRANSITIONS.needs_review
type Resolution = (typeof RESOLUTIONS)[number]

export type ResolveOrder = {
  readonly to: Resolution
  readonly by: By
  readonly reason: string
  /** Empty where the vendor told none, or the one that is known already. */
  readonly vendorReference: string
  /** How each room ends, where they do not all end alike. */
  readonly rooms: readonly string[] | undefined
}

/** Why a review was not resolved. */
export type ResolveRefusal = 'not_in_review' | 'reference_missing' | 'rooms_wrong' | 'overtaken'

type Deps = {
  readonly bookings: Pick<BookingStore, 'move'>
  readonly attention: Pick<Attention, 'settle'>
  readonly clock: Clock
  /** The answer to a repeated request, if none was stored yet. */
  present(booking: Booking, reason?: string): StoredAnswer
}

const REASON_MAX = 200

/**
 * Ends a review as an operator decides; the customer sees the reason. What the vendor says otherwise is settled with it. Returns
 * the booking, or why nothing was changed.
 */
export async function resolveReview(
  { bookings, attention, clock, present }: Deps,
  booking: Booking,
  { to, by, reason, vendorReference, rooms }: ResolveOrder,
): Promise<Booking | ResolveRefusal> {
  if (booking.state !== 'needs_review') return 'not_in_review'
  if (to === 'confirmed' && vendorReference === '' && booking.vendorReference === undefined) return 'reference_missing'
  const words = reason.slice(0, REASON_MAX) || 'resolved manually'
  const states = rooms && roomStatesOf(rooms, booking, to)
  if (states === 'wrong') return 'rooms_wrong'
  const moved = await bookings.move(booking.bookingId, 'needs_review', to, {
    at: clock.now(),
    by,
    reason: `operator: ${words}`,
    dueAt: null,
    answerOf: present,
    ...(vendorReference === '' ? {} : { vendorReference }),
    ...(states === undefined ? {} : { rooms: states }),
  })
  if (moved === undefined) return 'overtaken'
  for (const { code } of (booking.discrepancies ?? []).filter(isOpen))
    await attention.settle(discrepancyEntryId(booking.bookingId, code), by.actor, words)
  return moved.booking
}

/** A booking is confirmed as long as one of its rooms is, and cancelled with the last. */
function roomStatesOf(words: readonly string[], { stay }: Booking, to: BookingState): RoomState[] | 'wrong' {
  const rooms = words.flatMap((word) => ROOM_STATES.find((state) => state === word.trim()) ?? [])
  const isWhole = rooms.length === stay.occupancies.length && words.length === rooms.length
  const standing = rooms.includes('confirmed') ? 'confirmed' : 'cancelled'
  return isWhole && standing === to ? rooms : 'wrong'
}
