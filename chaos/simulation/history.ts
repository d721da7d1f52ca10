import type { BookingStore } from '../../src/booking/store/bookings.ts'
import type { Database } from '../../src/store/database.ts'
import type { PaymentHistory } from './payments/payment-history.ts'
import type { SoldTerms } from './scripted-terms.ts'
import type { ScriptedVendor } from './scripted-vendor.ts'

/** Outcome of a client's request. */
export type Reply = {
  readonly accountId: string
  /** The key that was sent, or the offer id if there was none. */
  readonly key: string
  readonly body: string
  readonly askedAt: number
  readonly answeredAt: number
  readonly outcome:
    | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly bookingId: string }
    | { readonly kind: 'refusal'; readonly code: string }
    | { readonly kind: 'failure'; readonly error: unknown }
}

/** Terms that a client knew and accepted when it requested a booking. */
export type Request = {
  readonly fingerprint: string
  readonly shown: SoldTerms
  /** In minor units. */
  readonly acceptUpTo: number
  /** The digest is of terms that were never offered. */
  readonly hasWrongDigest: boolean
}

export type CancelReply = { readonly bookingId: string; readonly state: string }

/** Data that the invariants check after the run. */
export type History = {
  readonly database: Database
  readonly store: BookingStore
  readonly vendor: ScriptedVendor
  readonly replies: readonly Reply[]
  readonly requests: readonly Request[]
  readonly cancels: readonly CancelReply[]
  /** Errors that no injected fault explains. */
  readonly bugs: readonly unknown[]
  readonly isUnsettled: boolean
  /** When the database last lost commits. */
  readonly lostAt: number | undefined
  /** Budget of the key and the maximum ever spent in a day, if the scenario has a key. */
  readonly budget: { readonly limit: number; readonly maxSpent: number } | undefined
  /** Time of the last state change of each booking. */
  readonly movedAt: ReadonlyMap<string, number>
  /** Every state change, as `from → to`. */
  readonly moves: readonly string[]
  readonly log: readonly string[]
  /** Undefined if every account books on account. */
  readonly cards: PaymentHistory | undefined
}
