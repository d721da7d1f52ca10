import createFetchClient from 'openapi-fetch'
import { deriveIdempotencyKey } from './idempotency-key.ts'
import type { Arguments, CallOptions, Operation, Simulation } from './methods.ts'
import { backoffMs, DEFAULT_RETRIES, getTimeoutMs, isRetriedByClient, isSafe, MAX_WAIT_MS } from './policy.ts'
import { randomId } from './random-id.ts'
import { type Attempt, toLostResponseError, toResponseError } from './read-failure.ts'
import { SeraiError } from './serai-error.ts'

export type ClientOptions = {
  /** URL of the service, such as `https://api.example.com`; empty in a page served by the service itself. */
  readonly baseUrl: string
  /** A token (`srt_…`) or API key (`srk_…`), or a function that returns one. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Called with the token of a denied call (401, 403). Return true to get a new token and repeat it once. */
  readonly onDenied?: ((error: SeraiError, token: string | undefined) => boolean | Promise<boolean>) | undefined
  /** Default simulation of every call. */
  readonly simulate?: Simulation | undefined
  readonly retries?: number | undefined
  /** In milliseconds, by operation, such as `{ 'booking.create': 60_000 }`. */
  readonly timeouts?: Readonly<Record<string, number>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Called after every attempt, for logging. */
  readonly onAttempt?: ((attempt: AttemptReport) => void) | undefined
}

export type AttemptReport = {
  readonly operation: string
  readonly attempt: number
  readonly requestId: string
  /** 0 if no response arrived. */
  readonly status: number
  readonly tookMs: number
}

/** A response whose body has not been read. */
export type OpenedResponse = { readonly response: Response; readonly attempt: Attempt }
/** Reads a response within the time limit of the attempt. */
type ReadResponse<T> = (opened: OpenedResponse) => Promise<T>

export type Call = <T>(
  name: string,
  operation: Operation,
  args: Arguments,
  options: CallOptions & { readonly accept?: string },
  read: ReadResponse<T>,
) => Promise<T>

/** Untyped here; methods.ts has the types of each call. */
type Send = (method: string, path: string, init: object) => Promise<{ response: Response; error?: unknown }>

/** Sends a call, and repeats it if that cannot have a second effect. */
export function createCall(setup: ClientOptions): Call {
  const send = createFetchClient<object>({ baseUrl: setup.baseUrl }).request as unknown as Send

  return async (name, operation, args, options, read) => {
    const parts = splitArguments(operation, args)
    const isBooking = name === 'booking.create'
    let attempt: Attempt = {
      operation: name,
      isSafe: isSafe(operation, args),
      hasUnknownEffect: false,
      isKeyed: isBooking,
      requestId: options.requestId ?? randomId('cli'),
      idempotencyKey: isBooking ? (options.idempotencyKey ?? (await deriveIdempotencyKey(parts.body))) : undefined,
    }
    const timeoutMs = options.timeoutMs ?? setup.timeouts?.[name] ?? getTimeoutMs(name, args)
    const retries = options.retries ?? setup.retries ?? DEFAULT_RETRIES
    let mayRefreshToken = operation.needsToken
    for (let failures = 0; ; ) {
      const token = operation.needsToken ? await raceWithAbort(() => resolveToken(setup), options.signal) : undefined
      const headers = buildHeaders(setup, options, attempt, token)
      const request = { ...parts, headers, method: operation.method, path: operation.path }
      try {
        return await sendOnce(setup, send, request, attempt, { ...options, timeoutMs, count: failures + 1 }, read)
      } catch (error) {
        if (!(error instanceof SeraiError)) throw error
        const onDenied = isDenied(error) && mayRefreshToken ? setup.onDenied : undefined
        if (onDenied !== undefined && (await raceWithAbort(() => onDenied(error, token), options.signal))) {
          mayRefreshToken = false
          continue
        }
        const waitMs = error.retryAfterMs ?? backoffMs(failures)
        if (failures >= retries || !isRetriedByClient(error) || waitMs > MAX_WAIT_MS) throw error
        failures += 1
        attempt = { ...attempt, hasUnknownEffect: error.effect === 'unknown' }
        await pause(waitMs, options.signal)
      }
    }
  }
}

