import type { MoneyEntry } from '../../sandbox/stripe/state.ts'
import type { Tables } from '../../src/store/tables.ts'

export type PaymentRow = Tables['payments'] & { readonly booking_state: string | null }

/** Without a booking it waits for its guest or its end. */
const UNCLAIMED = ['open', 'authorised', 'failed', 'voiding', 'voided']
/** Payment states of a booking that will not change any more. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  confirmed: ['captured'],
  cancelled: ['captured', 'voided'],
  rejected: ['voided'],
  needs_review: ['held', 'captured'],
}

/** Compares payments with bookings and with the money at the provider. Each line is a violation. */
export function comparePayments(rows: readonly PaymentRow[], ledger: readonly MoneyEntry[]): string[] {
  const known = new Set(rows.map(({ payment_id }) => payment_id))
  const orphans = ledger.filter(({ paymentId }) => paymentId === undefined || !known.has(paymentId))
  return [
    ...orphans.map(({ intent, kind }) => `ORPHAN_PAYMENT: ${intent} was ${kind} for a payment that we do not have`),
    ...rows.flatMap((row) => compareOne(row, ledger)),
  ]
}

function compareOne(row: PaymentRow, ledger: readonly MoneyEntry[]): string[] {
  const { payment_id: id, state, booking_state: booking } = row
  const entries = ledger.filter(({ paymentId }) => paymentId === id)
  const captures = entries.filter(({ kind }) => kind === 'captured')
  const sum = (kind: MoneyEntry['kind']) =>
    entries.filter((entry) => entry.kind === kind).reduce((total, { amount }) => total + amount, 0)
  const refunded = sum('refunded') - sum('refund_failed')
  const allowed = booking === null ? UNCLAIMED : (EXPECTED[booking] ?? [])
  const found: string[] = []
  if (!allowed.includes(state)) found.push(`PAYMENT_STATE: ${id} is ${state} (${row.reason}), its booking ${booking}`)
  if (captures.length > 1) found.push(`CAPTURED_TWICE: ${id}`)
  if (captures.length > 0 && booking !== 'confirmed' && booking !== 'cancelled')
    found.push(`CAPTURED_UNBOOKED: ${id}, whose booking is ${booking}`)
  if (sum('captured') !== row.captured_minor || refunded !== row.refunded_minor)
    found.push(
      `LEDGER: ${id} has ${row.captured_minor} − ${row.refunded_minor}, the provider ${sum('captured')} − ${refunded}`,
    )
  const owed = row.owed_minor
  if (state === 'captured' && sum('captured') - refunded !== owed)
    found.push(`REFUND: ${id} kept ${sum('captured') - refunded} instead of ${owed}`)
  if (booking === 'rejected' && sum('authorised') > sum('released')) found.push(`HOLD_LEFT: ${id}`)
  return found
}
