import { Pool } from 'undici'
import type { VendorId } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { failSpan, inSpan, SpanKind, traceHeaders } from '../../lib/trace.ts'
import { type CallLimits, limitAtOnce, listQuotas } from '../call-limits.ts'
import type { QuotaUsage } from '../capabilities.ts'
import { type CallFault, VendorError } from '../vendor-error.ts'
import { CALL_CLASSES, type Call, type CallClass, type Reply, type Send } from './call.ts'
import type { ShapeWatch } from './drift/watch-shapes.ts'
import { exchange } from './exchange.ts'
import { createGuard, type Guard, isGivenUp } from './guard.ts'
import { BODY_MAX_BYTES } from './parse-body.ts'
import { type CreateLimiter, createQuotaGate, waitWithin } from './quota.ts'
import type { ReadingThreads } from './reading-threads.ts'

/** Outcome of one call, for logs and metrics. Contains no headers, bodies or queries. */
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
  /** Named origins; the first is the default. */
  readonly origins: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly limits?: CallLimits
  /** Counts calls for `limits`, which are not enforced without it. */
  readonly createLimiter?: CreateLimiter | undefined
  /** Client certificate and key, for vendors that require mutual TLS. */
  readonly tls?: Tls | undefined
  /** Time (epoch ms) until which the vendor asks for a pause; 0 for none. */
  readonly holdOff?: ((reply: Reply, now: number) => number) | undefined
  /** Recognizes a 5xx that is only a refusal of the request and must not open the breaker. */
  readonly isRefusal?: ((reply: Reply) => boolean) | undefined
  readonly onCall?: ((report: CallReport) => void) | undefined
  /** Sends the trace context to the vendor. */
  readonly sendTrace?: boolean | undefined
  /** Threads for long responses; without them, every response is decoded on the main thread. */
  readonly threads?: ReadingThreads | undefined
  /** Learns the shapes of responses. */
  readonly shapes?: ShapeWatch | undefined
}

export type Tls = { readonly cert?: string; readonly key?: string; readonly passphrase?: string; readonly ca?: string }

export type HttpClient = {
  readonly send: Send
  breakerState(callClass: CallClass): 'open' | 'half_open' | 'closed'
  inFlight(callClass: CallClass): number
  limit(callClass: CallClass): number
  /** Time (epoch ms) until which the vendor asked for a pause; in the past if there is none. */
  heldUntil(): number
  readQuotas(): Promise<QuotaUsage[]>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 3_000
/** Frees the socket of a call without a deadline. */
const IDLE_TIMEOUT_MS = 130_000
const REPEATS_MAX = 5
/** Maximum share of retries. */
const RETRY_SHARE = 0.1

/** HTTP client of one vendor: pool, deadline, limits, breaker, and one retry of reads. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { vendor, clock, threads, limits = {}, createLimiter } = options
  const limit = (callClass: CallClass) => limitAtOnce(callClass, limits)
  const guards = new Map<CallClass, Guard>(
    CALL_CLASSES.map((callClass) => [callClass, createGuard(callClass, limit(callClass), options.isRefusal)]),
  )
  const quotas = createLimiter && createQuotaGate(vendor, listQuotas(limits), createLimiter)
  const connections = CALL_CLASSES.reduce((sum, callClass) => sum + limit(callClass), 0)
  const pools = new Map(
    Object.entries(options.origins).map(([name, origin]) => [name, openPool(origin, connections, options.tls)]),
  )
  const [firstOrigin = ''] = pools.keys()
  const held = { content: 0, search: 0 }

  async function attempt(call: Call, context: CallContext): Promise<Reply> {
    const pool = pools.get(call.origin ?? firstOrigin)
    if (pool === undefined) throw new Error(`${vendor} has no origin named ${call.origin}`)
    const reply = await exchange({ pool, vendor, threads, shapes: options.shapes }, call, context)
    const until = options.holdOff?.(reply, clock.now()) ?? 0
    held.content = Math.max(held.content, until)
    // Content has its own, stricter limits: a pause for content must not stop searches.
    if (call.class !== 'content') held.search = Math.max(held.search, until)
    return reply
  }

  /** A read that the vendor throttled is sent again if there is time. */
  async function sendPaced(call: Call, context: CallContext): Promise<Reply> {
    for (let repeatsLeft = REPEATS_MAX; ; repeatsLeft -= 1) {
      // Bookings are never held back.
      const isPaced = call.class === 'search' || call.class === 'content'
      const heldMs = isPaced ? held[call.class] - clock.now() : 0
      if (heldMs > 0) await waitWithin(vendor, heldMs, call, context)
      await quotas?.enter(call, context)
      const reply = await sendGuarded(call, context)
      const isThrottled = reply.status >= 400 && (options.holdOff?.(reply, clock.now()) ?? 0) > 0
      if (!isThrottled || !isPaced || repeatsLeft === 0) return reply
    }
  }

  async function sendGuarded(call: Call, context: CallContext): Promise<Reply> {
    const guard = guards.get(call.class)
    if (guard === undefined) throw new Error(`no guard for ${call.class}`)
    return guard.run(vendor, context, () => attempt(call, context))
  }

  return {
    send: withReport(vendor, options.onCall, withSpan(options, withRetry(sendPaced))),
    breakerState: (callClass) => guards.get(callClass)?.state() ?? 'closed',
    inFlight: (callClass) => guards.get(callClass)?.inFlight() ?? 0,
    limit,
    heldUntil: () => held.content,
    readQuotas: async () => (await quotas?.usage()) ?? [],
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function openPool(origin: string, connections: number, tls: Tls | undefined): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    maxResponseSize: BODY_MAX_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...tls },
  })
}

/** Retries a broken connection once, within a budget, if the call has no side effects. */
function withRetry(send: Send): Send {
  let budget = 1
  return async (call, context) => {
    budget = Math.min(10, budget + RETRY_SHARE)
    try {
      return await send(call, context)
    } catch (error) {
      const canRetry = error instanceof VendorError && error.fault === 'unreachable' && call.ifLost === 'none'
      if (!canRetry || context.signal.aborted || budget < 1) throw error
      budget -= 1
      return send(call, context)
    }
  }
}

function withSpan({ vendor, origins, sendTrace = false }: HttpClientOptions, send: Send): Send {
  const hosts = new Map(Object.entries(origins).map(([name, origin]) => [name, new URL(origin).hostname]))
  const [firstHost = ''] = hosts.values()
  return (call, context) => {
    const attributes = {
      'http.request.method': call.method,
      'server.address': hosts.get(call.origin ?? '') ?? firstHost,
      'serai.vendor': vendor,
      'serai.vendor.operation': call.operation,
    }
    return inSpan(`${call.method} ${call.operation}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const headers = sendTrace ? { ...call.headers, ...traceHeaders() } : call.headers
      const reply = await send(headers === undefined ? call : { ...call, headers }, context).catch((error: unknown) => {
        if (error instanceof VendorError) span.setAttribute('serai.vendor.fault', error.fault)
        throw error
      })
      span.setAttribute('http.response.status_code', reply.status)
      if (reply.status >= 400) failSpan(span, String(reply.status))
      return reply
    })
  }
}

function withReport(vendor: VendorId, onCall: HttpClientOptions['onCall'], send: Send): Send {
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
