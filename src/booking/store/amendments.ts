import { isDeepStrictEqual } from 'node:util'
import type { Booking, BookingPersons } from '../../domain/booking/booking.ts'
import type { PricedParts } from '../../domain/booking/reprice-booking.ts'
import type { Tx } from '../../store/database.ts'
import { endLease } from '../../store/tasks.ts'
import { type BookingParts, lockBooking, type MoveFacts, recordEvents } from './moves.ts'
import { bookingFromRow, pricedColumns, sealPersons } from './rows.ts'

type Facts = Pick<MoveFacts, 'at' | 'by' | 'precondition'>
type Change = {
  readonly before: BookingPersons
  readonly after: BookingPersons
  /** Prices, if the change altered them. */
  readonly priced?: PricedParts | undefined
}

export const bookingAmendments = (parts: BookingParts) => ({
  /** Replaces guests and requests, with the event. Undefined if not confirmed, or if `before` is out of date. */
  amend(bookingId: string, { before, after, priced }: Change, facts: Facts): Promise<Booking | undefined> {
    const change = { before, after: keepFormerEmails(before, after), priced }
    return parts.database.write((tx) => amend(parts, tx, bookingId, change, facts))
  },
})

/** Stored answers, readings, vendor calls and mails still name a replaced guest. */
function keepFormerEmails(before: BookingPersons, after: BookingPersons): BookingPersons {
  const present = ['', ...after.guests.map(({ email }) => email)]
  const earlier = new Set([...(before.formerEmails ?? []), ...before.guests.map(({ email }) => email)])
  const formerEmails = [...earlier].filter((email) => !present.includes(email))
  return formerEmails.length === 0 ? after : { ...after, formerEmails }
}

async function amend(
  parts: BookingParts,
  tx: Tx,
  bookingId: string,
  { before, after, priced }: Change,
  { at, by, precondition }: Facts,
) {
  const current = await lockBooking(parts, tx, { bookingId, from: 'confirmed' })
  if (current === undefined) return undefined
  precondition?.(current)
  if (!isDeepStrictEqual(current.persons, before)) return undefined
  const columns = priced && (await pricedColumns(tx, bookingId, priced))
  const [row] = await tx
    .updateTable('bookings')
    .set((eb) => ({
      persons: sealPersons(after, parts.keyring),
      ...columns,
      updated_at: at,
      events: eb('events', '+', 1),
    }))
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'confirmed')
    .returningAll()
    .execute()
  if (row === undefined) return undefined
  const booking = bookingFromRow(row, parts.keyring)
  // A reading in progress compares with the old guests and must not be recorded.
  await endLease(tx, { kind: 'read', subject: bookingId })
  const step = { sequence: row.events, kind: 'amended', from: 'confirmed', to: 'confirmed' } as const
  await recordEvents(parts, tx, booking, { ...step, at, reason: priced && 'price_changed', by })
  return booking
}
