import { hash } from 'node:crypto'
import type { Payment, PaymentOperation } from '../../domain/payment/payment.ts'
import type { Tables } from '../../store/tables.ts'
import { openFile, type PaymentFile } from '../decide/payment-file.ts'

type Row = Tables['payments']

/** Only a hash is stored: clients put names and tokens into their keys. */
export const hashKey = (idempotencyKey: string): string => hash('sha256', idempotencyKey)

/** Columns that change after the payment was created. */
export const paymentColumns = (payment: Payment) => ({
  provider_reference: payment.reference ?? null,
  state: payment.state,
  state_since: payment.stateSince,
  booking_id: payment.bookingId ?? null,
  authorised_minor: payment.authorised,
  captured_minor: payment.captured,
  refunded_minor: payment.refunded,
  refund_pending_minor: payment.refundPending,
  owed_minor: payment.owed ?? null,
  goodwill_minor: payment.goodwill,
  disputed_minor: payment.disputed,
  frozen: payment.isFrozen ? 1 : 0,
  in_review: payment.isInReview ? 1 : 0,
  capture_before: payment.captureBefore ?? null,
  brand: payment.card?.brand ?? null,
  last4: payment.card?.last4 ?? null,
  failure: payment.failure === undefined ? null : JSON.stringify(payment.failure),
  reason: payment.reason ?? null,
  fee_minor: payment.fee?.minor ?? null,
  fee_currency: payment.fee?.currency ?? null,
  looked_at: payment.lookedAt,
})

export const toPaymentRow = (payment: Payment, idempotencyKey: string | undefined): Row => ({
  payment_id: payment.paymentId,
  account_id: payment.accountId,
  provider: payment.provider,
  ...paymentColumns(payment),
  offer_id: payment.offerId,
  lineage: payment.lineage,
  terms_digest: payment.termsDigest,
  description: payment.description,
  currency: payment.currency,
  amount_minor: payment.amount,
  is_live: payment.isLive ? 1 : 0,
  expires_at: payment.expiresAt,
  idempotency_key: idempotencyKey === undefined ? null : hashKey(idempotencyKey),
  fingerprint: payment.fingerprint,
  revision: payment.revision,
  created_at: payment.createdAt,
  updated_at: payment.updatedAt,
})

export const paymentFromRow = (row: Row): Payment => ({
  paymentId: row.payment_id,
  accountId: row.account_id,
  provider: row.provider,
  reference: row.provider_reference ?? undefined,
  state: row.state,
  stateSince: row.state_since,
  bookingId: row.booking_id ?? undefined,
  offerId: row.offer_id,
  lineage: row.lineage,
  termsDigest: row.terms_digest,
  description: row.description,
  currency: row.currency,
  amount: row.amount_minor,
  authorised: row.authorised_minor,
  captured: row.captured_minor,
  refunded: row.refunded_minor,
  refundPending: row.refund_pending_minor,
  owed: row.owed_minor ?? undefined,
  goodwill: row.goodwill_minor,
  disputed: row.disputed_minor,
  isFrozen: row.frozen === 1,
  isInReview: row.in_review === 1,
  isLive: row.is_live === 1,
  captureBefore: row.capture_before ?? undefined,
  expiresAt: row.expires_at,
  card: row.brand === null || row.last4 === null ? undefined : { brand: row.brand, last4: row.last4 },
  failure: row.failure === null ? undefined : JSON.parse(row.failure),
  reason: row.reason ?? undefined,
  fee:
    row.fee_minor === null || row.fee_currency === null
      ? undefined
      : { minor: row.fee_minor, currency: row.fee_currency },
  fingerprint: row.fingerprint,
  revision: row.revision,
  lookedAt: row.looked_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const toOperationRow = (paymentId: string, operation: PaymentOperation): Tables['payment_operations'] => ({
  payment_id: paymentId,
  number: operation.number,
  kind: operation.kind,
  amount_minor: operation.amount,
  key: operation.key,
  state: operation.state,
  first_sent_at: operation.firstSentAt ?? null,
  last_sent_at: operation.lastSentAt ?? null,
  attempts: operation.attempts,
  error: operation.error ?? null,
})

const operationFromRow = (row: Tables['payment_operations']): PaymentOperation => ({
  number: row.number,
  kind: row.kind,
  amount: row.amount_minor,
  key: row.key,
  state: row.state,
  firstSentAt: row.first_sent_at ?? undefined,
  lastSentAt: row.last_sent_at ?? undefined,
  attempts: row.attempts,
  error: row.error ?? undefined,
})

export const fileFromRows = (row: Row, operations: readonly Tables['payment_operations'][]): PaymentFile =>
  openFile(paymentFromRow(row), operations.map(operationFromRow))
