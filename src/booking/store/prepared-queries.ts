import { sql } from 'kysely'
import type { BookingState } from '../../domain/booking/booking.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'
import type { changingColumns } from './rows.ts'

/** As in the index `bookings_by_lineage`: bookings of earlier versions have no lineage. */
const LINEAGE = sql<string>`coalesce(lineage, offer_id)`
const IS_OPEN = sql<boolean>`state not in ('rejected', 'cancelled')`

/**
 * A union of three unique index reads; with `or` the database would read all of the account's bookings. One
 * statement reads booking and lease: the lease is deleted when the booking ends, so two reads could disagree.
 */
export const earlierBookings = prepare(
  (db: ReadOnly, request: { accountId: string; idempotencyKey: string; offerId: string; lineage: string }) => {
    const own = db
      .selectFrom('bookings')
      .selectAll('bookings')
      .select(({ selectFrom }) =>
        selectFrom('tasks')
          .select('lease_until')
          .where('kind', '=', 'settle')
          .whereRef('subject', '=', 'booking_id')
          .as('lease_until'),
      )
      .where('account_id', '=', request.accountId)
    return own
      .where('idempotency_key', '=', request.idempotencyKey)
      .unionAll(own.where('offer_id', '=', request.offerId))
      .unionAll(own.where(LINEAGE, '=', request.lineage).where(IS_OPEN))
  },
)

export const addBooking = prepare((tx: Tx, row: Tables['bookings']) =>
  tx
    .insertInto('bookings')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('booking_id'),
)

/** Null leaves notices and answer unchanged. `events` is the number of events added. */
type MoveValues = ReturnType<typeof changingColumns> & { readonly from: BookingState } & Pick<
    Tables['bookings'],
    'booking_id' | 'events' | 'told_notices' | 'answer_status' | 'answer_body'
  >

/** A provisional answer (202) may be replaced; a final one may not. */
const HAS_OUTCOME = sql<boolean>`answer_status <> 202`

/** Returns no row if the booking has left `from`. */
export const moveBooking = prepare(
  (tx: Tx, { from, booking_id, events, told_notices, answer_status, answer_body, ...changed }: MoveValues) =>
    tx
      .updateTable('bookings')
      .set(({ fn, val }) => ({
        ...changed,
        events: sql<number>`events + ${events}`,
        told_notices: fn.coalesce(val(told_notices), 'told_notices'),
        answer_status: sql`case when ${HAS_OUTCOME} then answer_status else coalesce(${val(answer_status)}, answer_status) end`,
        answer_body: sql`case when ${HAS_OUTCOME} then answer_body else coalesce(${val(answer_body)}, answer_body) end`,
      }))
      .where('booking_id', '=', booking_id)
      .where('state', '=', from)
      .returning(['account_id', 'events', 'answer_status', 'answer_body']),
)

/** False if the client has an answer already, which repeated requests must find. */
export async function freeKeys(tx: Tx, { bookingId, from }: { bookingId: string; from: BookingState }) {
  const query = tx
    .updateTable('bookings')
    .set({
      offer_id: sql`offer_id || ' ' || booking_id`,
      idempotency_key: sql`idempotency_key || ' ' || booking_id`,
      // The vendor did nothing under it, so the repeated request may use it.
      reference: sql`reference || ' ' || booking_id`,
    })
    .where('booking_id', '=', bookingId)
    .where('state', '=', from)
    .where('answer_status', 'is', null)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}
