import { sql } from 'kysely'
import type { By } from '../../domain/actor.ts'
import type { BookingEvent } from '../../domain/booking/booking.ts'
import type { Tx } from '../../store/database.ts'
import { type BookingParts, recordEvents } from './moves.ts'
import { bookingFromRow } from './rows.ts'

export type PaymentNewsEvent = Required<Pick<BookingEvent, 'kind' | 'payment'>> & {
  readonly at: number
  readonly reason: string | undefined
  readonly by: By
}

export const bookingPayments = (parts: BookingParts) => ({
  /** Locks the booking before its payment, as every move does. */
  async lockForPayment(tx: Tx, bookingId: string): Promise<void> {
    await tx.selectFrom('bookings').select('booking_id').where('booking_id', '=', bookingId).forUpdate().execute()
  },

  /** Adds events of its payment to the history of a booking, in the transaction of the payment. */
  async notePayment(tx: Tx, bookingId: string, news: readonly PaymentNewsEvent[]): Promise<void> {
    for (const { at, ...event } of news) {
      const row = await tx
        .updateTable('bookings')
        .set({ events: sql<number>`events + 1`, updated_at: at })
        .where('booking_id', '=', bookingId)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return
      const booking = bookingFromRow(row, parts.keyring)
      const { state } = booking
      await recordEvents(parts, tx, booking, { ...event, sequence: row.events, from: state, to: state, at })
    }
  },
})
