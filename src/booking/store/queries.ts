import { sql } from 'kysely'
import type { Booking, BookingEvent, BookingState } from '../../domain/booking/booking.ts'
import { hasIdShape } from '../../lib/crypto/ids.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Database, ReadOnly } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'
import { bookingFromRow } from './rows.ts'

/** Columns whose names differ from their list fields. */
export const BOOKING_COLUMNS = { status: 'state' }

export function bookingQueries(database: Database, keyring: Keyring) {
  const all = database.read.selectFrom('bookings').selectAll()
  return {
    /** Reads an account's bookings; `run` orders and pages them. */
    listing: <T>(owner: ListedOwner, run: (source: BookingListing) => Promise<T>): Promise<T> =>
      database.readFresh((db) => run(describeListing(database, db, owner))),
    fromRow: (row: Tables['bookings']) => bookingFromRow(row, keyring),

    /** Empty if there is none. */
    newestId: async (accountId: string) => (await newest(database.read, { accountId }))[0]?.booking_id ?? '',

    async get(accountId: string, bookingId: string): Promise<Booking | undefined> {
      if (!hasIdShape(bookingId)) return undefined
      const row = await all.where('account_id', '=', accountId).where('booking_id', '=', bookingId).executeTakeFirst()
      return row && bookingFromRow(row, keyring)
    },

    /** For operators, who may read every booking. */
    async any(bookingId: string): Promise<Booking | undefined> {
      const row = await all.where('booking_id', '=', bookingId).executeTakeFirst()
      return row && bookingFromRow(row, keyring)
    },

    async recent(states: readonly BookingState[], limit: number): Promise<Booking[]> {
      const rows = await all
        .where('state', 'in', [...states])
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => bookingFromRow(row, keyring))
    },

    async events(bookingId: string): Promise<BookingEvent[]> {
      const rows = await database.read
        .selectFrom('booking_events')
        .selectAll()
        .where('booking_id', '=', bookingId)
        .orderBy('sequence')
        .execute()
      return rows.map(toEvent)
    },

    figures: () => bookingFigures(database.read),
  }
}

type ListedOwner = { readonly accountId: string; readonly onlySimulated?: boolean }
type BookingListing = ReturnType<typeof describeListing>

function describeListing({ dialect }: Database, db: ReadOnly, { accountId, onlySimulated = false }: ListedOwner) {
  const own = db.selectFrom('bookings').selectAll().where('account_id', '=', accountId)
  return { dialect, query: onlySimulated ? own.where('simulated', '=', 1) : own, columns: BOOKING_COLUMNS }
}

const newest = prepare((db: ReadOnly, { accountId }: { accountId: string }) =>
  db
    .selectFrom('bookings')
    .select('booking_id')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('booking_id', 'desc')
    .limit(1),
)

const toEvent = (row: Tables['booking_events']): BookingEvent => ({
  sequence: row.sequence,
  ...(row.kind === null ? {} : { kind: row.kind }),
  from: row.from_state ?? undefined,
  to: row.to_state,
  at: row.at,
  reason: row.reason ?? undefined,
  ...toActor(row),
})

function toActor({
  actor_kind: kind,
  actor_id: id,
  request_id: requestId,
}: Tables['booking_events']): Pick<BookingEvent, 'by'> {
  if (kind === null || id === null) return {}
  return { by: { actor: { kind, id }, ...(requestId === null ? {} : { requestId }) } }
}

/** For metrics; every query uses an index. Simulated bookings are excluded from doubt, so that they raise no alert. */
async function bookingFigures(db: ReadOnly) {
  const counted = db
    .selectFrom('bookings')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
  const all = toCounts(await counted.execute())
  const simulated = toCounts(await counted.where(sql<boolean>`simulated = 1`).execute())
  const real = Object.entries(all).map(([state, count]): [string, number] => [state, count - (simulated[state] ?? 0)])
  const doubt = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.min('submitted_at').as('since'))
    .where('state', '=', 'in_doubt')
    .where('simulated', '=', 0)
    .executeTakeFirst()
  return {
    byState: Object.fromEntries(real.filter(([, count]) => count > 0)),
    simulatedByState: simulated,
    oldestDoubtSince: doubt?.since ?? undefined,
  }
}

const toCounts = (rows: readonly { readonly state: string; readonly count: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
