import { DAY_MS } from '../lib/time/durations.ts'
import type { VendorId } from './offer.ts'

export const VENDOR_CALL_KEPT_MS = 30 * DAY_MS

/** Call to a vendor without personal data, keys and signatures. */
export type VendorCall = {
  readonly id: string
  readonly at: number
  readonly vendorId: VendorId
  /** `price_check`, `book` or `manage`; other classes are recorded only if they failed. */
  readonly class: string
  readonly operation: string
  /** Id of the request or job that made the call. */
  readonly requestId: string
  readonly bookingId: string | undefined
  readonly method: string
  readonly path: string
  /** Undefined if the call failed; see `fault`. */
  readonly status: number | undefined
  readonly fault: string | undefined
  readonly tookMs: number
  readonly request: string | undefined
  readonly response: string | undefined
}
