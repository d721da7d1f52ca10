import type { Payment, PaymentState } from '../domain/payment/payment.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import type { ListedPayment, PaymentProvider } from './provider.ts'
import type { PaymentLists } from './store/payment-lists.ts'

type Deps = { readonly provider: PaymentProvider; readonly lists: Pick<PaymentLists, 'referencesBetween'> }

export type PaymentDifference = {
  readonly reference: string | undefined
  readonly paymentId: string | undefined
  readonly ours: string
  readonly theirs: string
}

/** Listing a busy month takes minutes. */
const LIST_TIMEOUT_MS = 600_000
/** A payment created around the edge of the period may be in one list only. */
const EDGE_MS = 600_000

/** Expected statuses at the provider. Others are differences. */
const EXPECTED: Readonly<Record<PaymentState, readonly ListedPayment['status'][]>> = {
  creating: ['open', 'authorised', 'gone'],
  open: ['open', 'authorised', 'unknown'],
  authorised: ['authorised'],
  held: ['authorised'],
  capturing: ['authorised', 'captured', 'unknown'],
  captured: ['captured'],
  refunding: ['captured'],
  voiding: ['open', 'authorised', 'gone', 'unknown'],
  voided: ['gone'],
  failed: ['gone', 'open'],
  lapsed: ['gone'],
  needs_review: ['open', 'authorised', 'captured', 'gone', 'unknown'],
}

/** Compares every payment created in the period with the provider's list. Changes nothing. */
export async function reconcilePayments(
  { provider, lists }: Deps,
  period: { readonly from: number; readonly to: number },
): Promise<PaymentDifference[]> {
  const wide = { from: period.from - EDGE_MS, to: period.to + EDGE_MS }
  const ours = new Map(
    (await lists.referencesBetween(wide.from, wide.to)).map((payment) => [payment.paymentId, payment]),
  )
  const differences: PaymentDifference[] = []
  const listed = new Set<string>()
  using deadline = startDeadline(LIST_TIMEOUT_MS)
  for await (const theirs of provider.list(wide, { requestId: 'payments-reconcile', signal: deadline.signal })) {
    const { paymentId = '', reference, createdAt } = theirs
    listed.add(paymentId)
    const payment = ours.get(paymentId)
    const isInside = createdAt >= period.from && createdAt <= period.to
    if (payment === undefined) {
      if (isInside)
        differences.push({ reference, paymentId: theirs.paymentId, ours: 'unknown', theirs: describe(theirs) })
    } else if (isDifferent(payment, theirs))
      differences.push({ reference, paymentId, ours: describeOurs(payment), theirs: describe(theirs) })
  }
  for (const payment of ours.values()) {
    const isInside = payment.createdAt >= period.from && payment.createdAt <= period.to
    if (!isInside || payment.reference === undefined || listed.has(payment.paymentId)) continue
    const { paymentId, reference } = payment
    differences.push({ reference, paymentId, ours: describeOurs(payment), theirs: 'not listed' })
  }
  return differences
}

const isDifferent = (payment: Payment, { status, captured }: ListedPayment): boolean =>
  !EXPECTED[payment.state].includes(status) || (payment.state !== 'capturing' && payment.captured !== captured.minor)

const describeOurs = ({ state, captured, currency }: Payment) => `${state}, captured ${captured} ${currency}`
const describe = ({ status, captured }: ListedPayment) => `${status}, captured ${captured.minor} ${captured.currency}`
