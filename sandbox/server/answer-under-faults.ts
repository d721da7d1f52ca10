import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { findFault, hasFault } from './fault-plan.ts'
import type { Fault } from './faults.ts'

/** Response of a stand-in before faults are applied. */
export type StandInAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Serialised; empty for a response without a body. */
  readonly body: string
}

type FaultyExchange = {
  readonly response: ServerResponse
  readonly faults: readonly Fault[]
  /** True if the client accepts gzip. */
  readonly gzip: boolean
  /** The vendor's responses while it is down and to calls above its rate limit. */
  readonly unavailable: StandInAnswer
  readonly throttled: StandInAnswer
  /** Handles the request, with all its effects. */
  readonly work: () => StandInAnswer | Promise<StandInAnswer>
}

const HUGE_BYTES = 50 * 1024 * 1024
const DRIP_MS = 1_000
const PROXY_PAGE = '<html><head><title>404 Not Found</title></head><body><center>nginx</center></body></html>'
const HTML = '<!doctype html><html><head><title>Service</title></head><body><h1>It works!</h1></body></html>'

/**
 * Answers one request under its faults. Faults of the response (`html`, `proxy_404`, `truncate`, `drip`, `huge`) apply
 * after the work: the booking exists although the client cannot read the response.
 */
export async function answerUnderFaults(exchange: FaultyExchange): Promise<void> {
  const { response, faults } = exchange
  const latency = findFault(faults, 'latency')
  if (latency !== undefined && !(await waitWhileConnected(response, latency.ms ?? DRIP_MS))) return
  if (hasFault(faults, 'hang')) return
  if (hasFault(faults, 'reset_before')) return reset(response)
  if (hasFault(faults, 'throttle')) return send(exchange, exchange.throttled)
  if (hasFault(faults, 'error_before')) return send(exchange, exchange.unavailable)

  const answer = await exchange.work()

  if (hasFault(faults, 'hang_after')) return
  if (hasFault(faults, 'reset_after')) return reset(response)
  if (hasFault(faults, 'error_after')) return send(exchange, exchange.unavailable)
  if (hasFault(faults, 'html')) {
    return send(exchange, { status: 200, headers: { 'content-type': 'text/html' }, body: HTML })
  }
  if (hasFault(faults, 'proxy_404')) {
    return send(exchange, { status: 404, headers: { 'content-type': 'text/html' }, body: PROXY_PAGE })
  }
  if (hasFault(faults, 'huge')) return sendHugeBody(response)
  if (hasFault(faults, 'truncate')) return truncate(exchange, answer)
  const drip = findFault(faults, 'drip')
  if (drip !== undefined) return sendByteByByte(exchange, answer, drip.ms ?? DRIP_MS)
  return send(exchange, answer)
}

function send(exchange: FaultyExchange, answer: StandInAnswer): void {
  const bytes = writeHead(exchange, answer)
  exchange.response.end(bytes)
}

function writeHead({ response, gzip }: FaultyExchange, answer: StandInAnswer): Buffer {
  const isPacked = gzip && answer.body !== ''
  const bytes = isPacked ? gzipSync(answer.body, { level: 1 }) : Buffer.from(answer.body)
  response.writeHead(answer.status, {
    ...(answer.body === '' ? {} : { 'content-type': 'application/json' }),
    ...answer.headers,
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    ...(answer.status === 204 ? {} : { 'content-length': String(bytes.length) }),
  })
  return bytes
}

/** Sends a TCP reset instead of closing the connection. */
function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

function truncate(exchange: FaultyExchange, answer: StandInAnswer): void {
  const bytes = writeHead(exchange, answer)
  exchange.response.write(bytes.subarray(0, bytes.length >> 1), () => exchange.response.socket?.destroy())
}

async function sendByteByByte(exchange: FaultyExchange, answer: StandInAnswer, everyMs: number): Promise<void> {
  const bytes = writeHead(exchange, answer)
  for (let i = 0; i < bytes.length; i++) {
    exchange.response.write(bytes.subarray(i, i + 1))
    if (!(await waitWhileConnected(exchange.response, everyMs))) return
  }
  exchange.response.end()
}

/** Sends a well-formed JSON string that is far too long. */
async function sendHugeBody(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, 'x')
  response.write('"')
  for (let sent = 0; sent < HUGE_BYTES; sent += chunk.length) {
    if (response.destroyed) return
    if (!response.write(chunk)) await waitForDrain(response)
  }
  response.end('"')
}

/** Waits until the response is writable again or the connection is closed. */
function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.removeListener('drain', done)
      response.removeListener('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}

/** Returns false if the client disconnected in the meantime. */
async function waitWhileConnected(response: ServerResponse, ms: number): Promise<boolean> {
  const aborted = new AbortController()
  const onClose = () => aborted.abort()
  response.once('close', onClose)
  try {
    await sleep(ms, undefined, { signal: aborted.signal })
    return !response.destroyed
  } catch {
    return false
  } finally {
    response.removeListener('close', onClose)
  }
}
