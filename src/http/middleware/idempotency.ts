import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalidRequest } from '../../domain/errors.ts'
import { computeFingerprint } from '../../lib/crypto/fingerprint.ts'
import { requireCaller } from './request-context.ts'

/** Response as stored; `headers` has those that belong to it. */
export type IdempotentAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type KeyedRequest = {
  /** Names account, operation, namespace and key. */
  readonly key: string
  readonly fingerprint: string
  /** Ids of the path. */
  readonly subject: string
}

/** `lease` proves that this process works on the request. */
type Begun = { readonly lease: number } | 'running' | 'mismatch' | IdempotentAnswer

export type IdempotentRequests = {
  begin(request: KeyedRequest): Promise<Begun>
  /** Stores the response, or without one forgets the request, so that a repeat runs it again. */
  finish(key: string, lease: number, answer: IdempotentAnswer | undefined): Promise<void>
}

export const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 257,
  pattern: '^("?)[^"\\s].{0,254}\\1$',
} as const
const KEY = new RegExp(IDEMPOTENCY_KEY.pattern)
export const KEY_ERROR = { code: 'wrong_length', message: 'idempotency-key must have 1 to 255 characters.' }

const STORED_HEADERS = ['content-type', 'location', 'etag']

/** Strips the quotes that some clients add. */
export const readIdempotencyKey = (header: string | undefined): string | undefined => header?.replace(/^"(.*)"$/, '$1')

/** True if the middleware stores responses of the operation. Public operations have no account to scope a key to. */
export const takesKey = ({ access, safe, idempotency }: FastifyContextConfig, method: string): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) &&
  access !== undefined &&
  access !== 'public' &&
  safe !== 'always' &&
  idempotency !== 'own'

/** Repeats the first response to requests with the same key. Runs after validation, before the audit log. */
export function addIdempotency(app: FastifyInstance, requests: IdempotentRequests): void {
  const running = new WeakMap<FastifyRequest, { readonly key: string; readonly lease: number }>()

  app.addHook('preHandler', async (request, reply) => {
    const key = readKey(request)
    if (key === undefined) return
    const keyed = describeRequest(request, key)
    const begun = await requests.begin(keyed)
    if (begun === 'mismatch') throw mismatch()
    if (begun === 'running') throw inProgress()
    if ('lease' in begun) return void running.set(request, { key: keyed.key, lease: begun.lease })
    const { status, headers, body } = begun
    return reply
      .code(status)
      .headers({ ...headers, 'idempotent-replayed': 'true' })
      .send(body === '' ? null : body)
  })

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const own = running.get(request)
    if (own === undefined) return
    running.delete(request)
    const answer = readAnswer(request, reply, payload)
    // The request was done: a failure here must not look like one of the request.
    await requests
      .finish(own.key, own.lease, answer)
      .catch((error) => request.log.error({ err: error }, 'response to an idempotency key not stored'))
  })
}

function readKey(request: FastifyRequest): string | undefined {
  const { headers, method, query, routeOptions } = request
  const { [IDEMPOTENCY_HEADER]: sent } = headers
  const { config } = routeOptions
  if (sent === undefined || request.is404 || !takesKey(config, method)) return undefined
  if (config.safe === 'preview' && String(Object(query).preview) === 'true') return undefined
  const text = String(sent)
  if (text.length <= IDEMPOTENCY_KEY.maxLength && KEY.test(text)) return readIdempotencyKey(text)
  throw invalidRequest([{ field: IDEMPOTENCY_HEADER, ...KEY_ERROR }])
}

export const IDEMPOTENCY_HEADER = 'idempotency-key'

function describeRequest(request: FastifyRequest, key: string): KeyedRequest {
  const { body, params, query, routeOptions, simulation } = request
  const { accountId } = requireCaller(request)
  const namespace = simulation === undefined ? '' : 'simulated'
  return {
    key: JSON.stringify([accountId, routeOptions.config.operation, namespace, key]),
    fingerprint: computeFingerprint([params, query, body ?? null]),
    // PostgreSQL rejects a NUL, which a path may contain.
    subject: Object.values(Object(params)).join(' ').replaceAll('\0', ''),
  }
}

/** Undefined if a repeat may or must run the request again. */
function readAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): IdempotentAnswer | undefined {
  const { statusCode: status } = reply
  const body = payload == null ? '' : payload
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined
  const text = body.toString()
  if (isOpen(status, text, request.routeOptions.config.idempotency === 'repeatable')) return undefined
  const headers = STORED_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { status, headers: Object.fromEntries(headers), body: text }
}

const REFUSED = [403, 412, 429]

/** Refusals that did nothing, and responses of an operation that continues when it is repeated. */
function isOpen(status: number, body: string, isRepeatable: boolean): boolean {
  if (status < 400) return isRepeatable && status === 202
  if (status < 500 && !REFUSED.includes(status)) return false
  return isRepeatable || body.includes('"effect":"none"')
}

const mismatch = () =>
  new AppError(
    'idempotency_mismatch',
    'This idempotency key was already used for another request to this operation. Repeat that one, or use a new key.',
  )

const inProgress = () =>
  new AppError('request_in_progress', 'The first request is still running. Repeat it shortly.', {
    retryAfterMs: 1_000,
  })
