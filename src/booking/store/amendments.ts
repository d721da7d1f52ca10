import { isDeepStrictEqual } from 'node:util'
import type { By } from '../../domain/actor.ts'
import type { Booking, BookingPersons } from '../../domain/booking/booking.ts'
import type { Tx } from '../../store/database.ts'
import { endLease } from '../../store/tasks.ts'
import { type BookingParts, readToMove, record } from './moves.ts'
import { fromRow, sealPersons } from './rows.ts'

type Facts = { readonly at: number; readonly by: By }
type Change = { readonly before: BookingPersons; readonly after: BookingPersons }

export const bookingAmendments = (parts: BookingParts) => ({
  /**
   * Other guests and wishes for a confirmed booking, with the event. Undefined when it is not confirmed any more, or when
   * somebody else has changed `before` first.
   */
  amend(bookingId: string, { before, after }: Change, facts: Facts): Promise<Booking | undefined> {
    const change = { before, after: rememberingEmails(before, after) }
    return parts.database.write((tx) => amend(parts, tx, bookingId, change, facts))
  },
})

/** The stored answer, readings, vendor calls and mails still name a guest who has been replaced. */
function rememberingEmails(before: BookingPersons, after: BookingPersons): BookingPersons {
  const present = ['', ...after.guests.map(({ email }) => email)]
  const earlier = new Set([...(before.formerEmails ?? []), ...before.guests.map(({ email }) => email)])
  const formerEmails = [...earlier].filter((email) => !present.includes(email))
  return formerEmails.length === 0 ? after : { ...after, formerEmails }
}

async function amend(parts: BookingParts, tx: Tx, bookingId: string, { before, after }: Change, { at, by }: Facts) {
  const current = await readToMove(parts, tx, { bookingId, from: 'confirmed' })
  if (!isDeepStrictEqual(current?.persons, before)) return undefined
  const [row] = await tx
    .updateTable('bookings')
    .set((eb) => ({
      persons: sealPersons(after, parts.keyring),
      updated_at: at,
      events: eb('events', '+', 1),
    }))
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'confirmed')
    .returningAll()
    .execute()
  if (row === undefined) return undefined
  const booking = fromRow(row, parts.keyring)
  // A reading that began before compares with other guests and must not be recorded.
  await endLease(tx, { kind: 'read', subject: bookingId })
  const step = { sequence: row.events, kind: 'amended', from: 'confirmed', to: 'confirmed' } as const
  await record(parts, tx, booking, { ...step, at, reason: undefined, by })
  return booking
}
