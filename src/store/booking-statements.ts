import { sql } from 'kysely'
import type { ReadOnly, Tx } from './database.ts'
import { prepare } from './prepared.ts'
import type { BookingEventRow, BookingRow } from './tables.ts'

export type MoveValues = {
  readonly bookingId: string
  readonly from: string
  readonly to: string
  readonly at: number
  readonly dueAt: number | null
  readonly leaseUntil: number
  /** Null leaves what is there, here and below. */
  readonly vendorReference: string | null
  readonly cancelFeeMinor: number | null
  /** Kept only where no answer is: the first one stands. */
  readonly answerStatus: number | null
  readonly answerBody: string | null
}

/** What every booking runs, some of it several times. */
export function bookingStatements() {
  return {
    /** Two looks, each at a unique index; asked as one `or`, the database reads all of the account's bookings. */
    earlier: prepare((db: ReadOnly, asked: { accountId: string; idempotencyKey: string; offerId: string }) => {
      const mine = db.selectFrom('bookings').selectAll().where('account_id', '=', asked.accountId)
      return mine
        .where('idempotency_key', '=', asked.idempotencyKey)
        .unionAll(mine.where('offer_id', '=', asked.offerId))
    }),

    add: prepare((tx: Tx, row: BookingRow) =>
      tx
        .insertInto('bookings')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('booking_id'),
    ),

    addEvent: prepare((tx: Tx, row: BookingEventRow) => tx.insertInto('booking_events').values(row)),

    /** Answers nothing when the booking is not in `from` any more. */
    move: prepare((tx: Tx, values: MoveValues) =>
      tx
        .updateTable('bookings')
        .set(({ fn, val }) => ({
          state: values.to,
          updated_at: values.at,
          due_at: values.dueAt,
          lease_until: values.leaseUntil,
          attempts: 0,
          events: sql<number>`events + 1`,
          vendor_reference: fn.coalesce(val(values.vendorReference), 'vendor_reference'),
          cancel_fee_minor: fn.coalesce(val(values.cancelFeeMinor), 'cancel_fee_minor'),
          answer_status: fn.coalesce('answer_status', val(values.answerStatus)),
          answer_body: fn.coalesce('answer_body', val(values.answerBody)),
        }))
        .where('booking_id', '=', values.bookingId)
        .where('state', '=', values.from)
        .returning(['events', 'answer_status', 'answer_body']),
    ),
  }
}