type PreparedRequest = Parts & {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
}
type Limits = { readonly signal?: AbortSignal | undefined; readonly timeoutMs: number; readonly count: number }

async function sendOnce<T>(
  setup: ClientOptions,
  send: Send,
  request: PreparedRequest,
  attempt: Attempt,
  { signal, timeoutMs, count }: Limits,
  read: ReadResponse<T>,
): Promise<T> {
  const startedAt = performance.now()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, MAX_TIMER_MS))
  const combined = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal])
  let isSent = false
  let response: Response | undefined
  try {
    const sent = await send(request.method, request.path, {
      params: { path: request.inPath, query: request.inQuery },
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: combined,
      parseAs: 'stream',
      // Stored here so that the status is known even if the body breaks off.
      fetch: async (outgoing: Request) => {
        isSent = true
        // Node drops the signal of a Request once it is garbage-collected, and the body would never end.
        response = await (setup.fetch ?? globalThis.fetch)(outgoing, { signal: combined })
        return response
      },
    })
    if (!sent.response.ok) throw toResponseError(attempt, sent.response, sent.error)
    return await read({ response: sent.response, attempt })
  } catch (error) {
    if (error instanceof SeraiError) throw error
    if (signal?.aborted) throw signal.reason
    // An invalid request is the caller's mistake; repeating it would fail again.
    if (!isSent) throw error
    const code = timeout.signal.aborted ? 'timeout' : response === undefined ? 'unreachable' : 'unreadable_answer'
    throw toLostResponseError(attempt, code, error, response)
  } finally {
    clearTimeout(timer)
    const { operation, requestId } = attempt
    const tookMs = Math.round(performance.now() - startedAt)
    reportAttempt(setup, { operation, attempt: count, requestId, status: response?.status ?? 0, tookMs })
  }
}

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** A failing logger must not hide the result of the call. */
function reportAttempt({ onAttempt }: ClientOptions, attempt: AttemptReport): void {
  try {
    onAttempt?.(attempt)
  } catch {}
}

const isDenied = ({ status }: SeraiError) => status === 401 || status === 403

type Parts = {
  inPath: Record<string, unknown>
  inQuery: Record<string, unknown>
  body: Record<string, unknown> | undefined
}

/** Arguments that are in neither the path nor the query belong to the body. */
function splitArguments(operation: Operation, args: Arguments): Parts {
  const parts: Parts = { inPath: {}, inQuery: {}, body: operation.hasBody ? {} : undefined }
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue
    if (operation.inPath.includes(name)) parts.inPath[name] = value
    else if (operation.inQuery.includes(name)) parts.inQuery[name] = value
    else if (operation.inQuery.includes(`${name}[]`)) parts.inQuery[`${name}[]`] = value
    else if (parts.body !== undefined) parts.body[name] = value
    else throw new TypeError(`${operation.id} has no argument ${name}.`)
  }
  const missing = operation.inPath.find((name) => FORBIDDEN_SEGMENTS.includes(String(parts.inPath[name] ?? '')))
  if (missing !== undefined) throw new TypeError(`${operation.id} needs the argument ${missing}.`)
  return parts
}

/** In a path, these would point to another address. */
const FORBIDDEN_SEGMENTS = ['', '.', '..']

const resolveToken = ({ token }: ClientOptions) => (typeof token === 'function' ? token() : token)

function buildHeaders(
  setup: ClientOptions,
  options: CallOptions & { readonly accept?: string },
  attempt: Attempt,
  token: string | undefined,
): Record<string, string> {
  const simulate = options.simulate ?? setup.simulate
  return {
    accept: options.accept ?? 'application/json, application/problem+json, */*;q=0.1',
    'x-request-id': attempt.requestId,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(attempt.idempotencyKey === undefined ? {} : { 'idempotency-key': attempt.idempotencyKey }),
    ...(simulate === undefined ? {} : { 'x-simulate-return': simulate }),
    ...setup.headers,
    ...options.headers,
  }
}

/** Waits for work that does not take a signal, until the caller aborts. */
async function raceWithAbort<T>(work: () => T, signal: AbortSignal | undefined): Promise<Awaited<T>> {
  signal?.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Rejects with the caller's reason if the caller aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
