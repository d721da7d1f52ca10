import type { AttemptName, ClientOptions, TokenCall } from './client-options.ts'
import { deriveIdempotencyKey } from './idempotency-key.ts'
import type { Arguments, Operation } from './methods.ts'
import { backoffMs, DEFAULT_RETRIES, getTimeoutMs, isRetriedByClient, isSafe, MAX_WAIT_MS } from './policy.ts'
import { randomId } from './random-id.ts'
import { type Attempt, toLostResponseError, toResponseError } from './read-failure.ts'
import { buildHeaders, buildRequest, type Parts, type RequestOptions, splitArguments } from './request.ts'
import { SeraiError } from './serai-error.ts'

/** A response whose body has not been read. */
export type OpenedResponse = { readonly response: Response; readonly attempt: Attempt }
/** Reads a response within the time limit of the attempt. */
type ReadResponse<T> = (opened: OpenedResponse) => Promise<T>

export type Call = <T>(
  name: string,
  operation: Operation,
  args: Arguments,
  options: RequestOptions,
  read: ReadResponse<T>,
) => Promise<T>

/** Sends a call, and repeats it if that cannot have a second effect. */
export function createCall(setup: ClientOptions): Call {
  if (!/^(https?:\/\/|\/|$)/i.test(setup.baseUrl))
    throw new TypeError('baseUrl must be a URL such as https://api.example.com.')
  return async (name, operation, args, options, read) => {
    const parts = splitArguments(name, operation, args)
    const isBooking = name === 'booking.create'
    let attempt: Attempt = {
      operation: name,
      isSafe: isSafe(operation, args),
      hasUnknownEffect: false,
      isKeyed: isBooking || options.idempotencyKey !== undefined,
      requestId: options.requestId ?? randomId('cli'),
      idempotencyKey: options.idempotencyKey ?? (isBooking ? await deriveIdempotencyKey(parts.body) : undefined),
    }
    const timeoutMs = options.timeoutMs ?? setup.timeouts?.[name] ?? getTimeoutMs(name, args)
    const retries = options.retries ?? setup.retries ?? DEFAULT_RETRIES
    const needsToken = operation.isPublic !== true
    let mayRefreshToken = needsToken
    for (let failures = 0; ; ) {
      const token = needsToken ? await raceWithAbort(() => resolveToken(setup, { retries }), options.signal) : undefined
      const headers = buildHeaders(setup, options, attempt, token)
      const request = { ...parts, headers, method: operation.method }
      try {
        return await sendOnce(setup, request, attempt, { ...options, timeoutMs, count: failures + 1 }, read)
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
        callHook(setup.onRetry, { ...nameAttempt(attempt, failures), error, waitMs })
        attempt = { ...attempt, hasUnknownEffect: error.effect === 'unknown' }
        await pause(waitMs, options.signal)
      }
    }
  }
}

type PreparedRequest = Parts & { readonly method: string; readonly headers: Record<string, string> }
type Limits = Pick<RequestOptions, 'signal' | 'knownTag'> & { readonly timeoutMs: number; readonly count: number }

async function sendOnce<T>(
  setup: ClientOptions,
  request: PreparedRequest,
  attempt: Attempt,
  { signal, knownTag, timeoutMs, count }: Limits,
  read: ReadResponse<T>,
): Promise<T> {
  const startedAt = performance.now()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, MAX_TIMER_MS))
  const combined = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal])
  const named = nameAttempt(attempt, count)
  const { method, path, headers } = request
  let isSent = false
  let response: Response | undefined
  try {
    callHook(setup.onRequest, { ...named, method, path, headers })
    const outgoing = buildRequest(setup, request, { method, headers, signal: combined })
    isSent = true
    // Node drops the signal of a Request once it is garbage-collected, and the body would never end.
    response = await (setup.fetch ?? globalThis.fetch)(outgoing, { signal: combined })
    const isUnchanged = response.status === 304 && knownTag !== undefined
    if (!response.ok && !isUnchanged) throw toResponseError(attempt, response, parseJson(await response.text()))
    return await read({ response, attempt })
  } catch (error) {
    if (error instanceof SeraiError) throw error
    if (signal?.aborted) throw signal.reason
    // An invalid request is the caller's mistake; repeating it would fail again.
    if (!isSent) throw error
    const code = timeout.signal.aborted ? 'timeout' : response === undefined ? 'unreachable' : 'unreadable_answer'
    throw toLostResponseError(attempt, code, error, response)
  } finally {
    clearTimeout(timer)
    const tookMs = Math.round(performance.now() - startedAt)
    callHook(setup.onResponse, { ...named, status: response?.status ?? 0, tookMs })
  }
}

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

const nameAttempt = ({ operation, requestId }: Attempt, attempt: number): AttemptName => ({
  operation,
  attempt,
  requestId,
})

/** A failing hook must not hide the result of the call. */
function callHook<T>(hook: ((value: T) => void) | undefined, value: T): void {
  try {
    hook?.(value)
  } catch {}
}

/** A proxy's error page is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const resolveToken = ({ token }: ClientOptions, call: TokenCall) => (typeof token === 'function' ? token(call) : token)

const isDenied = ({ status }: SeraiError) => status === 401 || status === 403

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
