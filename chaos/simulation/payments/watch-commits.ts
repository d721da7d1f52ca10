import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { canMovePayment, type PaymentState } from '../../../src/domain/payment/payment.ts'
import type { Database } from '../../../src/store/database.ts'
import type { Tables } from '../../../src/store/tables.ts'
import type { Violation } from '../violation.ts'
import type { OperatorOrder } from './card-step.ts'
import type { Sequence } from './sequence.ts'

type PaymentRow = Tables['payments']
type OperationRow = Tables['payment_operations']

type PaymentMove = {
  readonly paymentId: string
  readonly from: PaymentState | undefined
  readonly to: PaymentState
  readonly reason: string | null
  readonly order: number
  readonly at: number
}

/** Change of an amount, and the commit before it. */
type AmountChange = {
  readonly paymentId: string
  readonly reference: string
  readonly after: number
  readonly order: number
}

/** Payment states that each booking state may meet. A rejected or cancelled booking may find money that was taken by hand. */
const UNKNOWN = ['held', 'lapsed', 'needs_review'] as const
const PAIRS: Readonly<Record<BookingState, readonly PaymentState[]>> = {
  pending: [],
  submitting: UNKNOWN,
  in_doubt: UNKNOWN,
  confirmed: ['capturing', 'captured', 'refunding', 'needs_review'],
  cancelling: ['capturing', 'captured', 'refunding', 'needs_review'],
  needs_review: [...UNKNOWN, 'capturing', 'captured', 'refunding'],
  cancelled: ['capturing', 'captured', 'refunding', 'voiding', 'voided', 'needs_review'],
  rejected: ['voiding', 'voided', 'captured', 'refunding', 'needs_review'],
}
/** An operator may end the review of a booked payment without money from the card. */
const RESOLVED: readonly PaymentState[] = ['voiding', 'voided']
const UNCLAIMED: readonly PaymentState[] = ['creating', 'open', 'authorised', 'voiding', 'voided', 'failed', 'lapsed']
const FINAL: readonly string[] = ['done', 'refused', 'failed', 'withdrawn']

/** Checks the rows of payments after every commit. */
export function watchCommits(database: Database, sequence: Sequence, orders: readonly OperatorOrder[]) {
  const violations: Violation[] = []
  const moves: PaymentMove[] = []
  const changes: AmountChange[] = []
  const warnings: { readonly paymentId: string; readonly at: number }[] = []
  const amounts = new Map<string, { readonly text: string; readonly order: number }>()
  const states = new Map<string, PaymentState>()
  const operations = new Map<string, string>()
  const revisions = new Map<string, number>()
  const report = (name: Violation['name'], message: string) => void violations.push({ name, message })

  async function check(): Promise<void> {
    const rows = await database.read
      .selectFrom('payments')
      .leftJoin('bookings', 'bookings.booking_id', 'payments.booking_id')
      .selectAll('payments')
      .select('bookings.state as booking_state')
      .execute()
    for (const row of rows) {
      checkPair(row, row.booking_state)
      if (revisions.get(row.payment_id) === row.revision) continue
      revisions.set(row.payment_id, row.revision)
      follow(row)
      followAmounts(row)
      await checkEntries(row)
      await checkOperations(row.payment_id)
    }
  }

  const isResolved = (paymentId: string): boolean =>
    orders.some((order) => order.paymentId === paymentId && order.act !== 'refunds' && order.outcome !== 'refused')

  function checkPair(row: PaymentRow, booking: string | null): void {
    const { payment_id, booking_id } = row
    const state = row.state as PaymentState
    const allowed =
      booking_id === null
        ? [...UNCLAIMED, 'needs_review', 'captured', 'refunding', 'capturing']
        : [...PAIRS[(booking ?? 'pending') as BookingState], ...(isResolved(payment_id) ? RESOLVED : [])]
    if (!allowed.includes(state)) report('illegal_pair', `${payment_id} is ${state} and ${booking_id} is ${booking}`)
    if (booking_id === null && row.captured_minor === 0 && ['captured', 'refunding', 'capturing'].includes(state))
      report('illegal_pair', `${payment_id} is ${state} without a booking`)
    if (row.captured_minor > row.authorised_minor)
      report('overcaptured', `${payment_id} captured ${row.captured_minor} of ${row.authorised_minor}`)
  }

  function follow(row: PaymentRow): void {
    const { payment_id: paymentId, reason } = row
    const to = row.state as PaymentState
    const from = states.get(paymentId)
    if (from === to) return
    states.set(paymentId, to)
    moves.push({ paymentId, from, to, reason, order: sequence.next(), at: sequence.now() })
    const isLegal = from === undefined ? to === 'creating' : canMovePayment(from, to)
    if (!isLegal) report('illegal_payment_history', `${paymentId} moved from ${from ?? 'nothing'} to ${to}`)
  }

  function followAmounts(row: PaymentRow): void {
    const { payment_id: paymentId, provider_reference: reference, reason } = row
    if (reason === 'hold_ending') warnings.push({ paymentId, at: sequence.now() })
    const text = [row.authorised_minor, row.captured_minor, row.refunded_minor].join(' ')
    const before = amounts.get(paymentId)
    const order = sequence.next()
    amounts.set(paymentId, { text, order })
    if (before !== undefined && before.text !== text)
      changes.push({ paymentId, reference: reference ?? '', after: before.order, order })
  }

  async function checkEntries({ payment_id, ...row }: PaymentRow): Promise<void> {
    const entries = await database.read
      .selectFrom('payment_entries')
      .selectAll()
      .where('payment_id', '=', payment_id)
      .execute()
    const sum = (...kinds: string[]) =>
      entries.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount_minor }) => total + amount_minor, 0)
    const sums = [sum('authorised'), sum('captured'), -sum('refunded', 'refund_returned')]
    const columns = [row.authorised_minor, row.captured_minor, row.refunded_minor]
    if (sums.some((total, index) => total !== columns[index]))
      report('ledger_broken', `${payment_id}: entries are ${sums.join(', ')}, columns ${columns.join(', ')}`)
  }

  async function checkOperations(paymentId: string): Promise<void> {
    const rows: OperationRow[] = await database.read
      .selectFrom('payment_operations')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .execute()
    if (rows.filter(({ state }) => state === 'planned' || state === 'sent').length > 1)
      report('illegal_payment_history', `${paymentId} has two open operations`)
    for (const { key, kind, state } of rows) {
      const before = operations.get(key)
      operations.set(key, state)
      // A refund that was done may come back from the bank.
      const isReturned = kind === 'refund' && before === 'done' && state === 'failed'
      if (before !== undefined && before !== state && FINAL.includes(before) && !isReturned)
        report('illegal_payment_history', `${key} moved from ${before} to ${state}`)
    }
  }

  return {
    violations,
    moves,
    changes,
    warnings,
    check,
    /** The same database; rows are checked after every transaction. */
    database: {
      ...database,
      write: (async (work: Parameters<Database['write']>[0]) => {
        const result = await database.write(work)
        await check()
        return result
      }) as Database['write'],
    },
  }
}
