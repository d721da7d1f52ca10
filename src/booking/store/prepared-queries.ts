import { sql } from 'kysely'
import type { BookingState } from '../../domain/booking/booking.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'
import type { changingColumns } from './rows.ts'

/** The statements that every booking runs. */

/** Two queries in one, each by a unique index; with `or` the database would read all of the account's bookings. */
export const earlierBookings = prepare(
  (db: ReadOnly, asked: { accountId: string; idempotencyKey: string; offerId: string }) => {
    const mine = db.selectFrom('bookings').selectAll().where('account_id', '=', asked.accountId)
    return mine.where('idempotency_key', '=', asked.idempotencyKey).unionAll(mine.where('offer_id', '=', asked.offerId))
  },
)

export const addBooking = prepare((tx: Tx, row: Tables['bookings']) =>
  tx
    .insertInto('bookings')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('booking_id'),
)

/** Null keeps the notices and the answer as they are; `events` are those that the move adds. */
type MoveValues = ReturnType<typeof changingColumns> & { readonly from: BookingState } & Pick<
    Tables['bookings'],
    'booking_id' | 'events' | 'told_notices' | 'answer_status' | 'answer_body'
  >

/** An answer that left the outcome open (202) makes room for the outcome; an outcome stands. */
const HAS_OUTCOME = sql<boolean>`answer_status <> 202`

/** Answers nothing when the booking is not in `from` any more. */
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
