import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  SamplingBreaker,
  wrap,
} from 'cockatiel'
import { ProviderError, type ProviderFault } from '../../provider-error.ts'

const RUNNING_MAX = 20
const WAITING_MAX = 40
/** Stripe's own refusals do not open the breaker. */
const COUNTED = new Set<ProviderFault>(['timeout', 'unreachable', 'unavailable', 'malformed'])

/** Limit and circuit breaker of all calls to Stripe. What it refuses was never sent. */
export function createStripeGuard() {
  const limit = bulkhead(RUNNING_MAX, WAITING_MAX)
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof ProviderError && COUNTED.has(error.fault) && !isGivenUp(error)),
    {
      halfOpenAfter: new ExponentialBackoff({ initialDelay: 2_000, maxDelay: 30_000 }),
      breaker: new SamplingBreaker({ threshold: 0.5, duration: 10_000, minimumRps: 2 }),
    },
  )
  const policy = wrap(limit, breaker)

  return async function runGuarded<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await policy.execute(attempt)
    } catch (error) {
      if (error instanceof BulkheadRejectedError)
        throw new ProviderError('throttled', 'none', { detail: 'too many calls under way', cause: error })
      if (error instanceof BrokenCircuitError)
        throw new ProviderError('unavailable', 'none', { detail: 'resting after repeated failures', cause: error })
      throw error
    }
  }
}

/** The caller disconnected, which says nothing about Stripe. */
const isGivenUp = ({ fault, cause }: ProviderError): boolean =>
  fault === 'timeout' && cause instanceof Error && cause.name === 'AbortError'
