import type { Booking } from '../../src/domain/booking/booking.ts'

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
  readonly message: string
}

/** One of our bookings with its keys. */
export type Row = {
  readonly booking: Booking
  readonly intent: string
  readonly offer: string
  readonly fingerprint: string
}
