import type { Booking } from '../../src/domain/booking/booking.ts'

/** A broken invariant; docs/reliability.md explains the names. */
export type Violation = {
  readonly name:
    | 'double'
    | 'lost'
    | 'orphan'
    | 'phantom'
    | 'stuck'
    | 'replay_differs'
    | 'mixed_up'
    | 'untrue'
    | 'overbooked'
    | 'worse_terms'
    | 'untold'
    | 'unseen'
    | 'false_alarm'
    | 'illegal_history'
    | 'over_budget'
    | 'misspent'
    | 'bug'
  readonly message: string
}

/** A booking of ours with its keys. */
export type Row = {
  readonly booking: Booking
  readonly intent: string
  readonly offer: string
  readonly fingerprint: string
}
