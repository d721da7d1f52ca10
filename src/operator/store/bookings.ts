import { BOOKING_COLUMNS } from '../../booking/store/queries.ts'
import { bookingFromRow, openPersons } from '../../booking/store/rows.ts'
import type { Booking, BookingPersons } from '../../domain/booking/booking.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { Database, ReadOnly } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** Searchable fields of a booking. */
export type SearchedBooking = {
  readonly bookingId: string
  readonly createdAt: number
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly propertyName: string
  /** References of ours, the vendor and the client, and confirmation numbers. */
  readonly references: readonly string[]
  readonly persons: BookingPersons
}

export type OperatorBookingStore = ReturnType<typeof createOperatorBookingStore>

type BookingListing = ReturnType<typeof describeListing>

function describeListing({ dialect }: Database, db: ReadOnly, ids: readonly string[] | undefined) {
  const all = db.selectFrom('bookings').selectAll()
  const query = ids === undefined ? all : all.where('booking_id', 'in', ids.length === 0 ? [''] : [...ids])
  return { dialect, query, columns: BOOKING_COLUMNS }
}

/** Bookings of all accounts. */
export function createOperatorBookingStore(database: Database, keyring: Keyring) {
  const all = database.read.selectFrom('bookings').selectAll()
  return {
    /** Reads all bookings or those with these ids; `run` orders and pages them. */
    listing: <T>(ids: readonly string[] | undefined, run: (source: BookingListing) => Promise<T>): Promise<T> =>
      database.readFresh((db) => run(describeListing(database, db, ids))),
    /** Newest first. */
    async byIds(ids: readonly string[]): Promise<Booking[]> {
      if (ids.length === 0) return []
      const rows = await all
        .where('booking_id', 'in', [...ids])
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map((row) => bookingFromRow(row, keyring))
    },
    fromRow: (row: Tables['bookings']): Booking => bookingFromRow(row, keyring),

    /** Finds by booking id or our reference, which are unique. */
    async byReference(text: string): Promise<string[]> {
      const rows = await database.read
        .selectFrom('bookings')
        .select('booking_id')
        .where((where) => where.or([where('booking_id', '=', text), where('reference', '=', text)]))
        .execute()
      return rows.map(({ booking_id }) => booking_id)
    },

    /** The newest bookings, or those before the given one. */
    async newest(before: SearchedBooking | undefined, limit: number): Promise<SearchedBooking[]> {
      let query = database.read.selectFrom('bookings').select([...SEARCH_COLUMNS])
      if (before !== undefined) {
        const { createdAt, bookingId } = before
        query = query
          .where('created_at', '<=', createdAt)
          .where((where) => where.or([where('created_at', '<', createdAt), where('booking_id', '<', bookingId)]))
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('booking_id', 'desc').limit(limit).execute()
      return rows.map((row) => toSearched(row, keyring))
    },
  }
}

export type AttentionBookingStore = ReturnType<typeof createAttentionBookingStore>

/** Real bookings that need an operator. */
export function createAttentionBookingStore(database: Database, keyring: Keyring) {
  const all = database.read.selectFrom('bookings').selectAll('bookings').where('simulated', '=', 0)
  return {
    /** Bookings with an unknown outcome since before `since`, oldest first, with the number of enquiries. */
    async inDoubt(since: number, limit: number): Promise<{ booking: Booking; looks: number }[]> {
      const rows = await all
        .where('state', 'in', ['in_doubt', 'submitting', 'cancelling'])
        .where('updated_at', '<=', since)
        .leftJoin('tasks', (join) => join.onRef('subject', '=', 'booking_id').on('tasks.kind', '=', 'settle'))
        .select('tasks.attempts as looks')
        .orderBy('updated_at')
        .limit(limit)
        .execute()
      return rows.map(({ looks, ...row }) => ({ booking: bookingFromRow(row, keyring), looks: looks ?? 0 }))
    },

    /** Earliest arrival first. */
    async inReview(limit: number): Promise<Booking[]> {
      const rows = await all.where('state', '=', 'needs_review').orderBy('check_in').limit(limit).execute()
      return rows.map((row) => bookingFromRow(row, keyring))
    },

    /** Settled bookings with discrepancies and a check-out on `day` or later. */
    async disputed(day: PlainDate, limit: number): Promise<Booking[]> {
      const rows = await all
        .where('discrepancies', 'is not', null)
        .where('check_out', '>=', day)
        .where('state', 'in', ['confirmed', 'cancelled'])
        .orderBy('check_in')
        .limit(limit)
        .execute()
      return rows.map((row) => bookingFromRow(row, keyring))
    },

    /** Time and reason of the last status change of each booking. */
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

const SEARCH_COLUMNS = [
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

function toSearched(row: Pick<Tables['bookings'], (typeof SEARCH_COLUMNS)[number]>, keyring: Keyring): SearchedBooking {
  const references = [row.booking_id, row.reference, row.vendor_reference, row.client_reference]
  return {
    bookingId: row.booking_id,
    createdAt: row.created_at,
    checkIn: row.check_in,
    checkOut: row.check_out,
    propertyName: row.property_name,
    references: [...references, ...collectNumbers(row.confirmation)].filter((text) => text !== null),
    persons: openPersons(row, keyring),
  }
}

/** Confirmation numbers of vendor, property and rooms, at any depth. */
function collectNumbers(confirmation: string | null): string[] {
  const found: string[] = []
  if (confirmation !== null)
    JSON.parse(confirmation, (_name, value) => {
      if (typeof value === 'string') found.push(value)
      return value
    })
  return found
}
