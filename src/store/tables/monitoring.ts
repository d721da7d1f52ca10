import type { Actor } from '../../domain/actor.ts'

/** Rows of what operators watch and work through; see tables.ts for how values are written. */

/** Calls to a vendor that began in one span of time. Every call is counted in a span of 5 minutes and in one of 60. */
export type VendorCallCountRow = {
  minutes: number
  began_at: number
  vendor_id: string
  operation: string
  outcome: string
  /** The call took at most this long, and longer than the bound before it. */
  up_to_ms: number
  calls: number
}

/** How one class of calls to a vendor stands in one process. */
export type VendorBreakerRow = {
  process: string
  vendor_id: string
  call_class: string
  state: 'closed' | 'half_open' | 'open'
  /** Since when it has been closed, or not. */
  since: number
  under_way: number
  /** Until when the vendor asked to be left alone; null where it did not. */
  held_until: number | null
  /** A process that ended says nothing any more; what it last said is then out of date. */
  seen_at: number
}

/** Searches of one account on one day (UTC) that asked a vendor. */
export type VendorSearchesRow = { day: string; vendor_id: string; account_id: string; searches: number }

/** What was called, and how that ended. */
export type RequestRow = {
  id: string
  /** Not unique: clients may choose it, and an agent's call may consist of several of ours. */
  request_id: string
  at: number
  operation: string
  method: string
  path: string
  status: number
  code: string | null
  took_ms: number
  account_id: string | null
  key_id: string | null
  simulated: number
  search_id: string | null
  booking_id: string | null
  expires_at: number
}

/** A call to a vendor. */
export type VendorCallRow = {
  id: string
  at: number
  vendor_id: string
  class: string
  operation: string
  request_id: string
  booking_id: string | null
  method: string
  path: string
  status: number | null
  fault: string | null
  took_ms: number
  /** Both without persons, and encrypted: they hold net prices. */
  request: string | null
  response: string | null
}

/** An entry of the attention list that an operator has settled, as it was at `since`. */
export type AttentionMarkRow = {
  entry_id: string
  since: number
  at: number
  actor_kind: Actor['kind']
  actor_id: string
  reason: string
}
