import { sql } from 'kysely'
import type { By } from '../../domain/actor.ts'
import type { Booking, Confirmation } from '../../domain/booking/booking.ts'
import { addNumbers, sameNumbers } from '../../domain/booking/confirmation.ts'
import type { Tx } from '../../store/database.ts'
import { type BookingParts, readToMove, record } from './moves.ts'

export const bookingNumbers = (parts: BookingParts) => ({
  /**
   * Numbers of a confirmed booking that a later reading found, and the event that tells of them. Undefined when there is
   * nothing new, or the booking is no longer one to tell it of.
   */
  noteNumbers: (bookingId: string, told: Confirmation, at: number, by: By): Promise<Booking | undefined> =>
    parts.database.write((tx) => noteNumbers(parts, tx, { bookingId, told, at, by })),
})

type Noted = { readonly bookingId: string; readonly told: Confirmation; readonly at: number; readonly by: By }

async function noteNumbers(parts: BookingParts, tx: Tx, { bookingId, told, at, by }: Noted) {
  const before = await readToMove(parts, tx, { bookingId, from: 'confirmed' })
  if (before === undefined) return undefined
  const confirmation = addNumbers(before.confirmation, told)
  if (sameNumbers(before.confirmation, confirmation)) return undefined
  const row = await tx
    .updateTable('bookings')
    .set({ events: sql<number>`events + 1`, confirmation: JSON.stringify(confirmation), updated_at: at })
    .where('booking_id', '=', bookingId)
    .returning('events')
    .executeTakeFirstOrThrow()
  const booking: Booking = { ...before, confirmation, updatedAt: at }
  const { state } = booking
  const event = { sequence: row.events, kind: 'confirmation_number', from: state, to: state, at } as const
  await record(parts, tx, booking, { ...event, reason: undefined, by })
  return booking
}
