import type { IncomingHttpHeaders } from 'node:http'
import { hasFault } from '../server/fault-plan.ts'
import type { Fault } from '../server/faults.ts'
import { applyDueChanges } from './changes.ts'
import { type Form, readForm, textOf } from './form-body.ts'
import type { createIdempotencyKeys } from './idempotency.ts'
import type { Parts } from './parts.ts'
import { apiError, invalid, keyInUse, Refusal, type StripeReply } from './refusal.ts'
import { type ApiRoute, findApiRoute } from './route.ts'

/** Public keys that are valid on loopback only. Fixed, so that payments survive a restart. */
export const SANDBOX_KEYS = {
  secret: 'sk_test_serai_sandbox',
  publishable: 'pk_test_serai_sandbox',
  /** May read but not write, as a restricted key can. */
  readOnly: 'rk_test_serai_read_only',
} as const

export type ApiRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** Body as sent. */
  readonly text: string
}

type Keys = ReturnType<typeof createIdempotencyKeys>

/** Handles one request of the API, with its idempotency key. */
export function handleApi(parts: Parts, keys: Keys, request: ApiRequest, faults: readonly Fault[]): StripeReply {
  const route = findApiRoute(request.method, request.url.pathname)
  try {
    const isPost = request.method === 'POST'
    const form = readForm(isPost ? request.text : request.url.search.slice(1))
    if (form === undefined) throw invalid('The parameters cannot be parsed.')
    const isPublic = checkCaller(request, form, route)
    if (route === undefined) throw unknownAddress(request)
    applyDueChanges(parts)
    const key = readKey(request)
    const run = (): StripeReply => runRoute(parts, route, { form, faults, key, isPublic })
    return isPost && key !== undefined ? runOnce(keys, key, fingerprintOf(request), faults, run) : run()
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

export const readKey = ({ method, headers }: Pick<ApiRequest, 'method' | 'headers'>): string | undefined =>
  method === 'POST' ? headers['idempotency-key']?.toString() : undefined

const fingerprintOf = ({ method, url, text }: ApiRequest): string => `${method} ${url.pathname} ${text}`

function runRoute(
  parts: Parts,
  route: ApiRoute,
  call: { form: Form; faults: readonly Fault[]; key: string | undefined; isPublic: boolean },
): StripeReply {
  try {
    return { status: 200, body: route.run(parts, { ...call, id: route.id }), isKept: true }
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

/** The first reply of a key is its reply for ever, a 500 included. */
function runOnce(
  keys: Keys,
  key: string,
  fingerprint: string,
  faults: readonly Fault[],
  run: () => StripeReply,
): StripeReply {
  if (key.length > 255) throw invalid('Idempotency keys have at most 255 characters.')
  const known = keys.replay(key, fingerprint)
  if (known !== undefined) return known
  if (hasFault(faults, 'key_in_use')) return keyInUse(key)
  const reply = runUnlessBroken(faults, run)
  keys.keep(key, fingerprint, reply)
  return reply
}

function runUnlessBroken(faults: readonly Fault[], run: () => StripeReply): StripeReply {
  if (hasFault(faults, 'replayed_500_before')) return apiError()
  const reply = run()
  return hasFault(faults, 'replayed_500_after') ? apiError() : reply
}

/** Returns true for a browser with the publishable key. */
function checkCaller({ method, headers }: ApiRequest, form: Form, route: ApiRoute | undefined): boolean {
  const key = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? textOf(form, 'key')
  if (key === SANDBOX_KEYS.publishable && route?.isForBrowsers === true) return true
  if (key !== SANDBOX_KEYS.secret && key !== SANDBOX_KEYS.readOnly)
    throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }, false)
  if (key === SANDBOX_KEYS.readOnly && method !== 'GET')
    throw new Refusal(
      403,
      { type: 'invalid_request_error', message: 'The provided key does not have the required permissions.' },
      false,
    )
  if (headers['stripe-version'] === undefined) throw invalid('The header Stripe-Version is missing.')
  return false
}

const unknownAddress = ({ method, url }: ApiRequest): Refusal =>
  new Refusal(
    404,
    { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${url.pathname}).` },
    false,
  )
