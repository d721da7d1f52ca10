import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  SamplingBreaker,
  wrap,
} from 'cockatiel'
import type { VendorId } from '../domain/offer.ts'
import type { CallClass, Reply } from './call.ts'
import { VendorError } from './vendor-error.ts'

export type Guard = {
  run(vendor: VendorId, attempt: () => Promise<Reply>): Promise<Reply>
  state(): 'open' | 'half_open' | 'closed'
}

/** Thrown inside the breaker only, so that it counts a 5xx; the reply itself still reaches the adapter. */
class UnwellReply extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('unwell')
    this.reply = reply
  }
}

const UNWELL = new Set(['timeout', 'unreachable', 'malformed'])

/**
 * Bulkhead and breaker of one vendor's one class of calls. Refusals of the business kind do not open it.
 * As many again may wait for their turn; a call that waited in vain never left. Asking how a booking stands is never cut short.
 */
export function createGuard(of: CallClass, limit: number, isRefusal: (reply: Reply) => boolean = () => false): Guard {
  const gate = bulkhead(limit, limit)
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof UnwellReply || (error instanceof VendorError && UNWELL.has(error.fault))),
    {
      halfOpenAfter: new ExponentialBackoff({ initialDelay: 5_000, maxDelay: 60_000 }),
      breaker: new SamplingBreaker({ threshold: 0.5, duration: 10_000, minimumRps: 2 }),
    },
  )
  const policy = of === 'manage' ? gate : wrap(gate, breaker)

  return {
    async run(vendor, attempt) {
      try {
        return await policy.execute(async () => {
          const reply = await attempt()
          if (reply.status >= 500 && !isRefusal(reply)) throw new UnwellReply(reply)
          return reply
        })
      } catch (error) {
        if (error instanceof UnwellReply) return error.reply
        if (error instanceof BrokenCircuitError) {
          throw new VendorError(vendor, 'unavailable', 'none', { detail: 'resting after repeated failures' })
        }
        if (error instanceof BulkheadRejectedError) {
          throw new VendorError(vendor, 'throttled', 'none', { detail: 'too many calls under way' })
        }
        throw error
      }
    },
    state() {
      if (of === 'manage' || breaker.state === CircuitState.Closed) return 'closed'
      return breaker.state === CircuitState.HalfOpen ? 'half_open' : 'open'
    },
  }
}
