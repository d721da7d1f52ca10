import type { VendorId } from '../domain/offer.ts'

export const VENDOR_FAULTS = [
  /** The deadline passed. */
  'timeout',
  /** No connection, or it broke. */
  'unreachable',
  /** Refused for too many requests, by the vendor or by our own limit for it. */
  'throttled',
  /** The vendor reports trouble of its own, or our breaker is open. */
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

/** Why a call got no answer. `given_up`: its caller disconnected or gave it little time, which tells nothing about the vendor. */
export type CallFault = VendorFault | 'given_up'

/**
 * Whether the vendor may have acted on the call. `none` needs proof: the request never left, or the vendor's
 * own documented answer says that nothing was done. Everything else is `unknown`.
 */
export type Effect = 'none' | 'unknown'

type Options = { readonly detail?: string; readonly cause?: unknown; readonly retryAfterMs?: number }

/** A vendor failed. Use cases turn it into a report, a state or an AppError; it never leaves them. */
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

/** `detail` of the error for an answer over the size limit, compressed or not. */
export const TOO_LARGE = 'a body over 16 MiB'
export const isTooLarge = (error: unknown): boolean => error instanceof VendorError && error.detail === TOO_LARGE

/** What was asked for; undefined where the vendor says that there is no such thing. */
export async function unlessNotFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof VendorError && error.fault === 'not_found') return undefined
    throw error
  }
}

/** For `catch`, where a vendor's failure only means that something is not known. */
export function noneOfVendor(error: unknown): undefined {
  if (!(error instanceof VendorError)) throw error
}
