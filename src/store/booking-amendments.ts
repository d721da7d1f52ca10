import type { By } from '../domain/actor.ts'
import type { Booking, BookingPersons } from '../domain/booking.ts'
import { type BookingParts, record } from './booking-moves.ts'
import { fromRow, sealPersons } from './booking-rows.ts'
import type { Tx } from './database.ts'

type Facts = { readonly at: number; readonly by: By }

export const bookingAmendments = (parts: BookingParts) => ({
  /** Other guests and wishes for a confirmed booking, with the event. Undefined when it is not confirmed any more. */
  amend: (bookingId: string, persons: BookingPersons, facts: Facts): Promise<Booking | undefined> =>
    parts.database.write((tx) => amend(parts, tx, bookingId, persons, facts)),
})

async function amend(parts: BookingParts, tx: Tx, bookingId: string, persons: BookingPersons, { at, by }: Facts) {
  const [row] = await tx
    .updateTable('bookings')
    .set((eb) => ({ persons: sealPersons(persons, parts.keyring), updated_at: at, events: eb('events', '+', 1) }))
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'confirmed')
    .returningAll()
    .execute()
  if (row === undefined) return undefined
  const booking = fromRow(row, parts.keyring)
  const step = { sequence: row.events, kind: 'amended', from: 'confirmed', to: 'confirmed' } as const
  await record(parts, tx, booking, { ...step, at, reason: undefined, by })
  return booking
}
