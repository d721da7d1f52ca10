import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../domain/actor.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { chunk } from '../../lib/chunk.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { IDS_AT_ONCE } from '../../store/batches.ts'
import type { Database, Tx } from '../../store/database.ts'

export const TEST_DAYS_MAX = 400

/** A test key has a clock of its own, for the bookings made with it. */
export type ClockOwner = { readonly accountId: string; readonly testKeyId?: string | undefined }

type Row = { readonly booking_id: string; readonly clock_offset_ms: number | null }

/** Clocks of simulated bookings. Real bookings ignore them. */
export function testClocks(database: Database) {
  const readOffset = async (owner: ClockOwner): Promise<number> => {
    const clock = await database.read
      .selectFrom('test_clocks')
      .select('offset_ms')
      .where('account_id', '=', toKey(owner))
      .executeTakeFirst()
    return clock?.offset_ms ?? 0
  }

  return {
    readTestOffset: readOffset,

    /** Applies the clock of the key or account to a new booking. */
    async inTestTime(booking: Booking, actor: Actor): Promise<Booking> {
      const { accountId } = booking
      const key =
        actor.kind === 'key' &&
        (await database.read.selectFrom('api_keys').select('mode').where('id', '=', actor.id).executeTakeFirst())
      const offset = await readOffset({ accountId, testKeyId: key && key.mode === 'test' ? actor.id : undefined })
      return offset === 0 ? booking : { ...booking, clockOffsetMs: offset }
    },

    /** Advances the clock and its bookings, or one of these; returns the total offset, undefined if that would be too much. */
    advanceTestTime: (owner: ClockOwner, ms: number, bookingId?: string): Promise<number | 'too_far' | 'unknown'> =>
      database.write((tx) =>
        bookingId === undefined ? advanceAll(tx, owner, ms) : advanceOne(tx, owner, ms, bookingId),
      ),

    /** Sets the clock and its bookings back to the real time. What happened meanwhile stays. */
    resetTestTime: (owner: ClockOwner): Promise<void> =>
      database.write(async (tx) => {
        await tx.deleteFrom('test_clocks').where('account_id', '=', toKey(owner)).execute()
        const moved = (await findBookings(tx, owner)).filter(({ clock_offset_ms: offset }) => Number(offset) !== 0)
        for (const [offset, rows] of Map.groupBy(moved, (row) => Number(row.clock_offset_ms)))
          await shift(tx, rows, -offset, ['read'])
      }),
  }
}

/** Ids of keys and accounts never collide. */
const toKey = ({ accountId, testKeyId }: ClockOwner): string => testKeyId ?? accountId

async function advanceAll(tx: Tx, owner: ClockOwner, ms: number): Promise<number | 'too_far'> {
  const clock = { account_id: toKey(owner), offset_ms: ms }
  const { offset_ms } = await tx
    .insertInto('test_clocks')
    .values(clock)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ offset_ms: eb('test_clocks.offset_ms', '+', ms) })),
    )
    .returning('offset_ms')
    .executeTakeFirstOrThrow()
  if (isTooFar(offset_ms)) {
    await tx
      .updateTable('test_clocks')
      .set({ offset_ms: offset_ms - ms })
      .where('account_id', '=', clock.account_id)
      .execute()
    return 'too_far'
  }
  await shift(tx, await findBookings(tx, owner), ms)
  return offset_ms
}

async function advanceOne(
  tx: Tx,
  owner: ClockOwner,
  ms: number,
  bookingId: string,
): Promise<number | 'too_far' | 'unknown'> {
  const [booking] = await findBookings(tx, owner, sql`and bookings.booking_id = ${bookingId}`)
  if (booking === undefined) return 'unknown'
  const offset = Number(booking.clock_offset_ms) + ms
  if (isTooFar(offset)) return 'too_far'
  await shift(tx, [booking], ms)
  return offset
}

const isTooFar = (offsetMs: number) => offsetMs > TEST_DAYS_MAX * DAY_MS

/** Simulated bookings of the clock: those made with the test key, or those of the account without a test key. */
async function findBookings(
  tx: Tx,
  { accountId, testKeyId }: ClockOwner,
  more: RawBuilder<unknown> = sql``,
): Promise<Row[]> {
  const byKey = sql`select 1 from booking_events as event where event.booking_id = bookings.booking_id
    and event.sequence = 1 and event.actor_kind = 'key' and event.actor_id`
  const isOwn =
    testKeyId === undefined
      ? sql`not exists (${byKey} in (select id from api_keys where mode = 'test'))`
      : sql`exists (${byKey} = ${testKeyId})`
  const { rows } = await sql<Row>`select booking_id, clock_offset_ms from bookings
    where account_id = ${accountId} and simulated = 1 and ${isOwn} ${more}`.execute(tx)
  return rows
}

/** Moves bookings, so that their readings and pending webhooks fall due as if the time had passed. */
async function shift(
  tx: Tx,
  rows: readonly Row[],
  ms: number,
  kinds: ('read' | 'webhook')[] = ['read', 'webhook'],
): Promise<void> {
  for (const part of chunk(rows, IDS_AT_ONCE)) {
    const ids = part.map(({ booking_id }) => booking_id)
    await tx
      .updateTable('bookings')
      .set({ clock_offset_ms: sql<number>`coalesce(clock_offset_ms, 0) + ${sql.lit(ms)}` })
      .where('booking_id', 'in', ids)
      .execute()
    const deliveries = await tx
      .selectFrom('webhook_deliveries')
      .select(['webhook_id', 'booking_id'])
      .where('booking_id', 'in', ids)
      .where('outcome', 'is', null)
      .execute()
    const subjects = [...ids, ...deliveries.map(({ webhook_id, booking_id }) => `${webhook_id} ${booking_id}`)]
    for (const some of chunk(subjects, IDS_AT_ONCE))
      await tx
        .updateTable('tasks')
        .set({ due_at: sql<number>`due_at - ${sql.lit(ms)}` })
        .where('kind', 'in', kinds)
        .where('subject', 'in', some)
        .execute()
  }
}
