import type { Dispatcher } from 'undici'
import { Pool } from 'undici'
import type { VendorId } from '../domain/offer.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { monotonicMs } from '../lib/clock.ts'
import { CALL_CLASSES, type Call, type CallClass, type Reply, type Send } from './call.ts'
import { createGuard, type Guard } from './guard.ts'
import { BODY_MAX_BYTES, readAnswer, UnpackError, unpack } from './read-answer.ts'
import { createReadApart, type Outcome, type ReadApart } from './read-apart.ts'
import { type Effect, VendorError, type VendorFault } from './vendor-error.ts'

/** How one call went, for the log and the metrics. Holds no header, no body, no query. */
export type CallReport = {
  readonly vendor: VendorId
  readonly operation: string
  readonly class: CallClass
  readonly requestId: string
  readonly status: number | undefined
  readonly fault: VendorFault | undefined
  readonly ms: number
}

export type HttpClientOptions = {
  readonly vendor: VendorId
  /** Named origins; a call goes to the first unless it names another. */
  readonly origins: Readonly<Record<string, string>>
  readonly clock: Clock
  /** In flight at once, by class. */
  readonly limits?: Partial<Record<CallClass, number>>
  /** Client certificate and its key, for vendors that ask for mutual TLS. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly passphrase?: string; readonly ca?: string }
  /** Until when (epoch ms) the vendor asks to be left alone, read from its answer; 0 for "go on". */
  readonly holdOff?: (reply: Reply, now: number) => number
  /** A 5xx by which the vendor only says no, as some do: it is no sign of being unwell. */
  readonly isRefusal?: (reply: Reply) => boolean
  readonly onCall?: (report: CallReport) => void
}

export type HttpClient = {
  readonly send: Send
  breakerState(of: CallClass): 'open' | 'half_open' | 'closed'
  close(): Promise<void>
}

/** From here on an answer (packed, as vendors send them) takes longer to read than to hand to another thread. */
const APART_BYTES = 8 * 1024
const CONNECT_TIMEOUT_MS = 3_000
/** The caller's deadline is what ends a call; this one only frees sockets should a caller forget to set one. */
const SILENCE_MAX_MS = 130_000
const LIMITS: Record<CallClass, number> = { content: 8, search: 32, price_check: 32, book: 32, manage: 16 }
/** At most this share of calls may be second tries. */
const RETRY_SHARE = 0.1

