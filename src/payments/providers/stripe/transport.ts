import { AsyncLocalStorage } from 'node:async_hooks'
import type Stripe from 'stripe'
import { Pool } from 'undici'
import { ProviderError, type ProviderFault } from '../../provider-error.ts'

type Client = Stripe.HttpClient
type Answer = Awaited<ReturnType<Client['makeRequest']>>

const CONNECT_TIMEOUT_MS = 3_000
const CONNECTIONS = 24
const BODY_MAX_BYTES = 4 * 1024 * 1024

/** Connection failures before the first byte was sent: Stripe cannot have acted. */
const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Filled in for the caller beside the answer. */
export type Exchange = { readonly signal: AbortSignal; status?: number; date?: number; requestId?: string }

export type StripeTransport = {
  readonly httpClient: Client
  /** Runs one call of the official client; all of its requests end with the signal. */
  run<T>(exchange: Exchange, call: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The official client limits only the silence between two bytes, and sends a request again after a broken connection
 * even if retries are off. This transport ends with the caller's signal, and its errors have none of the codes that the
 * client repeats.
 */
export function createStripeTransport(origin: string): StripeTransport {
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    maxResponseSize: BODY_MAX_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  const running = new AsyncLocalStorage<Exchange>()

  const makeRequest: Client['makeRequest'] = async (_host, _port, path, method, headers, requestData) => {
    const exchange = running.getStore()
    if (exchange === undefined) throw new Error('a call of Stripe outside of run()')
    const isWrite = method !== 'GET'
    try {
      const answer = await pool.request({
        path,
        method: method as 'GET' | 'POST' | 'DELETE',
        headers: textHeaders(headers),
        body: isWrite ? requestData : null,
        signal: exchange.signal,
      })
      const text = await answer.body.text()
      const flat = flatten(answer.headers)
      exchange.status = answer.statusCode
      exchange.date = Date.parse(flat.date ?? '')
      if (flat['request-id'] !== undefined) exchange.requestId = flat['request-id']
      return toAnswer(answer.statusCode, flat, text, isWrite)
    } catch (error) {
      throw error instanceof ProviderError ? error : toProviderError(error, isWrite, exchange.signal)
    }
  }

  return {
    httpClient: { getClientName: () => 'undici', makeRequest } as Client,
    run: (exchange, call) => running.run(exchange, call),
    close: () => pool.destroy(),
  }
}

/** Rejects anything but Stripe's own JSON: the client would take a proxy's JSON with status 502 for a success. */
function toAnswer(status: number, headers: Record<string, string>, text: string, isWrite: boolean): Answer {
  const body = parseObject(text)
  const isSuccess = status >= 200 && status < 300
  if (body === undefined || (!isSuccess && !isErrorBody(body)) || (isSuccess && 'error' in body)) {
    const fault = status >= 500 ? 'unavailable' : 'malformed'
    throw providerError(fault, isWrite, `status ${status} without an object of Stripe`)
  }
  return {
    getStatusCode: () => status,
    getHeaders: () => headers,
    getRawResponse: () => ({ statusCode: status, headers }),
    toStream: () => {
      throw new Error('no call of Stripe is streamed')
    },
    toJSON: async () => body,
  }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function isErrorBody(body: object): boolean {
  const error = 'error' in body ? body.error : undefined
  return typeof error === 'object' && error !== null && 'type' in error && typeof error.type === 'string'
}

function toProviderError(cause: unknown, isWrite: boolean, signal: AbortSignal): ProviderError {
  if (signal.aborted) return providerError('timeout', isWrite, 'no answer in time', cause)
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  // The same codes are reported if the network is lost after the request was sent.
  const isSent = cause instanceof Error && 'syscall' in cause && (cause.syscall === 'read' || cause.syscall === 'write')
  if (NEVER_LEFT.has(code) && !isSent) return providerError('unreachable', false, code, cause)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return providerError('malformed', isWrite, 'a body over 4 MiB', cause)
  if (code.endsWith('_TIMEOUT')) return providerError('timeout', isWrite, code, cause)
  return providerError('unreachable', isWrite, code === '' ? 'connection lost' : code, cause)
}

const providerError = (fault: ProviderFault, isUnknown: boolean, detail: string, cause?: unknown) =>
  new ProviderError(fault, isUnknown ? 'unknown' : 'none', { detail, cause })

const textHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}
