import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  SamplingBreaker,
} from 'cockatiel'
import type { VendorId } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { createFairTurns, QueueFull } from '../../lib/async/fair-queue.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { VendorError } from '../vendor-error.ts'
import type { CallClass, Reply } from './call.ts'

export type Guard = {
  run(vendor: VendorId, context: CallContext, attempt: () => Promise<Reply>): Promise<Reply>
  state(): 'open' | 'half_open' | 'closed'
  /** Number of calls in flight, without queued ones. */
  inFlight(): number
}

/** Internal to the breaker, so that it counts a 5xx. The adapter still gets the reply. */
class ServerErrorReply extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('server error')
    this.reply = reply
  }
}

/** Internal to the breaker, so that it does not count an abandoned call. */
class GivenUp extends Error {}

const COUNTED_FAULTS = new Set(['timeout', 'unreachable', 'malformed'])

/** Shorter deadlines are the caller's choice and do not count against the vendor. */
const PATIENCE_MIN_MS = 2_000

/** The caller disconnected or set a short deadline, so the failure says nothing about the vendor. */
export const isGivenUp = (signal: AbortSignal, tookMs: number): boolean =>
  signal.aborted && (tookMs < PATIENCE_MIN_MS || signal.reason?.name !== 'TimeoutError')

/**
 * Limit and circuit breaker for one class of calls to one vendor. At the limit, as many calls of each account may wait.
 * Refusals and abandoned calls do not open the breaker; `manage` has no breaker, so that bookings can always be read.
 */
export function createGuard(
  callClass: CallClass,
  limit: number,
  isRefusal: (reply: Reply) => boolean = () => false,
): Guard {
  const turns = createFairTurns({ running: limit, waitingPerKey: limit })
  const breaker = circuitBreaker(
    handleWhen(
      (error) => error instanceof ServerErrorReply || (error instanceof VendorError && COUNTED_FAULTS.has(error.fault)),
    ),
    {
      halfOpenAfter: new ExponentialBackoff({ initialDelay: 5_000, maxDelay: 60_000 }),
      breaker: new SamplingBreaker({ threshold: 0.5, duration: 10_000, minimumRps: 2 }),
    },
  )

  async function attemptCounted(signal: AbortSignal, attempt: () => Promise<Reply>): Promise<Reply> {
    const startedAt = monotonicMs()
    const reply = await attempt().catch((error: unknown) => {
      // While the breaker is half open, an abandoned call must not close it.
      const isCounted = breaker.state !== CircuitState.Closed || !isGivenUp(signal, monotonicMs() - startedAt)
      throw isCounted ? error : new GivenUp('given up', { cause: error })
    })
    if (reply.status >= 500 && !isRefusal(reply)) throw new ServerErrorReply(reply)
    return reply
  }

  return {
    async run(vendor, { signal, accountId = '' }, attempt) {
      using _turn = await turns.enter(accountId, { signal }).catch((error: unknown) => {
        throw error instanceof QueueFull
          ? new VendorError(vendor, 'throttled', 'none', { detail: 'too many calls under way' })
          : new VendorError(vendor, 'timeout', 'none', { detail: 'no time left' })
      })
      try {
        return await (callClass === 'manage' ? attempt() : breaker.execute(() => attemptCounted(signal, attempt)))
      } catch (error) {
        if (error instanceof ServerErrorReply) return error.reply
        if (error instanceof GivenUp) throw error.cause
        if (error instanceof BrokenCircuitError) {
          throw new VendorError(vendor, 'unavailable', 'none', { detail: 'resting after repeated failures' })
        }
        throw error
      }
    },
    state() {
      if (callClass === 'manage' || breaker.state === CircuitState.Closed) return 'closed'
      return breaker.state === CircuitState.HalfOpen ? 'half_open' : 'open'
    },
    inFlight: turns.running,
  }
}
