import createFetchClient from 'openapi-fetch'
import { keyOf } from './idempotency-key.ts'
import type { Arguments, CallOptions, Operation, Simulation } from './methods.ts'
import { backoffMs, isRepeatedByClient, isSafe, LONGEST_WAIT_MS, timeoutOf, USUAL_RETRIES } from './policy.ts'
import { randomId } from './random-id.ts'
import { type Attempt, answerError, lostError } from './read-failure.ts'
import { SeraiError } from './serai-error.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://api.example.com`; empty in a page that the service itself serves. */
  readonly baseUrl: string
  /** A token (`srt_…`) or API key (`srk_…`), or what returns one. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Told when a call was denied (401, 403), with the token it had. True: ask for the token again and repeat it once. */
  readonly onDenied?: ((error: SeraiError, token: string | undefined) => boolean | Promise<boolean>) | undefined
  /** Every call is simulated like this, unless it says otherwise. */
  readonly simulate?: Simulation | undefined
  readonly retries?: number | undefined
  /** In milliseconds, by operation, such as `{ 'booking.create': 60_000 }`. */
  readonly timeouts?: Readonly<Record<string, number>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Told of every attempt, for logs. */
  readonly onAttempt?: ((attempt: AttemptReport) => void) | undefined
}

export type AttemptReport = {
  readonly operation: string
  readonly attempt: number
  readonly requestId: string
  /** 0 when no answer came. */
  readonly status: number
  readonly tookMs: number
}

/** An answer with the body unread. */
export type Opened = { readonly response: Response; readonly attempt: Attempt }
/** Reads an answer while its time runs. */
type ReadAnswer<T> = (opened: Opened) => Promise<T>

export type Call = <T>(
  name: string,
  operation: Operation,
  args: Arguments,
  options: CallOptions & { readonly accept?: string },
  read: ReadAnswer<T>,
) => Promise<T>

/** The typing of calls is in methods.ts; here they are all alike. */
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
      isOpen: false,
      isKeyed: isBooking,
      requestId: options.requestId ?? randomId('cli'),
      idempotencyKey: isBooking ? (options.idempotencyKey ?? (await keyOf(parts.body))) : undefined,
    }
    const timeoutMs = options.timeoutMs ?? setup.timeouts?.[name] ?? timeoutOf(name, args)
    const retries = options.retries ?? setup.retries ?? USUAL_RETRIES
    let mayAskAgain = operation.needsToken
    for (let failures = 0; ; ) {
      const token = operation.needsToken ? await unlessAborted(() => tokenOf(setup), options.signal) : undefined
      const headers = headersOf(setup, options, attempt, token)
      const order = { ...parts, headers, method: operation.method, path: operation.path }
      try {
        return await attemptOnce(setup, send, order, attempt, { ...options, timeoutMs, count: failures + 1 }, read)
      } catch (error) {
        if (!(error instanceof SeraiError)) throw error
        // A call that was denied had no effect.
        const onDenied = isDenied(error) && mayAskAgain ? setup.onDenied : undefined
        if (onDenied !== undefined && (await unlessAborted(() => onDenied(error, token), options.signal))) {
          mayAskAgain = false
          continue
        }
        const waitMs = error.retryAfterMs ?? backoffMs(failures)
        if (failures >= retries || !isRepeatedByClient(error) || waitMs > LONGEST_WAIT_MS) throw error
        failures += 1
        attempt = { ...attempt, isOpen: error.effect === 'unknown' }
        await pause(waitMs, options.signal)
      }
    }
  }
}

type Order = Parts & { readonly method: string; readonly path: string; readonly headers: Record<string, string> }
type Limits = { readonly signal?: AbortSignal | undefined; readonly timeoutMs: number; readonly count: number }

async function attemptOnce<T>(
  setup: ClientOptions,
  send: Send,
  order: Order,
  attempt: Attempt,
  { signal, timeoutMs, count }: Limits,
  read: ReadAnswer<T>,
): Promise<T> {
  const startedAt = performance.now()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS))
  const ending = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
  let isSent = false
  let response: Response | undefined
  try {
    const answered = await send(order.method, order.path, {
      params: { path: order.inPath, query: order.inQuery },
      headers: order.headers,
      ...(order.body === undefined ? {} : { body: order.body }),
      signal: ending,
      parseAs: 'stream',
      // Kept here, so that its status is known even if its body breaks off.
      fetch: async (request: Request) => {
        isSent = true
        // Named again: Node forgets the signal of a Request that nothing holds any more, and the body would never end.
        response = await (setup.fetch ?? globalThis.fetch)(request, { signal: ending })
        return response
      },
    })
    if (!answered.response.ok) throw answerError(attempt, answered.response, answered.error)
    return await read({ response: answered.response, attempt })
  } catch (error) {
    if (error instanceof SeraiError) throw error
    if (signal?.aborted) throw signal.reason
    // What cannot be written as a request is a mistake of the caller, and would be one again.
    if (!isSent) throw error
    const code = late.signal.aborted ? 'timeout' : response === undefined ? 'unreachable' : 'unreadable_answer'
    throw lostError(attempt, code, error, response)
  } finally {
    clearTimeout(timer)
    const { operation, requestId } = attempt
    const tookMs = Math.round(performance.now() - startedAt)
    report(setup, { operation, attempt: count, requestId, status: response?.status ?? 0, tookMs })
  }
}

/** Beyond this a timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A log that fails must not hide what became of the call. */
function report({ onAttempt }: ClientOptions, attempt: AttemptReport): void {
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

/** Each argument where it belongs: what is in neither path nor query is the body. */
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
  const missing = operation.inPath.find((name) => NO_SEGMENTS.includes(String(parts.inPath[name] ?? '')))
  if (missing !== undefined) throw new TypeError(`${operation.id} needs the argument ${missing}.`)
  return parts
}

/** In a path they would name another address. */
const NO_SEGMENTS = ['', '.', '..']

const tokenOf = ({ token }: ClientOptions) => (typeof token === 'function' ? token() : token)

function headersOf(
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

/** Waits for work that knows no signal, but not longer than the caller does. */
async function unlessAborted<T>(work: () => T, signal: AbortSignal | undefined): Promise<Awaited<T>> {
  signal?.throwIfAborted()
  let stop = () => {}
  const given = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), given])
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Ends early, with the caller's reason, when the caller gives up. */
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
