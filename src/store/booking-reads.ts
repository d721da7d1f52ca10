import { type Booking, type BookingEvent, type BookingState, isBookingId } from '../domain/booking.ts'
import type { Keyring } from '../lib/keyring.ts'
import { type BookingFigures, bookingFigures } from './booking-figures.ts'
import { fromRow } from './booking-rows.ts'
import type { Database } from './database.ts'
import type { BookingEventRow, BookingRow } from './tables.ts'

const LISTED = {
  booking_id: 'booking_id',
  status: 'state',
  vendor_id: 'vendor_id',
  client_reference: 'client_reference',
  property_name: 'property_name',
  check_in: 'check_in',
  check_out: 'check_out',
  created_at: 'created_at',
  currency: 'currency',
}

/** Looking at bookings. */
export function bookingReads(database: Database, keyring: Keyring) {
  return {
    /** All of one account's, for whoever pages through them. */
    listing: (accountId: string) => ({
      dialect: database.dialect,
      query: database.read.selectFrom('bookings').selectAll().where('account_id', '=', accountId),
      columns: LISTED,
    }),
    fromRow: (row: BookingRow) => fromRow(row, keyring),

    async get(accountId: string, bookingId: string): Promise<Booking | undefined> {
      if (!isBookingId(bookingId)) return undefined
      const row = await database.read
        .selectFrom('bookings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('booking_id', '=', bookingId)
        .executeTakeFirst()
      return row && fromRow(row, keyring)
    },

    /** For the operator, who owns all of them. */
    async any(bookingId: string): Promise<Booking | undefined> {
      const row = await database.read
        .selectFrom('bookings')
        .selectAll()
        .where('booking_id', '=', bookingId)
        .executeTakeFirst()
      return row && fromRow(row, keyring)
    },

    async recent(states: readonly BookingState[], most: number): Promise<Booking[]> {
      const rows = await database.read
        .selectFrom('bookings')
        .selectAll()
        .where('state', 'in', [...states])
        .orderBy('created_at', 'desc')
        .limit(most)
        .execute()
      return rows.map((row) => fromRow(row, keyring))
    },

    async events(bookingId: string): Promise<BookingEvent[]> {
      const rows = await database.read
        .selectFrom('booking_events')
        .selectAll()
        .where('booking_id', '=', bookingId)
        .orderBy('sequence')
        .execute()
      return rows.map(eventOf)
    },

    /** Counts by state, and since when the oldest doubt and the most overdue work last. */
    figures: (now: number): Promise<BookingFigures> => bookingFigures(database.read, now),
  }
}

const eventOf = (row: BookingEventRow): BookingEvent => ({
  sequence: row.sequence,
  from: (row.from_state ?? undefined) as BookingState | undefined,
  to: row.to_state as BookingState,
  at: row.at,
  reason: row.reason ?? undefined,
})
