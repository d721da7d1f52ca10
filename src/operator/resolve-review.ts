import type { StoredAnswer } from '../booking/store/answers.ts'
import type { BookingStore } from '../booking/store/bookings.ts'
import type { By } from '../domain/actor.ts'
import { type Booking, type BookingState, ROOM_STATES, type RoomState, TRANSITIONS } from '../domain/booking/booking.ts'
import { isOpenDiscrepancy } from '../domain/booking/discrepancy.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Attention } from './attention/attention.ts'
import { discrepancyEntryId } from './attention/booking-attention.ts'

/** Possible outcomes of a review. */
export const RESOLUTIONS = TRANSITIONS.needs_review
type Resolution = (typeof RESOLUTIONS)[number]

export type ResolveOrder = {
  readonly to: Resolution
  readonly by: By
  readonly reason: string
  /** Empty if the vendor reported none or it is already known. */
  readonly vendorReference: string
  /** Status of each room, if they differ. */
  readonly rooms: readonly string[] | undefined
}

export type ResolveRefusal = 'not_in_review' | 'reference_missing' | 'rooms_wrong' | 'overtaken'

type Deps = {
  readonly bookings: Pick<BookingStore, 'move'>
  readonly attention: Pick<Attention, 'settle'>
  readonly clock: Clock
  /** Response to a repeated request, if none was stored yet. */
  present(booking: Booking, reason?: string): StoredAnswer
}

const REASON_MAX = 200

/** Ends a review as the operator decided, and marks the discrepancies as settled. The customer sees the reason. */
export async function resolveReview(
  { bookings, attention, clock, present }: Deps,
  booking: Booking,
  { to, by, reason, vendorReference, rooms }: ResolveOrder,
): Promise<Booking | ResolveRefusal> {
  if (booking.state !== 'needs_review') return 'not_in_review'
  if (to === 'confirmed' && vendorReference === '' && booking.vendorReference === undefined) return 'reference_missing'
  const text = reason.slice(0, REASON_MAX) || 'resolved manually'
  const states = rooms && parseRoomStates(rooms, booking, to)
  if (states === 'wrong') return 'rooms_wrong'
  const moved = await bookings.move(booking.bookingId, 'needs_review', to, {
    at: clock.now(),
    by,
    reason: `operator: ${text}`,
    dueAt: null,
    presentAnswer: present,
    ...(vendorReference === '' ? {} : { vendorReference }),
    ...(states === undefined ? {} : { rooms: states }),
  })
  if (moved === undefined) return 'overtaken'
  for (const { code } of (booking.discrepancies ?? []).filter(isOpenDiscrepancy))
    await attention.settle(discrepancyEntryId(booking.bookingId, code), by.actor, text)
  return moved.booking
}

/** A booking is confirmed if any room is, and cancelled if all rooms are. */
function parseRoomStates(names: readonly string[], { stay }: Booking, to: BookingState): RoomState[] | 'wrong' {
  const rooms = names.flatMap((name) => ROOM_STATES.find((known) => known === name.trim()) ?? [])
  const isWhole = rooms.length === stay.occupancies.length && names.length === rooms.length
  const state = rooms.includes('confirmed') ? 'confirmed' : 'cancelled'
  return isWhole && state === to ? rooms : 'wrong'
}
