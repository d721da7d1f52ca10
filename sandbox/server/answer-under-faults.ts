import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { faultOf, hasFault } from './fault-plan.ts'
import type { Fault } from './faults.ts'

/** What a stand-in answers, before faults are applied. */
export type StandInAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Already serialised; empty for no body. */
  readonly body: string
}

type FaultyExchange = {
  readonly response: ServerResponse
  readonly faults: readonly Fault[]
  /** Whether the client said it takes gzip. */
  readonly gzip: boolean
  /** The vendor's answers when it is out of order and when it is asked too often. */
  readonly unwell: StandInAnswer
  readonly throttled: StandInAnswer
  /** Does what was asked, with all its effects. */
  readonly work: () => StandInAnswer
}

const HUGE_BYTES = 50 * 1024 * 1024
const DRIP_MS = 1_000
const PROXY_PAGE = '<html><head><title>404 Not Found</title></head><body><center>nginx</center></body></html>'
const HTML = '<!doctype html><html><head><title>Service</title></head><body><h1>It works!</h1></body></html>'

/**
 * Answers one request under its faults. Faults of the answer (`html`, `proxy_404`, `truncate`, `drip`, `huge`) come after
 * the work: the client cannot read the answer, but the booking exists, which is the harder case.
 */
export async function answerUnderFaults(exchange: FaultyExchange): Promise<void> {
  const { response, faults } = exchange
  const latency = faultOf(faults, 'latency')
  if (latency !== undefined && !(await waited(response, latency.ms ?? DRIP_MS))) return
  if (hasFault(faults, 'hang')) return
  if (hasFault(faults, 'reset_before')) return reset(response)
  if (hasFault(faults, 'throttle')) return say(exchange, exchange.throttled)
  if (hasFault(faults, 'error_before')) return say(exchange, exchange.unwell)

  const answer = exchange.work()

  if (hasFault(faults, 'hang_after')) return
  if (hasFault(faults, 'reset_after')) return reset(response)
  if (hasFault(faults, 'error_after')) return say(exchange, exchange.unwell)
  if (hasFault(faults, 'html')) {
    return say(exchange, { status: 200, headers: { 'content-type': 'text/html' }, body: HTML })
  }
  if (hasFault(faults, 'proxy_404')) {
    return say(exchange, { status: 404, headers: { 'content-type': 'text/html' }, body: PROXY_PAGE })
  }
  if (hasFault(faults, 'huge')) return flood(response)
  if (hasFault(faults, 'truncate')) return truncate(exchange, answer)
  const drip = faultOf(faults, 'drip')
  if (drip !== undefined) return dripOut(exchange, answer, drip.ms ?? DRIP_MS)
  return say(exchange, answer)
}

function say(exchange: FaultyExchange, answer: StandInAnswer): void {
  const bytes = writeHead(exchange, answer)
  exchange.response.end(bytes)
}

function writeHead({ response, gzip }: FaultyExchange, answer: StandInAnswer): Buffer {
  const packed = gzip && answer.body !== ''
  const bytes = packed ? gzipSync(answer.body, { level: 1 }) : Buffer.from(answer.body)
  response.writeHead(answer.status, {
    ...(answer.body === '' ? {} : { 'content-type': 'application/json' }),
    ...answer.headers,
    ...(packed ? { 'content-encoding': 'gzip' } : {}),
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

async function dripOut(exchange: FaultyExchange, answer: StandInAnswer, everyMs: number): Promise<void> {
  const bytes = writeHead(exchange, answer)
  for (let i = 0; i < bytes.length; i++) {
    exchange.response.write(bytes.subarray(i, i + 1))
    if (!(await waited(exchange.response, everyMs))) return
  }
  exchange.response.end()
}

/** A well-formed JSON string that is merely far too long. */
async function flood(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, 'x')
  response.write('"')
  for (let sent = 0; sent < HUGE_BYTES; sent += chunk.length) {
    if (response.destroyed) return
    if (!response.write(chunk)) await drained(response)
  }
  response.end('"')
}

/** Waits until more can be written or the connection is closed. */
function drained(response: ServerResponse): Promise<void> {
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

/** False when the client went away in the meantime. */
async function waited(response: ServerResponse, ms: number): Promise<boolean> {
  const gone = new AbortController()
  const onClose = () => gone.abort()
  response.once('close', onClose)
  try {
    await sleep(ms, undefined, { signal: gone.signal })
    return !response.destroyed
  } catch {
    return false
  } finally {
    response.removeListener('close', onClose)
  }
}
