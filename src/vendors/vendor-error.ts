import type { VendorId } from '../domain/offer.ts'

export const VENDOR_FAULTS = [
  /** The deadline passed. */
  'timeout',
  /** No connection, or it broke. */
  'unreachable',
  /** Turned away for asking too much, by the vendor or by our own limit for it. */
  'throttled',
  /** The vendor says it is unwell, or our breaker is open. */
  'unavailable',
  'credentials',
  /** A documented refusal of what was asked. */
  'refused',
  'sold_out',
  'price_changed',
  /** The offer or link is too old. */
  'expired',
  /** The vendor already has a booking under our reference. */
  'duplicate',
  'not_found',
  /** Not what the vendor's own contract says. */
  'malformed',
] as const
export type VendorFault = (typeof VENDOR_FAULTS)[number]

/**
 * Whether the vendor may have acted on the call. `none` needs proof: the request never left, or the vendor's
 * own documented answer says that nothing was done. Everything else is `unknown`.
 */
export type Effect = 'none' | 'unknown'

type Options = { readonly detail?: string; readonly cause?: unknown; readonly retryAfterMs?: number }

/** An upstream failed. Never leaves a use case: it becomes a report, a state or an AppError there. */
export class VendorError extends Error {
  override readonly name = 'VendorError'
  readonly vendor: VendorId
  readonly fault: VendorFault
  readonly effect: Effect
  readonly detail: string
  readonly retryAfterMs: number | undefined

  constructor(vendor: VendorId, fault: VendorFault, effect: Effect, options: Options = {}) {
    const { detail = fault } = options
    super(`${vendor}: ${detail}`, { cause: options.cause })
    this.detail = detail
    this.vendor = vendor
    this.fault = fault
    this.effect = effect
    this.retryAfterMs = options.retryAfterMs
  }
}
