import type { Payment, PaymentEntry, PaymentReason } from '../../domain/payment/payment.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { paymentFromRow } from './rows.ts'

export type PaymentLists = ReturnType<typeof createPaymentLists>

/** Payments of all accounts, for operators. */
export const createPaymentLists = ({ dialect, read }: Database) => ({
  listing: () => ({ dialect, query: read.selectFrom('payments').selectAll(), columns: {} }),
  fromRow: (row: Tables['payments']): Payment => paymentFromRow(row),

  async entries(paymentId: string): Promise<PaymentEntry[]> {
    const rows = await read
      .selectFrom('payment_entries')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .orderBy('sequence')
      .execute()
    return rows.map(({ kind, amount_minor, operation, at }) => ({
      ...{ kind, amount: amount_minor, operation: operation ?? undefined, at },
    }))
  },

  /** Payments that an operator should look at, longest first. */
  async withReason(limit: number): Promise<(Payment & { readonly reason: PaymentReason })[]> {
    const rows = await read
      .selectFrom('payments')
      .selectAll()
      .where('reason', 'is not', null)
      .orderBy('updated_at')
      .limit(limit)
      .execute()
    return rows.map(paymentFromRow).flatMap(({ reason, ...payment }) => (reason ? [{ ...payment, reason }] : []))
  },

  /** Payments that have been underway since before this time. */
  async stuck(since: number, limit: number): Promise<Payment[]> {
    const rows = await read
      .selectFrom('payments')
      .selectAll()
      .where('state', 'in', ['capturing', 'voiding', 'refunding'])
      .where('state_since', '<=', since)
      .where('refund_pending_minor', '=', 0)
      .where('frozen', '=', 0)
      .orderBy('state_since')
      .limit(limit)
      .execute()
    return rows.map(paymentFromRow)
  },

  /** References of all payments created in the period, for the comparison with the provider's list. */
  async referencesBetween(from: number, to: number): Promise<Payment[]> {
    const rows = await read
      .selectFrom('payments')
      .selectAll()
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .orderBy('created_at')
      .execute()
    return rows.map(paymentFromRow)
  },
})
