import { sql } from 'kysely'
import type { By } from '../../domain/actor.ts'
import type { Booking, Confirmation } from '../../domain/booking/booking.ts'
import { isSameConfirmation, mergeConfirmations } from '../../domain/booking/confirmation.ts'
import type { Tx } from '../../store/database.ts'
import { type BookingParts, lockBooking, recordEvents } from './moves.ts'

export const bookingNumbers = (parts: BookingParts) => ({
  /** Adds numbers to a confirmed booking, with the event. Undefined if nothing is new or it is not confirmed. */
  noteNumbers: (bookingId: string, found: Confirmation, at: number, by: By): Promise<Booking | undefined> =>
    parts.database.write((tx) => noteNumbers(parts, tx, { bookingId, found, at, by })),
})

type NumbersFound = { readonly bookingId: string; readonly found: Confirmation; readonly at: number; readonly by: By }

async function noteNumbers(parts: BookingParts, tx: Tx, { bookingId, found, at, by }: NumbersFound) {
  const before = await lockBooking(parts, tx, { bookingId, from: 'confirmed' })
  if (before === undefined) return undefined
  const confirmation = mergeConfirmations(before.confirmation, found)
  if (isSameConfirmation(before.confirmation, confirmation)) return undefined
  const row = await tx
    .updateTable('bookings')
    .set({ events: sql<number>`events + 1`, confirmation: JSON.stringify(confirmation), updated_at: at })
    .where('booking_id', '=', bookingId)
    .returning('events')
    .executeTakeFirstOrThrow()
  const booking: Booking = { ...before, confirmation, updatedAt: at }
  const { state } = booking
  const event = { sequence: row.events, kind: 'confirmation_number', from: state, to: state, at } as const
  await recordEvents(parts, tx, booking, { ...event, reason: undefined, by })
  return booking
}
