import type { Payment, PaymentOperation, PaymentState } from '../../../src/domain/payment/payment.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/lib/time/durations.ts'
import { openFile, type PaymentFile } from '../../../src/payments/decide/payment-file.ts'
import type { PaymentView } from '../../../src/payments/provider.ts'

export const NOW = Date.UTC(2027, 0, 15, 12)
export const AMOUNT = 22_990

const aPayment = (changed: Partial<Payment> = {}): Payment => ({
  ...{ paymentId: 'pay_1', accountId: 'acc_1', provider: 'stripe', reference: 'pi_1', bookingId: undefined },
  ...{ state: 'open', stateSince: NOW, offerId: 'off_1', lineage: 'off_1', termsDigest: 'trm1_x', description: 'Stay' },
  ...{ currency: 'EUR', amount: AMOUNT, authorised: 0, captured: 0, refunded: 0, refundPending: 0, owed: undefined },
  ...{ goodwill: 0, disputed: 0, isFrozen: false, isInReview: false, isLive: false, captureBefore: undefined },
  ...{ expiresAt: NOW + 20 * MINUTE_MS, card: undefined, failure: undefined, reason: undefined, fee: undefined },
  ...{ fingerprint: 'f', revision: 0, lookedAt: 0, createdAt: NOW, updatedAt: NOW },
  ...changed,
})

/** Amounts of a payment in this state, as earlier steps have left them. */
const TYPICAL: Record<PaymentState, Partial<Payment>> = {
  creating: { reference: undefined },
  open: {},
  authorised: { authorised: AMOUNT },
  held: { authorised: AMOUNT, bookingId: 'bkg_1' },
  capturing: { authorised: AMOUNT, bookingId: 'bkg_1', owed: AMOUNT },
  captured: { authorised: AMOUNT, bookingId: 'bkg_1', owed: AMOUNT, captured: AMOUNT },
  refunding: { authorised: AMOUNT, bookingId: 'bkg_1', owed: 5_000, captured: AMOUNT },
  voiding: { authorised: AMOUNT, bookingId: 'bkg_1', owed: 0 },
  voided: { authorised: AMOUNT, bookingId: 'bkg_1', owed: 0 },
  failed: {},
  lapsed: { authorised: AMOUNT, bookingId: 'bkg_1', reason: 'lapsed' },
  needs_review: { authorised: AMOUNT, bookingId: 'bkg_1', owed: AMOUNT, reason: 'uncollected' },
}

export const inState = (state: PaymentState, changed: Partial<Payment> = {}): Payment =>
  aPayment({ ...TYPICAL[state], state, ...changed })

export const anOperation = (changed: Partial<PaymentOperation> & Pick<PaymentOperation, 'kind'>): PaymentOperation => ({
  ...{ number: 2, amount: AMOUNT, key: `pay_1:${changed.kind}${changed.kind === 'refund' ? ':1' : ''}`, state: 'sent' },
  ...{ firstSentAt: NOW - 2_000, lastSentAt: NOW - 2_000, attempts: 1, error: undefined },
  ...changed,
})

const CREATED = anOperation({ kind: 'create', number: 1, state: 'done' })

export const aFile = (payment: Payment, ...operations: PaymentOperation[]): PaymentFile =>
  openFile(payment, [CREATED, ...operations])

export const money = (minor: number) => ({ minor, currency: 'EUR' })

export const aView = (status: PaymentView['status'], changed: Partial<PaymentView> = {}): PaymentView => ({
  ...{ status, refunds: [], isInReview: false, isLive: false, paymentId: 'pay_1' },
  authorised: money(status === 'authorised' || status === 'captured' ? AMOUNT : 0),
  captured: money(status === 'captured' ? AMOUNT : 0),
  ...(status === 'authorised' && { captureBefore: NOW + 7 * DAY_MS, card: { brand: 'visa', last4: '4242' } }),
  ...changed,
})
