import type { ReadOnly } from './database.ts'

/** How bookings stand, for metrics. */
export type BookingFigures = {
  readonly byState: Record<string, number>
  readonly oldestDoubtSince: number | undefined
  readonly mostOverdueSince: number | undefined
}

/** Work that somebody has in hand is not overdue, however long a vendor takes. */
export async function bookingFigures(db: ReadOnly, now: number): Promise<BookingFigures> {
  const rows = await db
    .selectFrom('bookings')
    .select((select) => ['state', select.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  const doubt = await db
    .selectFrom('bookings')
    .select((select) => [select.fn.min('submitted_at').as('since')])
    .where('state', '=', 'in_doubt')
    .executeTakeFirst()
  const due = await db
    .selectFrom('bookings')
    .select((select) => [select.fn.min('due_at').as('since')])
    .where('due_at', 'is not', null)
    .where('lease_until', '<=', now)
    .executeTakeFirst()
  return {
    byState: Object.fromEntries(rows.map((row) => [row.state, Number(row.count)])),
    oldestDoubtSince: doubt?.since ?? undefined,
    mostOverdueSince: due?.since ?? undefined,
  }
}
