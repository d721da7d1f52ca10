import { Pool } from 'undici'
import type { VendorId } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { type CallFault, VendorError } from '../vendor-error.ts'
import { CALL_CLASSES, type Call, type CallClass, type Reply, type Send } from './call.ts'
import { exchange } from './exchange.ts'
import { createGuard, type Guard, isGivenUp } from './guard.ts'
import { BODY_MAX_BYTES } from './read-answer.ts'
import type { ReadingThreads } from './reading-threads.ts'

/** How one call went, for the log and the metrics. Holds no header, no body, no query. */
export type CallReport = {
  readonly vendor: VendorId
  readonly operation: string
  readonly class: CallClass
  readonly requestId: string
  readonly status: number | undefined
  readonly fault: CallFault | undefined
  readonly ms: number
}

export type HttpClientOptions = {
  readonly vendor: VendorId
  /** Named origins; a call goes to the first unless it names another. */
  readonly origins: Readonly<Record<string, string>>
  readonly clock: Clock
  /** Client certificate and its key, for vendors that ask for mutual TLS. */
  readonly tls?: Tls | undefined
  /** Until when (epoch ms) the vendor asks to be left alone, read from its answer; 0 for "go on". */
  readonly holdOff?: ((reply: Reply, now: number) => number) | undefined
  /** A 5xx by which the vendor only refuses a request, as some do; it does not count as a failure of the vendor. */
  readonly isRefusal?: ((reply: Reply) => boolean) | undefined
  readonly onCall?: ((report: CallReport) => void) | undefined
  /** Read long answers; without them every answer is read where it arrives. */
  readonly threads?: ReadingThreads | undefined
}

export type Tls = { readonly cert?: string; readonly key?: string; readonly passphrase?: string; readonly ca?: string }

export type HttpClient = {
  readonly send: Send
  breakerState(of: CallClass): 'open' | 'half_open' | 'closed'
  /** Calls of a class at this moment, and how many there may be. */
  underWay(of: CallClass): number
  limitOf(of: CallClass): number
  /** Until when (epoch ms) the vendor asked to be left alone; a moment that has passed when it does not. */
  heldUntil(): number
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 3_000
/** Calls end by the caller's deadline; this frees the socket of a caller that set none. */
const SILENCE_MAX_MS = 130_000
/** In flight at once, by class. A search of a thousand properties may be two dozen calls to one vendor. */
const LIMITS: Record<CallClass, number> = { content: 8, search: 96, price_check: 32, book: 32, manage: 16 }
/** At most this share of calls may be second tries. */
const RETRY_SHARE = 0.1

/** Everything that goes to a vendor passes here: deadline, pool, limits, breaker, and a second try for reads. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { vendor, clock, threads } = options
  const guards = new Map<CallClass, Guard>(
    CALL_CLASSES.map((of) => [of, createGuard(of, LIMITS[of], options.isRefusal)]),
  )
  const pools = new Map(Object.entries(options.origins).map(([name, origin]) => [name, openPool(origin, options.tls)]))
  const [firstOrigin = ''] = pools.keys()
  const held = { content: 0, search: 0 }

  async function attempt(call: Call, context: CallContext): Promise<Reply> {
    const pool = pools.get(call.origin ?? firstOrigin)
    if (pool === undefined) throw new Error(`${vendor} has no origin named ${call.origin}`)
    const reply = await exchange({ pool, vendor, threads }, call, context)
    const until = options.holdOff?.(reply, clock.now()) ?? 0
    held.content = Math.max(held.content, until)
    // Content has its own, stricter limits: a pause for content must not stop searches.
    if (call.class !== 'content') held.search = Math.max(held.search, until)
    return reply
  }

  async function guarded(call: Call, context: CallContext): Promise<Reply> {
    const waitMs = call.class === 'search' || call.class === 'content' ? held[call.class] - clock.now() : 0
    if (waitMs > 0) {
      throw new VendorError(vendor, 'throttled', 'none', { detail: 'asked to slow down', retryAfterMs: waitMs })
    }
    const guard = guards.get(call.class)
    if (guard === undefined) throw new Error(`no guard for ${call.class}`)
    return guard.run(vendor, context, () => attempt(call, context))
  }

  return {
    send: reported(vendor, options.onCall, retried(guarded)),
    breakerState: (of) => guards.get(of)?.state() ?? 'closed',
    underWay: (of) => guards.get(of)?.underWay() ?? 0,
    limitOf: (of) => LIMITS[of],
    heldUntil: () => held.content,
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function openPool(origin: string, tls: Tls | undefined): Pool {
  return new Pool(origin, {
    connections: Object.values(LIMITS).reduce((sum, limit) => sum + limit, 0),
    pipelining: 1,
    headersTimeout: SILENCE_MAX_MS,
    bodyTimeout: SILENCE_MAX_MS,
    maxResponseSize: BODY_MAX_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...tls },
  })
}

/** A broken connection is tried once more, within a budget, where nothing can be done twice. */
function retried(send: Send): Send {
  let budget = 1
  return async (call, context) => {
    budget = Math.min(10, budget + RETRY_SHARE)
    try {
      return await send(call, context)
    } catch (error) {
      const again = error instanceof VendorError && error.fault === 'unreachable' && call.ifLost === 'none'
      if (!again || context.signal.aborted || budget < 1) throw error
      budget -= 1
      return send(call, context)
    }
  }
}

function reported(vendor: VendorId, onCall: HttpClientOptions['onCall'], send: Send): Send {
  return async (call, context) => {
    const startedAt = monotonicMs()
    const report = (status: number | undefined, fault: CallFault | undefined) => {
      const { operation, class: callClass } = call
      const ms = monotonicMs() - startedAt
      onCall?.({ vendor, operation, class: callClass, requestId: context.requestId, status, fault, ms })
    }
    try {
      const reply = await send(call, context)
      report(reply.status, undefined)
      return reply
    } catch (error) {
      const fault = error instanceof VendorError ? error.fault : undefined
      const givenUp = fault === 'timeout' && isGivenUp(context.signal, monotonicMs() - startedAt)
      report(undefined, givenUp ? 'given_up' : fault)
      throw error
    }
  }
}
