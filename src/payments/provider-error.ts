const PROVIDER_FAULTS = [
  /** The deadline passed. */
  'timeout',
  /** Connection refused or broken. */
  'unreachable',
  'throttled',
  /** Error at the provider, or our circuit breaker is open. */
  'unavailable',
  'credentials',
  /** The card was declined. */
  'declined',
  /** The provider's documented refusal of the request. */
  'refused',
  /** The payment is in another state than the call needs; an earlier call may have worked. */
  'state',
  'not_found',
  /** The answer violates the provider's own contract. */
  'malformed',
] as const
export type ProviderFault = (typeof PROVIDER_FAULTS)[number]

type Options = { readonly detail?: string; readonly cause?: unknown; readonly retryAfterMs?: number }

/** As VendorError: the effect `none` needs proof. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly fault: ProviderFault
  readonly effect: 'none' | 'unknown'
  readonly detail: string
  readonly retryAfterMs: number | undefined

  constructor(fault: ProviderFault, effect: 'none' | 'unknown', options: Options = {}) {
    const { detail = fault } = options
    super(`payment provider: ${detail}`, { cause: options.cause })
    this.fault = fault
    this.effect = effect
    this.detail = detail
    this.retryAfterMs = options.retryAfterMs
  }
}
