import type { Dispatcher, Pool } from 'undici'
import type { VendorId } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { type Effect, TOO_LARGE, VendorError, type VendorFault } from '../vendor-error.ts'
import type { Call, Reply } from './call.ts'
import { describeShape } from './drift/describe-shape.ts'
import type { ShapeWatch } from './drift/watch-shapes.ts'
import { parseBody, UnpackError, unpack } from './parse-body.ts'
import type { Outcome, ReadingThreads } from './reading-threads.ts'

/** Above this (compressed) size, decoding a response costs more than handing it to another thread. */
const THREAD_MIN_BYTES = 8 * 1024

type Deps = {
  readonly pool: Pool
  readonly vendor: VendorId
  readonly threads: ReadingThreads | undefined
  readonly shapes?: ShapeWatch | undefined
}

/** Sends one request. Throws VendorError unless there is an HTTP response. */
export async function exchange(deps: Deps, call: Call, context: CallContext): Promise<Reply> {
  const { pool, vendor, threads } = deps
  if (!call.path.startsWith('/') || call.path.startsWith('//')) {
    throw vendorError(vendor, 'malformed', 'none', 'an address outside the vendor')
  }
  if (call.reading !== undefined) threads?.warm(call.reading.module)
  if (call.class === 'book') await context.beforeSend?.()
  try {
    const answer = await pool.request({
      method: call.method,
      path: call.path,
      headers: call.body === undefined ? { ...call.headers } : { 'content-type': 'application/json', ...call.headers },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: context.signal,
    })
    return await readReply(deps, answer, call, context.signal)
  } catch (error) {
    throw error instanceof VendorError ? error : toVendorError(error, vendor, call.ifLost, context.signal)
  }
}

async function readReply(
  { vendor, threads, shapes }: Deps,
  answer: Dispatcher.ResponseData,
  call: Call,
  signal: AbortSignal,
): Promise<Reply> {
  const status = answer.statusCode
  const headers = flatten(answer.headers)
  const encoding = headers['content-encoding']
  const source = { vendor, operation: call.operation }
  const wantsShape = status < 300 && shapes?.isWanted(source) === true
  const raw = Buffer.from(await answer.body.arrayBuffer())
  try {
    if (status === 200 && call.reading !== undefined && raw.length >= THREAD_MIN_BYTES && threads?.isReady === true) {
      const { module, frame } = call.reading
      const canWait = call.class === 'content'
      const outcome = await threads.read({ raw, encoding, module, frame, canWait, wantsShape }, signal)
      if ('shape' in outcome && outcome.shape !== undefined) shapes?.add(source, outcome.shape)
      const parsed = 'parsed' in outcome ? outcome.parsed : { body: undefined }
      return { status, headers, ...parsed, read: () => unwrapOutcome(outcome, vendor, call.ifLost) }
    }
    const parsed = parseBody(await unpack(raw, encoding))
    if (wantsShape && parsed.body !== undefined) shapes?.add(source, describeShape(parsed.body))
    return { status, headers, ...parsed }
  } catch (cause) {
    if (!(cause instanceof UnpackError)) throw cause
    throw vendorError(vendor, 'malformed', call.ifLost, cause.message, cause)
  }
}

function unwrapOutcome(outcome: Outcome, vendor: VendorId, ifLost: Effect): unknown {
  if ('answer' in outcome) return outcome.answer
  if ('fault' in outcome) throw vendorError(vendor, outcome.fault, ifLost, outcome.detail)
  throw 'bug' in outcome ? outcome.bug : new UnpackError(outcome.unreadable)
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** Connection failures before the first byte was sent: the vendor cannot have acted. */
const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function toVendorError(error: unknown, vendor: VendorId, ifLost: Effect, signal: AbortSignal): VendorError {
  if (signal.aborted) return vendorError(vendor, 'timeout', ifLost, 'no answer in time', error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  // The same codes are reported if the network is lost after the request was sent.
  const isSent = error instanceof Error && 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write')
  if (NEVER_LEFT.has(code) && !isSent) return vendorError(vendor, 'unreachable', 'none', code, error)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return vendorError(vendor, 'malformed', ifLost, TOO_LARGE, error)
  if (code.endsWith('_TIMEOUT')) return vendorError(vendor, 'timeout', ifLost, code, error)
  return vendorError(vendor, 'unreachable', ifLost, code === '' ? 'connection lost' : code, error)
}

const vendorError = (
  vendor: VendorId,
  fault: VendorFault,
  effect: Effect,
  detail: string,
  cause?: unknown,
): VendorError => new VendorError(vendor, fault, effect, { detail, cause })
