import { sql } from 'kysely'
import type { Booking } from '../../domain/booking/booking.ts'
import { chunk } from '../../lib/chunk.ts'
import { IDS_AT_ONCE } from '../../store/batches.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'

/** Clock of an account's simulated bookings. Real bookings ignore it. */
export function testClocks(database: Database) {
  const offset = prepare((db: ReadOnly, { accountId }: { accountId: string }) =>
    db.selectFrom('test_clocks').select('offset_ms').where('account_id', '=', accountId),
  )
  return {
    /** Applies the account's clock offset to a new booking. */
    async inTestTime(booking: Booking): Promise<Booking> {
      if (!booking.simulated) return booking
      const [clock] = await offset(database.read, { accountId: booking.accountId })
      return clock === undefined ? booking : { ...booking, clockOffsetMs: clock.offset_ms }
    },

    /** Advances the clock of an account's simulated bookings; returns the total offset. */
    advanceTestTime: (accountId: string, ms: number): Promise<number> =>
      database.write((tx) => advance(tx, accountId, ms)),
  }
}

async function advance(tx: Tx, accountId: string, ms: number): Promise<number> {
  const { offset_ms } = await tx
    .insertInto('test_clocks')
    .values({ account_id: accountId, offset_ms: ms })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ offset_ms: eb('test_clocks.offset_ms', '+', ms) })),
    )
    .returning('offset_ms')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('bookings')
    .set({ clock_offset_ms: offset_ms })
    .where('account_id', '=', accountId)
    .where('simulated', '=', 1)
    .execute()
  // Their readings and pending webhooks fall due as if the time had passed.
  const { rows } = await sql<{ subject: string }>`
    select booking_id as subject from bookings where account_id = ${accountId} and simulated = 1
    union all select delivery.webhook_id || ' ' || delivery.booking_id from webhook_deliveries as delivery
      join bookings on bookings.booking_id = delivery.booking_id
      where bookings.account_id = ${accountId} and bookings.simulated = 1 and delivery.outcome is null`.execute(tx)
  for (const part of chunk(rows, IDS_AT_ONCE))
    await tx
      .updateTable('tasks')
      .set({ due_at: sql<number>`due_at - ${sql.lit(ms)}` })
      .where('kind', 'in', ['read', 'webhook'])
      .where(
        'subject',
        'in',
        part.map(({ subject }) => subject),
      )
      .execute()
  return offset_ms
}