/** The one way out of the process: deadline, pool, limits, breaker, and a second try where nothing can be done twice. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { vendor, clock } = options
  const limits = { ...LIMITS, ...options.limits }
  const guards = new Map<CallClass, Guard>(
    CALL_CLASSES.map((of) => [of, createGuard(of, limits[of], options.isRefusal)]),
  )
  const pools = new Map(
    Object.entries(options.origins).map(([name, origin]) => [name, openPool(origin, limits, options)]),
  )
  const [firstOrigin = ''] = pools.keys()
  const apart = createReadApart()
  let heldUntil = 0
  let retryBudget = 1

  async function attempt(call: Call, context: CallContext): Promise<Reply> {
    const pool = pools.get(call.origin ?? firstOrigin)
    if (pool === undefined) throw new Error(`${vendor} has no origin named ${call.origin}`)
    const reply = await exchange(pool, vendor, call, context, apart)
    heldUntil = Math.max(heldUntil, options.holdOff?.(reply, clock.now()) ?? 0)
    return reply
  }

  async function guarded(call: Call, context: CallContext): Promise<Reply> {
    if (context.signal.aborted) throw lost(vendor, 'timeout', 'none', 'no time left')
    const mayWait = call.class === 'search' || call.class === 'content'
    if (mayWait && heldUntil > clock.now()) {
      throw new VendorError(vendor, 'throttled', 'none', {
        detail: 'asked to slow down',
        retryAfterMs: heldUntil - clock.now(),
      })
    }
    const guard = guards.get(call.class)
    if (guard === undefined) throw new Error(`no guard for ${call.class}`)
    return guard.run(vendor, () => attempt(call, context))
  }

  async function send(call: Call, context: CallContext): Promise<Reply> {
    retryBudget = Math.min(10, retryBudget + RETRY_SHARE)
    try {
      return await guarded(call, context)
    } catch (error) {
      const again = error instanceof VendorError && error.fault === 'unreachable' && call.ifLost === 'none'
      if (!again || context.signal.aborted || retryBudget < 1) throw error
      retryBudget -= 1
      return guarded(call, context)
    }
  }

  return {
    async send(call, context) {
      const startedAt = monotonicMs()
      const report = (status: number | undefined, fault: VendorFault | undefined) =>
        options.onCall?.({
          vendor,
          operation: call.operation,
          class: call.class,
          requestId: context.requestId,
          status,
          fault,
          ms: monotonicMs() - startedAt,
        })
      try {
        const reply = await send(call, context)
        report(reply.status, undefined)
        return reply
      } catch (error) {
        report(undefined, error instanceof VendorError ? error.fault : undefined)
        throw error
      }
    },
    breakerState: (of) => guards.get(of)?.state() ?? 'closed',
    async close() {
      await Promise.all([apart.close(), ...[...pools.values()].map((pool) => pool.destroy())])
    },
  }
}

function openPool(origin: string, limits: Record<CallClass, number>, options: HttpClientOptions): Pool {
  return new Pool(origin, {
    connections: Object.values(limits).reduce((sum, limit) => sum + limit, 0),
    pipelining: 1,
    headersTimeout: SILENCE_MAX_MS,
    bodyTimeout: SILENCE_MAX_MS,
    maxResponseSize: BODY_MAX_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...options.tls },
  })
}

async function exchange(
  pool: Pool,
  vendor: VendorId,
  call: Call,
  context: CallContext,
  apart: ReadApart,
): Promise<Reply> {
  if (!call.path.startsWith('/') || call.path.startsWith('//')) {
    throw lost(vendor, 'malformed', 'none', 'an address outside the vendor')
  }
  if (call.reading !== undefined) apart.warm(call.reading.module)
  try {
    const answer = await pool.request({
      method: call.method,
      path: call.path,
      headers: call.body === undefined ? { ...call.headers } : { 'content-type': 'application/json', ...call.headers },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: context.signal,
    })
    return await readReply(answer, vendor, call, apart, context.signal)
  } catch (error) {
    throw error instanceof VendorError ? error : failureOf(error, vendor, call.ifLost, context.signal)
  }
}

async function readReply(
  answer: Dispatcher.ResponseData,
  vendor: VendorId,
  call: Call,
  apart: ReadApart,
  signal: AbortSignal,
): Promise<Reply> {
  const status = answer.statusCode
  const headers = flatten(answer.headers)
  const encoding = headers['content-encoding']
  const list = status === 200 ? call.list : undefined
  const { reading, ifLost } = call
  const raw = Buffer.from(await answer.body.arrayBuffer())
  try {
    if (status === 200 && reading !== undefined && raw.length >= APART_BYTES && apart.isReady()) {
      const { module, frame } = reading
      const { body, text, ...outcome } = await apart.read({ raw, encoding, list, module, frame }, signal)
      return {
        status,
        headers,
        body,
        ...(text !== undefined && { text }),
        read: () => answerOf(outcome, vendor, ifLost),
      }
    }
    const { items, ...said } = readAnswer(await unpack(raw, encoding), list)
    return { status, headers, ...said, ...(items && { items: readable(items, vendor, ifLost) }) }
  } catch (cause) {
    if (!(cause instanceof UnpackError)) throw cause
    throw lost(vendor, 'malformed', ifLost, cause.message, cause)
  }
}

function answerOf(outcome: Outcome, vendor: VendorId, ifLost: Effect): unknown {
  if ('bug' in outcome) throw outcome.bug
  if ('failure' in outcome) throw lost(vendor, outcome.failure.fault, ifLost, outcome.failure.detail)
  return outcome.answer
}

/** A list that ends in the middle is the vendor's fault, also where that shows late. */
function* readable(items: Iterable<unknown>, vendor: VendorId, ifLost: Effect): Generator<unknown> {
  try {
    yield* items
  } catch (cause) {
    throw cause instanceof SyntaxError ? lost(vendor, 'malformed', ifLost, 'a body that is no JSON', cause) : cause
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** Failures before the first byte left: the vendor cannot have acted. */
const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function failureOf(error: unknown, vendor: VendorId, ifLost: Effect, signal: AbortSignal): VendorError {
  if (signal.aborted) return lost(vendor, 'timeout', ifLost, 'no answer in time', error)
  const code = codeOf(error)
  if (NEVER_LEFT.has(code)) return lost(vendor, 'unreachable', 'none', code, error)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return lost(vendor, 'malformed', ifLost, 'a body over 16 MiB', error)
  if (code.endsWith('_TIMEOUT')) return lost(vendor, 'timeout', ifLost, code, error)
  return lost(vendor, 'unreachable', ifLost, code === '' ? 'connection lost' : code, error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function lost(vendor: VendorId, fault: VendorFault, effect: Effect, detail: string, cause?: unknown): VendorError {
  return new VendorError(vendor, fault, effect, { detail, cause })
}
