export const PAYMENT_STATES = [
  'creating',
  'open',
  'authorised',
  'held',
  'capturing',
  'captured',
  'refunding',
  'voiding',
  'voided',
  'failed',
  'lapsed',
  'needs_review',
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** Allowed transitions. Any other transition is a bug. */
export const PAYMENT_TRANSITIONS = {
  /** Stored; the provider may not know it yet. */
  creating: ['open', 'failed'],
  /** The guest has not authorised it. */
  open: ['authorised', 'voiding', 'failed', 'needs_review'],
  /** Authorised, and no booking has claimed it. */
  authorised: ['held', 'voiding', 'lapsed', 'needs_review'],
  /** Claimed by a booking whose outcome is unknown: neither captured nor released. */
  held: ['capturing', 'voiding', 'lapsed', 'needs_review'],
  /** The last one only if nothing was captured. */
  capturing: ['captured', 'needs_review', 'voiding'],
  /** Captured minus refunded is what the guest owes. */
  captured: ['refunding', 'needs_review'],
  refunding: ['captured', 'needs_review'],
  voiding: ['voided', 'needs_review'],
  /** The provider ended the authorisation by itself. */
  lapsed: ['voided', 'needs_review'],
  /** Left by an operator, a cancelled booking, or the provider's later answer. */
  needs_review: ['capturing', 'captured', 'refunding', 'voiding', 'voided'],
  voided: [],
  failed: [],
} as const satisfies Record<PaymentState, readonly PaymentState[]>

export function canMovePayment(from: PaymentState, to: PaymentState): boolean {
  const moves: readonly PaymentState[] = PAYMENT_TRANSITIONS[from]
  return moves.includes(to)
}

/** No booking has claimed it yet. */
export const UNCLAIMED_STATES: readonly PaymentState[] = ['creating', 'open', 'authorised']

export const PAYMENT_REASONS = [
  /** The room is booked and the amount could not be captured. */
  'uncollected',
  /** The provider could not refund, or the refund came back. */
  'refund_failed',
  'not_released',
  /** Captured another amount than ordered, or less authorised than due. */
  'amount_differs',
  /** More was refunded than ordered, for example in the provider's console. */
  'short',
  /** Captured without our order. The part that is not owed is refunded. */
  'captured_elsewhere',
  /** The provider's object has another mode, currency or mark. */
  'unknown_object',
  /** The cancellation fee is in another currency. */
  'unknown_fee',
  /** The vendor cancelled and named a fee. The guest gets everything back. */
  'vendor_fee',
  /** The authorisation of an undecided booking ends within a day, or has ended. */
  'hold_ending',
  'lapsed',
] as const
export type PaymentReason = (typeof PAYMENT_REASONS)[number]

export const PAYMENT_OPERATION_KINDS = ['create', 'capture', 'void', 'refund'] as const
export type PaymentOperationKind = (typeof PAYMENT_OPERATION_KINDS)[number]

/** `done`: the provider shows its effect. `failed`: it had none, or a refund came back. `withdrawn`: never sent. */
export const PAYMENT_OPERATION_STATES = ['planned', 'sent', 'done', 'refused', 'failed', 'withdrawn'] as const
export type PaymentOperationState = (typeof PAYMENT_OPERATION_STATES)[number]

/** Amounts of operations and entries are in minor units of the payment's currency. */
export type PaymentOperation = {
  readonly number: number
  readonly kind: PaymentOperationKind
  readonly amount: number
  readonly key: string
  readonly state: PaymentOperationState
  readonly firstSentAt: number | undefined
  readonly lastSentAt: number | undefined
  readonly attempts: number
  /** Fault of the last attempt. */
  readonly error: string | undefined
}

export const PAYMENT_ENTRY_KINDS = [
  'authorised',
  'captured',
  'released',
  'refunded',
  'refund_returned',
  'disputed',
  'reinstated',
] as const
export type PaymentEntryKind = (typeof PAYMENT_ENTRY_KINDS)[number]

export type PaymentEntry = {
  readonly kind: PaymentEntryKind
  /** Negative if it goes to the guest. */
  readonly amount: number
  readonly operation: number | undefined
  readonly at: number
}

/** Events of a payment, reported as events of its booking. */
export const PAYMENT_NEWS = [
  'payment_captured',
  'payment_refunded',
  'payment_failed',
  'payment_needs_review',
  'payment_disputed',
] as const
export type PaymentNews = (typeof PAYMENT_NEWS)[number]

export type PaymentCard = { readonly brand: string; readonly last4: string }

/** A guest's card payment. Amounts are in minor units of `currency`. */
export type Payment = {
  readonly paymentId: string
  readonly accountId: string
  readonly provider: string
  /** Undefined until the provider has answered. */
  readonly reference: string | undefined
  readonly state: PaymentState
  readonly stateSince: number
  readonly bookingId: string | undefined
  readonly offerId: string
  readonly lineage: string
  readonly termsDigest: string
  readonly description: string
  readonly currency: string
  /** To be authorised. */
  readonly amount: number
  readonly authorised: number
  readonly captured: number
  readonly refunded: number
  readonly refundPending: number
  /** Due from the guest; undefined while the outcome of the booking is unknown. */
  readonly owed: number | undefined
  /** Given back by operators beyond the terms. */
  readonly goodwill: number
  readonly disputed: number
  readonly isFrozen: boolean
  readonly isInReview: boolean
  readonly isLive: boolean
  readonly captureBefore: number | undefined
  readonly expiresAt: number
  readonly card: PaymentCard | undefined
  readonly failure: { readonly code: string; readonly message: string } | undefined
  readonly reason: PaymentReason | undefined
  readonly fee: { readonly minor: number; readonly currency: string } | undefined
  readonly fingerprint: string
  readonly revision: number
  readonly lookedAt: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Amount that is on its way to the guest. */
export const refundDue = (payment: Payment): number =>
  payment.state === 'refunding' ? payment.refundPending + Math.max(0, excessOf(payment)) : payment.refundPending

/** Excess that is to be refunded; negative if too much was refunded. */
export const excessOf = ({ captured, refunded, refundPending, owed = captured }: Payment): number =>
  captured - refunded - refundPending - owed
