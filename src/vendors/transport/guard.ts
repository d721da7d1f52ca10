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

/** Thrown inside the breaker only, so that it does not count a call that the caller has given up. */
class GivenUp extends Error {}

const COUNTED_FAULTS = new Set(['timeout', 'unreachable', 'malformed'])

/** Every vendor may take so long: a deadline that passes earlier is the caller's choice. */
const PATIENCE_MIN_MS = 2_000

/** Whether a call ended because its caller disconnected or gave it little time, which tells nothing about the vendor. */
export const isGivenUp = (signal: AbortSignal, tookMs: number): boolean =>
  signal.aborted && (tookMs < PATIENCE_MIN_MS || signal.reason?.name !== 'TimeoutError')

/**
 * Limit and breaker for one class of calls to one vendor. At the limit, as many calls of each account may wait, and accounts take turns. Refusals, and calls that the caller gives up, do not open the breaker, and
 * there is none for `manage`: how a booking stands can always be asked.
 */
export function createGuard(of: CallClass, limit: number, isRefusal: (reply: Reply) => boolean = () => false): Guard {
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

  async function counted(signal: AbortSignal, attempt: () => Promise<Reply>): Promise<Reply> {
    const startedAt = monotonicMs()
    const reply = await attempt().catch((error: unknown) => {
      // While the breaker tries the vendor again, a call that proves nothing must not close it.
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
        return await (of === 'manage' ? attempt() : breaker.execute(() => counted(signal, attempt)))
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
      if (of === 'manage' || breaker.state === CircuitState.Closed) return 'closed'
      return breaker.state === CircuitState.HalfOpen ? 'half_open' : 'open'
    },
    underWay: turns.running,
  }
}
