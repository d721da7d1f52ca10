import { DAY_MS } from '../lib/time/durations.ts'
import type { VendorId } from './offer.ts'

/** How long calls to vendors are kept. */
export const VENDOR_CALL_KEPT_MS = 30 * DAY_MS

/** A call to a vendor as operators read it: without persons, keys and signatures. */
export type VendorCall = {
  readonly id: string
  readonly at: number
  readonly vendorId: VendorId
  /** `price_check`, `book`, `manage`; others only where they failed. */
  readonly class: string
  readonly operation: string
  /** Of our request, or of the job that made the call. */
  readonly requestId: string
  readonly bookingId: string | undefined
  readonly method: string
  readonly path: string
  /** What the vendor answered, or why it did not. */
  readonly status: number | undefined
  readonly fault: string | undefined
  readonly tookMs: number
  readonly request: string | undefined
  readonly response: string | undefined
}
