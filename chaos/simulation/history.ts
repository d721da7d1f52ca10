import type { BookingStore } from '../../src/booking/store/bookings.ts'
import type { Database } from '../../src/store/database.ts'
import type { SoldTerms } from './scripted-terms.ts'
import type { ScriptedVendor } from './scripted-vendor.ts'

/** What a client was answered, or that it got no answer. */
export type Reply = {
  readonly accountId: string
  /** The key it sent, or the offer id if it sent none. */
  readonly key: string
  readonly body: string
  readonly askedAt: number
  readonly at: number
  readonly outcome:
    | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly bookingId: string }
    | { readonly kind: 'refusal'; readonly code: string }
    | { readonly kind: 'failure'; readonly error: unknown }
}

/** What a client knew and allowed when it asked for a booking. */
export type Request = {
  readonly fingerprint: string
  readonly shown: SoldTerms
  /** In minor units. */
  readonly acceptUpTo: number
  /** It names terms that were never offered. */
  readonly hasWrongDigest: boolean
}

export type CancelReply = { readonly bookingId: string; readonly state: string }

/** Everything the invariants look at, after the run. */
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
  /** Of the key, where the scenario has one: what may be booked in a day, and the most that ever was. */
  readonly budget: { readonly limit: number; readonly mostSpent: number } | undefined
  /** When each booking changed its state for the last time. */
  readonly movedAt: ReadonlyMap<string, number>
  /** Every change of state, as `from → to`. */
  readonly moves: readonly string[]
  readonly log: readonly string[]
}
