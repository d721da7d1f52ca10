import { sql } from 'kysely'
import type { BookingState } from '../../domain/booking/booking.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import { prepare } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'

/**
 * Null keeps the stored value, except for the rooms. An answer is stored only where there is none yet: the first
 * one stands. The fees of a cancellation end with it: a confirmed booking has none.
 */
type MoveValues = { readonly from: BookingState } & Pick<
  Tables['bookings'],
  | 'booking_id'
  | 'state'
  | 'updated_at'
  | 'vendor_reference'
  | 'cancel_fee_minor'
  | 'sold_fee_minor'
  | 'answer_status'
  | 'answer_body'
  | 'rooms'
  | 'vendor_total'
  | 'confirmed_at'
  | 'confirmation'
  | 'told_notices'
>

/** An answer that left the outcome open (202) makes room for the outcome; an outcome stands. */
const HAS_OUTCOME = sql<boolean>`answer_status <> 202`

/** The statements that every booking runs. */
export function preparedBookingQueries() {
  return {
    /** Two queries in one, each by a unique index; with `or` the database would read all of the account's bookings. */
    earlier: prepare((db: ReadOnly, asked: { accountId: string; idempotencyKey: string; offerId: string }) => {
      const mine = db.selectFrom('bookings').selectAll().where('account_id', '=', asked.accountId)
      return mine
        .where('idempotency_key', '=', asked.idempotencyKey)
        .unionAll(mine.where('offer_id', '=', asked.offerId))
    }),

    add: prepare((tx: Tx, row: Tables['bookings']) =>
      tx
        .insertInto('bookings')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('booking_id'),
    ),

    addEvent: prepare((tx: Tx, row: Tables['booking_events']) => tx.insertInto('booking_events').values(row)),

    /** Answers nothing when the booking is not in `from` any more. */
    move: prepare((tx: Tx, values: MoveValues) =>
      tx
        .updateTable('bookings')
        .set(({ fn, val }) => ({
          state: values.state,
          updated_at: values.updated_at,
          vendor_total: fn.coalesce('vendor_total', val(values.vendor_total)),
          rooms: values.rooms,
          confirmed_at: fn.coalesce('confirmed_at', val(values.confirmed_at)),
          events: sql<number>`events + 1`,
          vendor_reference: fn.coalesce(val(values.vendor_reference), 'vendor_reference'),
          cancel_fee_minor: sql`case when ${val(values.state)} = 'confirmed' then null else coalesce(${val(values.cancel_fee_minor)}, cancel_fee_minor) end`,
          sold_fee_minor: sql`case when ${val(values.state)} = 'confirmed' then null else coalesce(${val(values.sold_fee_minor)}, sold_fee_minor) end`,
          confirmation: fn.coalesce(val(values.confirmation), 'confirmation'),
          told_notices: fn.coalesce(val(values.told_notices), 'told_notices'),
          answer_status: sql`case when ${HAS_OUTCOME} then answer_status else coalesce(${val(values.answer_status)}, answer_status) end`,
          answer_body: sql`case when ${HAS_OUTCOME} then answer_body else coalesce(${val(values.answer_body)}, answer_body) end`,
        }))
        .where('booking_id', '=', values.booking_id)
        .where('state', '=', values.from)
        .returning(['account_id', 'events', 'answer_status', 'answer_body']),
    ),
  }
}
