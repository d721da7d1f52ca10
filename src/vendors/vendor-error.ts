import type { VendorId } from '../domain/offer.ts'

export const VENDOR_FAULTS = [
  /** The deadline passed. */
  'timeout',
  /** Connection refused or broken. */
  'unreachable',
  /** Rate limit of the vendor or of our client for it. */
  'throttled',
  /** Error at the vendor, or our circuit breaker is open. */
  'unavailable',
  'credentials',
  /** The vendor cannot be used with a setting of ours, such as the payment method. Shown to operators. */
  'misconfigured',
  /** The vendor's documented refusal of the request. */
  'refused',
  'sold_out',
  'price_changed',
  /** The offer or link has expired. */
  'expired',
  /** The vendor already has a booking with our reference. */
  'duplicate',
  'not_found',
  /** The vendor rejected a condition of a search. */
  'condition_refused',
  /** The response violates the vendor's own contract. */
  'malformed',
] as const
export type VendorFault = (typeof VENDOR_FAULTS)[number]

/** `given_up`: the caller disconnected or set a short deadline, so the failure says nothing about the vendor. */
export type CallFault = VendorFault | 'given_up'

/**
 * Effect of the call at the vendor. `none` needs proof: the request never left, or the vendor's own documented answer
 * says that nothing was done.
 */
export type Effect = 'none' | 'unknown'

type Options = { readonly detail?: string; readonly cause?: unknown; readonly retryAfterMs?: number }

/** Use cases convert it to a report, a state or an AppError. */
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

/** Options of an AppError that is caused by this failure. */
export const causedBy = (cause: VendorError) => ({
  cause,
  failedVendors: [{ vendorId: cause.vendor, status: cause.fault, reason: cause.detail }],
})

/** Error detail for a response over the size limit, compressed or not. */
export const TOO_LARGE = 'a body over 16 MiB'
export const isTooLarge = (error: unknown): boolean => error instanceof VendorError && error.detail === TOO_LARGE

/** Returns undefined if the vendor reports that the object does not exist. */
export async function unlessNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof VendorError && error.fault === 'not_found') return undefined
    throw error
  }
}

/** For `catch` around optional vendor calls: returns undefined for a VendorError and rethrows anything else. */
export function ignoreVendorError(error: unknown): undefined {
  if (!(error instanceof VendorError)) throw error
}

/** If reading the booking fails after a cancellation, the outcome of the cancellation is unknown. */
export function toUnknownEffect(error: unknown): never {
  if (!(error instanceof VendorError)) throw error
  throw new VendorError(error.vendor, error.fault, 'unknown', {
    detail: 'the state after the cancellation is unknown',
    cause: error,
  })
}
