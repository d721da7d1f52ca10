import { sql } from 'kysely'
import type { By } from '../../domain/actor.ts'
import type { BookingEvent } from '../../domain/booking/booking.ts'
import type { Tx } from '../../store/database.ts'
import { type BookingParts, recordEvents } from './moves.ts'
import { bookingFromRow } from './rows.ts'

export type PaymentNewsEvent = Required<Pick<BookingEvent, 'kind' | 'payment'>> & {
  readonly reason: string | undefined
  readonly by: By
}

export const bookingPayments = (parts: BookingParts) => ({
  /** Locks the booking before its payment, as every move does. */
  async lockForPayment(tx: Tx, bookingId: string): Promise<void> {
    await tx.selectFrom('bookings').select('booking_id').where('booking_id', '=', bookingId).forUpdate().execute()
  },

  /** Adds events of its payment to the history of a booking, and renews its time of change. */
  async notePayment(tx: Tx, bookingId: string, news: readonly PaymentNewsEvent[], at: number): Promise<void> {
    if (news.length === 0)
      await tx.updateTable('bookings').set({ updated_at: at }).where('booking_id', '=', bookingId).execute()
    for (const event of news) {
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
