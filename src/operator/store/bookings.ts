import { BOOKING_COLUMNS } from '../../booking/store/queries.ts'
import { fromRow, personsOf } from '../../booking/store/rows.ts'
import type { Booking, BookingPersons } from '../../domain/booking/booking.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** What a booking is found by. */
export type SearchedBooking = {
  readonly bookingId: string
  readonly createdAt: number
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly propertyName: string
  /** Ours, the vendor's, the client's, and the numbers of vendor and property, as far as there are any. */
  readonly references: readonly string[]
  readonly persons: BookingPersons
}

export type OperatorBookingStore = ReturnType<typeof createOperatorBookingStore>

/** Bookings of all accounts, for operators. */
export function createOperatorBookingStore(database: Database, keyring: Keyring) {
  const all = database.read.selectFrom('bookings').selectAll()
  return {
    /** A query for all bookings, or those with these ids, to be ordered and paged by the caller. */
    listing: (ids?: readonly string[]) => ({
      dialect: database.dialect,
      query: ids === undefined ? all : all.where('booking_id', 'in', ids.length === 0 ? [''] : [...ids]),
      columns: BOOKING_COLUMNS,
    }),
    fromRow: (row: Tables['bookings']): Booking => fromRow(row, keyring),

    /** By an id or reference of ours, which are unique. */
    async byReference(text: string): Promise<string[]> {
      const rows = await database.read
        .selectFrom('bookings')
        .select('booking_id')
        .where((where) => where.or([where('booking_id', '=', text), where('reference', '=', text)]))
        .execute()
      return rows.map(({ booking_id }) => booking_id)
    },

    /** The newest bookings, or those before one of them; at most `most`. */
    async newest(before: SearchedBooking | undefined, most: number): Promise<SearchedBooking[]> {
      let query = database.read.selectFrom('bookings').select([...SEARCHED])
      if (before !== undefined) {
        const { createdAt, bookingId } = before
        query = query
          .where('created_at', '<=', createdAt)
          .where((where) => where.or([where('created_at', '<', createdAt), where('booking_id', '<', bookingId)]))
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('booking_id', 'desc').limit(most).execute()
      return rows.map((row) => searchedOf(row, keyring))
    },
  }
}

export type AttentionBookingStore = ReturnType<typeof createAttentionBookingStore>

/** Real bookings that an operator should look at. */
export function createAttentionBookingStore(database: Database, keyring: Keyring) {
  const all = database.read.selectFrom('bookings').selectAll('bookings').where('simulated', '=', 0)
  return {
    /** Those whose outcome has been unknown since before `since`, the oldest first, and how often their vendor was asked. */
    async inDoubt(since: number, most: number): Promise<{ booking: Booking; looks: number }[]> {
      const rows = await all
        .where('state', 'in', ['in_doubt', 'submitting', 'cancelling'])
        .where('updated_at', '<=', since)
        .leftJoin('tasks', (join) => join.onRef('subject', '=', 'booking_id').on('tasks.kind', '=', 'settle'))
        .select('tasks.attempts as looks')
        .orderBy('updated_at')
        .limit(most)
        .execute()
      return rows.map(({ looks, ...row }) => ({ booking: fromRow(row, keyring), looks: looks ?? 0 }))
    },

    /** Those that need a person, who arrives first is first. */
    async inReview(most: number): Promise<Booking[]> {
      const rows = await all.where('state', '=', 'needs_review').orderBy('check_in').limit(most).execute()
      return rows.map((row) => fromRow(row, keyring))
    },

    /** Those that are settled, of stays that end on `day` or later, of which a vendor has said something else. */
    async disputed(day: PlainDate, most: number): Promise<Booking[]> {
      const rows = await all
        .where('discrepancies', 'is not', null)
        .where('check_out', '>=', day)
        .where('state', 'in', ['confirmed', 'cancelled'])
        .orderBy('check_in')
        .limit(most)
        .execute()
      return rows.map((row) => fromRow(row, keyring))
    },

    /** When each of these came into its present state, and why. */
    async lastMoves(ids: readonly string[]): Promise<ReadonlyMap<string, { at: number; reason: string | undefined }>> {
      if (ids.length === 0) return new Map()
      const rows = await database.read
        .selectFrom('booking_events')
        .select(['booking_id', 'at', 'reason'])
        .where('booking_id', 'in', [...ids])
        .where('kind', 'is', null)
        .orderBy('sequence')
        .execute()
      return new Map(rows.map(({ booking_id, at, reason }) => [booking_id, { at, reason: reason ?? undefined }]))
    },
  }
}

const SEARCHED = [
  'booking_id',
  'created_at',
  'check_in',
  'check_out',
  'property_name',
  'reference',
  'vendor_reference',
  'client_reference',
  'confirmation',
  'persons',
] as const satisfies readonly (keyof Tables['bookings'])[]

function searchedOf(row: Pick<Tables['bookings'], (typeof SEARCHED)[number]>, keyring: Keyring): SearchedBooking {
  const references = [row.booking_id, row.reference, row.vendor_reference, row.client_reference]
  return {
    bookingId: row.booking_id,
    createdAt: row.created_at,
    checkIn: row.check_in,
    checkOut: row.check_out,
    propertyName: row.property_name,
    references: [...references, ...numbersIn(row.confirmation)].filter((one) => one !== null),
    persons: personsOf(row, keyring),
  }
}

/** The numbers of vendor, property and rooms, wherever they stand. */
function numbersIn(confirmation: string | null): string[] {
  const found: string[] = []
  if (confirmation !== null)
    JSON.parse(confirmation, (_name, value) => {
      if (typeof value === 'string') found.push(value)
      return value
    })
  return found
}
