import type { Actor } from '../domain/actor.ts'

/** Rows of what the operators' console shows; see tables.ts for how values are written. */

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
