import type { Booking } from '../../src/domain/booking/booking.ts'

type PaymentViolation =
  /** Captured before the booking was confirmed. */
  | 'captured_unbooked'
  | 'captured_twice'
  /** Captured more than authorised, agreed or due. */
  | 'overcaptured'
  /** Booked and not captured, although the provider would have. */
  | 'uncollected'
  /** An authorisation that no booking needs is still active. */
  | 'hold_left'
  /** Released while the outcome of the booking was unknown. */
  | 'hold_dropped'
  | 'confirmed_after_void'
  | 'refund_wrong'
  | 'refunded_twice'
  /** Sent again without a look that began after the first request had left. */
  | 'sent_blind'
  /** A key with two sets of parameters, or used after the provider may have forgotten it. */
  | 'key_misused'
  /** The vendor was asked to book without an authorisation. */
  | 'booked_unpaid'
  | 'payment_shared'
  /** An object at the provider that no row names. */
  | 'orphan_payment'
  /** Entries, amounts and the provider disagree. */
  | 'ledger_broken'
  /** States of booking and payment that must never meet. */
  | 'illegal_pair'
  | 'illegal_payment_history'
  | 'payment_stuck'
  /** A client was informed of something that was not so. */
  | 'untrue_payment'
  | 'mixed_worlds'
  /** An authorisation of an undecided booking ended without a warning. */
  | 'lapse_unseen'
  /** Changed by a notification instead of a look. */
  | 'believed_event'
  | 'on_account_touched'

/** A broken invariant. */
export type Violation = {
  readonly name: /** One key, offer or reference was booked twice. */
    | 'double'
    /** Rejected here, held by the vendor. */
    | 'lost'
    /** The vendor booked a reference that no row has. */
    | 'orphan'
    /** Confirmed here, unknown to the vendor. */
    | 'phantom'
    /** A booking that will never change is not settled. */
    | 'stuck'
    /** One request got two different responses. */
    | 'replay_differs'
    /** One key got responses for two bodies. */
    | 'mixed_up'
    /** A client got 201, 409 or "cancelled" wrongly. */
    | 'untrue'
    /** Cancelled here, still held by the vendor. */
    | 'overbooked'
    /** Booked at worse terms than shown or accepted. */
    | 'worse_terms'
    /** A wrong stay or total at the vendor without a discrepancy. */
    | 'untold'
    /** A change by the vendor without a discrepancy. */
    | 'unseen'
    /** A discrepancy without a cause. */
    | 'false_alarm'
    /** A missing or impossible event. */
    | 'illegal_history'
    /** Bookings of a key cost more than its budget. */
    | 'over_budget'
    /** A wrong amount taken from the budget. */
    | 'misspent'
    /** An error that no injected fault explains. */
    | 'bug'
    | PaymentViolation
  readonly message: string
}

/** One of our bookings with its keys. */
export type Row = {
  readonly booking: Booking
  readonly intent: string
  readonly offer: string
  readonly fingerprint: string
}
