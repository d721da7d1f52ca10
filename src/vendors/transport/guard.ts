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
import type { VendorId } from '../../domain/offer.ts'
import { VendorError } from '../vendor-error.ts'
import type { CallClass, Reply } from './call.ts'

export type Guard = {
  run(vendor: VendorId, attempt: () => Promise<Reply>): Promise<Reply>
  state(): 'open' | 'half_open' | 'closed'
  /** Calls at this moment, those that wait for their turn not counted. */
  underWay(): number
}

/** Thrown inside the breaker only, so that it counts a 5xx; the reply itself still reaches the adapter. */
class ServerErrorReply extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('server error')
    this.reply = reply
  }
}

const COUNTED_FAULTS = new Set(['timeout', 'unreachable', 'malformed'])

/**
 * Bulkhead and breaker for one class of calls to one vendor. Refusals do not open the breaker, and there is none for
 * `manage`: how a booking stands can always be asked. As many calls as may run at once may wait for their turn.
 */
export function createGuard(of: CallClass, limit: number, isRefusal: (reply: Reply) => boolean = () => false): Guard {
  const limited = bulkhead(limit, limit)
  const breaker = circuitBreaker(
    handleWhen(
      (error) => error instanceof ServerErrorReply || (error instanceof VendorError && COUNTED_FAULTS.has(error.fault)),
    ),
    {
      halfOpenAfter: new ExponentialBackoff({ initialDelay: 5_000, maxDelay: 60_000 }),
      breaker: new SamplingBreaker({ threshold: 0.5, duration: 10_000, minimumRps: 2 }),
    },
  )
  const policy = of === 'manage' ? limited : wrap(limited, breaker)

  return {
    async run(vendor, attempt) {
      try {
        return await policy.execute(async () => {
          const reply = await attempt()
          if (reply.status >= 500 && !isRefusal(reply)) throw new ServerErrorReply(reply)
          return reply
        })
      } catch (error) {
        if (error instanceof ServerErrorReply) return error.reply
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
    underWay: () => limit - limited.executionSlots,
  }
}
