import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, SeraiError } from '../../../packages/client/src/index.ts'
import type { ErrorCode } from '../../../src/domain/error-table.ts'
import {
  cutOff,
  hangUp,
  replyEmpty,
  replyHtml,
  replyJson,
  replyProblem,
  type Step,
  scriptedServer,
  silence,
} from '../../support/http/scripted-server.ts'

let server: Awaited<ReturnType<typeof scriptedServer>>
let client: Client
beforeAll(async () => {
  server = await scriptedServer()
  client = createClient({ baseUrl: server.url, token: 'srt_test' })
})
afterAll(() => server.close())

const failure = (call: Promise<unknown>): Promise<SeraiError> =>
  call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error) => {
      expect(error).toBeInstanceOf(SeraiError)
      return error
    },
  )
const show = (options: object = { retries: 0 }) => client.booking.show({ booking_id: 'bkg_1' }, options)

describe('a failed call', () => {
  test.each<[string, Step, Partial<SeraiError>]>([
    ['a problem of the service', replyProblem(404, 'booking_not_found'), { status: 404, code: 'booking_not_found' }],
    ['a page of a proxy (502)', replyHtml(502), { status: 502, code: 'unreadable_answer', retryable: true }],
    ['an empty 504', replyEmpty(504), { status: 504, code: 'unreadable_answer', retryable: true }],
    ['half a JSON body', cutOff('{"data": {"boo'), { status: 200, code: 'unreadable_answer', retryable: true }],
    [
      'a body that is not JSON',
      replyHtml(200, '<html>Sign in to the hotel network</html>'),
      { status: 200, code: 'unreadable_answer' },
    ],
    ['a connection that breaks', hangUp, { status: 0, code: 'unreachable', retryable: true }],
    ['a problem that is cut off', cutOffProblem, { status: 503, code: 'unreadable_answer', retryable: true }],
    ['JSON that is not ours', replyJson(500, { message: 'boom' }), { status: 500, code: 'unreadable_answer' }],
  ])('%s is reported with status, code, request id and retryability', async (_, step, expected) => {
    server.play(step)
    const error = await failure(show())
    expect(error).toMatchObject({ ...expected, operation: 'booking.show' })
    expect(error.requestId).toMatch(/^(cli_[a-z]{20}|req_server)$/)
    expect(error.message).not.toBe('')
    expect(error.problem === undefined).toBe(['unreadable_answer', 'unreachable'].includes(error.code))
  })

  test('a proxy’s page is an unreadable answer under any base path and with any fetch', async () => {
    const page = '<html>Sign in to the hotel network</html>'
    server.play(replyHtml(200, page))
    const below = createClient({ baseUrl: `${server.url}/serai`, token: 't', retries: 0 })
    expect(await failure(below.booking.show({ booking_id: 'b' }))).toMatchObject({ code: 'unreadable_answer' })
    expect(await failure(below.health.ready())).toMatchObject({ code: 'unreadable_answer' })
    // Such a response has no URL.
    const fetch = async () => new Response(page, { headers: { 'content-type': 'text/html' } })
    const own = createClient({ baseUrl: server.url, token: 't', retries: 0, fetch })
    expect(await failure(own.booking.show({ booking_id: 'b' }))).toMatchObject({ code: 'unreadable_answer' })
    expect(await own.docs.errors()).toBe(page)
  })

  test('a refused connection is reported as unreachable', async () => {
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1', token: 't', retries: 0 })
    const error = await failure(nowhere.booking.show({ booking_id: 'b' }))
    expect(error).toMatchObject({ status: 0, code: 'unreachable', retryable: true })
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('the error has the request id that was sent, even without a response', async () => {
    server.play(hangUp)
    const error = await failure(show({ retries: 0, requestId: 'order-7' }))
    expect([error.requestId, server.seen()[0]?.headers['x-request-id']]).toEqual(['order-7', 'order-7'])
  })

  test('invalid list parameters are reported like any invalid request', async () => {
    const errors = [{ field: 'limit', code: 'too_large', message: 'limit is at most 1000.' }]
    server.play(replyJson(422, { data: [], meta: { errors } }))
    expect(await failure(client.booking.list({ limit: 5000 }))).toMatchObject({
      status: 422,
      code: 'invalid_request',
      retryable: false,
      problem: { errors },
    })
  })
})

function cutOffProblem(response: Parameters<Step>[0]): void {
  response.writeHead(503, { 'content-type': 'application/problem+json', 'content-length': '500' })
  response.write('{"code":"overl', () => setTimeout(() => response.destroy(), 20))
}

describe('timeouts and aborts', () => {
  test('a missing response is a timeout, and a read is repeated', async () => {
    server.play(silence)
    expect(await failure(show({ timeoutMs: 500, retries: 1 }))).toMatchObject({ status: 0, code: 'timeout' })
    expect(server.seen()).toHaveLength(2)
  })

  test('a body that stops arriving is a timeout', async () => {
    server.play((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"data":')
    })
    expect(await failure(show({ timeoutMs: 1_000, retries: 0 }))).toMatchObject({ status: 200, code: 'timeout' })
  })

  test('the caller’s signal aborts the call with its reason, without a repeat', async () => {
    const stop = new AbortController()
    server.play(() => stop.abort(new Error('changed my mind')))
    await expect(show({ signal: stop.signal })).rejects.toThrow('changed my mind')
    expect(server.seen()).toHaveLength(1)
  })

  test('the signal also aborts the wait before a repeat', async () => {
    const stop = new AbortController()
    const refused = replyProblem(429, 'rate_limited', { 'retry-after': '15' })
    server.play((response) => {
      response.on('finish', () => setTimeout(() => stop.abort(new Error('changed my mind')), 200))
      refused(response)
    })
    const started = performance.now()
    await expect(show({ signal: stop.signal })).rejects.toThrow('changed my mind')
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(server.seen()).toHaveLength(1)
  })

  test('a long retry-after is left to the caller and reported in the error', async () => {
    server.play(replyProblem(429, 'rate_limited', { 'retry-after': '3600' }))
    expect(await failure(show({}))).toMatchObject({ retryAfterMs: 3_600_000, retryable: true })
    expect(server.seen()).toHaveLength(1)
  })
})

const ORDER = { token: 'sealed', guests: [{ given_name: 'Ana', family_name: 'Costa' }] }
const booked = replyJson(201, { data: { booking_id: 'bkg_1', status: 'confirmed' } })
const keys = () => server.seen().map(({ headers }) => headers['idempotency-key'])

describe('a booking', () => {
  test.each<[string, Step]>([
    ['a proxy’s 502', replyHtml(502)],
    ['an empty 504', replyEmpty(504)],
    ['a broken connection', hangUp],
    ['half an answer', cutOff('{"data"')],
    ['503 with retry-after', replyProblem(503, 'overloaded', { 'retry-after': '0' })],
    ['a database that was lost', replyProblem(503, 'store_unavailable', { 'retry-after': '0' })],
    ['429 with retry-after', replyProblem(429, 'rate_limited', { 'retry-after': '0' })],
    ['the first request still running', replyProblem(409, 'request_in_progress', { 'retry-after': '0' })],
  ])('a booking is repeated after %s with the same key and the same bytes', async (_, step) => {
    server.play(step, booked)
    expect(await client.booking.create(ORDER)).toMatchObject({ status: 'confirmed' })
    const [first, second] = server.seen()
    expect(keys()[0]).toMatch(/^auto-[a-p]{64}$/)
    expect([keys()[1], second?.body]).toEqual([keys()[0], first?.body])
  })

  test('the same booking always has the same key, whatever the order of its members', async () => {
    server.play(replyHtml(502))
    await failure(client.booking.create(ORDER))
    const first = new Set(keys())
    server.play(booked)
    await client.booking.create({ guests: [{ family_name: 'Costa', given_name: 'Ana' }], token: 'sealed' })
    expect(new Set([...first, ...keys()]).size).toBe(1)
  })

  test('a booking of another offer has another key', async () => {
    server.play(booked)
    await client.booking.create(ORDER)
    await client.booking.create({ ...ORDER, token: 'other' })
    expect(new Set(keys()).size).toBe(2)
  })

  test('a booking keeps the caller’s key, and the error has it', async () => {
    server.play(replyHtml(502))
    const error = await failure(client.booking.create(ORDER, { idempotencyKey: 'order-1', retries: 1 }))
    expect([error.idempotencyKey, ...keys()]).toEqual(['order-1', 'order-1', 'order-1'])
  })

  test.each<[number, ErrorCode]>([
    [409, 'price_changed'],
    [409, 'terms_changed'],
    [409, 'sold_out'],
    [410, 'offer_expired'],
    [422, 'offer_used'],
    [422, 'idempotency_mismatch'],
  ])('a refused booking (%i %s) is not repeated', async (status, code) => {
    server.play(replyProblem(status, code))
    expect(await failure(client.booking.create(ORDER))).toMatchObject({ status, code, retryable: false })
    expect(server.seen()).toHaveLength(1)
  })

  test('a replayed final 503 of a booking is not repeated', async () => {
    server.play(replyProblem(503, 'overloaded', { 'retry-after': '0', 'idempotent-replayed': 'true' }))
    expect(await failure(client.booking.create(ORDER))).toMatchObject({ status: 503, retryable: false })
    expect(server.seen()).toHaveLength(1)
  })

  test('the timeout is two minutes for a booking and 15 seconds by default', async () => {
    const limits: number[] = []
    const real = globalThis.setTimeout
    globalThis.setTimeout = ((act: () => void, ms: number) => {
      limits.push(ms)
      return real(act, ms)
    }) as typeof setTimeout
    try {
      server.play(booked)
      await client.booking.create(ORDER)
      await client.accounts.revokeToken()
    } finally {
      globalThis.setTimeout = real
    }
    expect(limits).toContain(120_000)
    expect(limits).toContain(15_000)
  })
})

describe('a call that must not run twice', () => {
  const create = () => client.webhooks.create({ url: 'https://example.com/hooks' })
  const made = replyJson(201, { data: { id: 'whk_1' } })

  test.each<[string, Step]>([
    ['a proxy’s 502', replyHtml(502)],
    ['a broken connection', hangUp],
    ['half an answer', cutOff('{"da')],
    ['a 503 that is not the service’s', replyEmpty(503)],
    ['a database that was lost', replyProblem(503, 'store_unavailable', { 'retry-after': '0' })],
    ['a bug of the service', replyProblem(500, 'internal')],
  ])('is not repeated after %s', async (_, step) => {
    server.play(step, made)
    expect(await failure(create())).toMatchObject({ retryable: false, effect: 'unknown' })
    expect(server.seen()).toHaveLength(1)
  })

  test('a cancellation with an unknown effect is not repeated, but its preview is', async () => {
    server.play(replyProblem(503, 'store_unavailable', { 'retry-after': '0' }))
    const cancelled = await failure(client.booking.cancel({ booking_id: 'bkg_1' }))
    expect([cancelled.effect, cancelled.retryable, server.seen().length]).toEqual(['unknown', false, 1])
    server.play(hangUp, replyJson(200, { data: { status: 'confirmed' } }))
    expect(await client.booking.cancel({ booking_id: 'bkg_1', preview: true })).toEqual({ status: 'confirmed' })
  })

  test.each<[number, ErrorCode]>([
    [429, 'rate_limited'],
    [503, 'overloaded'],
  ])('is repeated after %i %s', async (status, code) => {
    server.play(replyProblem(status, code, { 'retry-after': '0' }), made)
    expect(await create()).toEqual({ id: 'whk_1' })
  })
})

describe('the effect of a booking that failed', () => {
  const effectAfter = async (...steps: readonly Step[]) => {
    server.play(...steps)
    const { effect } = await failure(client.booking.create(ORDER, { retries: steps.length - 1 }))
    expect(server.seen()).toHaveLength(steps.length)
    return effect
  }
  const overloaded = replyProblem(503, 'overloaded', { 'retry-after': '0' })
  const limited = replyProblem(429, 'rate_limited', { 'retry-after': '0' })

  test.each<[string, Step, string]>([
    ['overloaded', overloaded, 'none'],
    ['rate limited', limited, 'none'],
    ['refused by a proxy', replyHtml(403), 'none'],
    ['a vendor that cannot be asked', replyProblem(502, 'vendors_failed'), 'none'],
    ['a lost database', replyProblem(503, 'store_unavailable'), 'unknown'],
    ['still running', replyProblem(409, 'request_in_progress'), 'unknown'],
    ['a bug', replyProblem(500, 'internal'), 'unknown'],
    ['a page of a proxy', replyHtml(502), 'unknown'],
    ['a broken connection', hangUp, 'unknown'],
  ])('the effect after %s is classified', async (_, step, effect) => {
    expect(await effectAfter(step)).toBe(effect)
  })

  test('a refusal before the service looks at the booking does not settle an earlier attempt', async () => {
    expect(await effectAfter(hangUp, limited)).toBe('unknown')
    expect(await effectAfter(hangUp, overloaded, limited)).toBe('unknown')
    expect(await effectAfter(overloaded, limited)).toBe('none')
    expect(await effectAfter(hangUp, replyProblem(409, 'sold_out'))).toBe('none')
  })

  test('a replayed final response settles the effect of a booking', async () => {
    expect(await effectAfter(hangUp, replyProblem(503, 'overloaded', { 'idempotent-replayed': 'true' }))).toBe('none')
  })
})

describe('a token', () => {
  test('a denied token is requested again once', async () => {
    const tokens = ['old', 'new']
    const denied: (string | undefined)[] = []
    const signedIn = createClient({
      baseUrl: server.url,
      token: () => tokens[0],
      onDenied(_error, token) {
        denied.push(token)
        tokens.shift()
        return true
      },
    })
    server.play(replyProblem(401, 'unauthenticated'), replyJson(200, { data: { booking_id: 'bkg_1' } }))
    expect(await signedIn.booking.show({ booking_id: 'bkg_1' })).toEqual({ booking_id: 'bkg_1' })
    expect(denied).toEqual(['old'])
    expect(server.seen().map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
    server.play(replyProblem(401, 'unauthenticated'))
    expect((await failure(signedIn.booking.show({ booking_id: 'bkg_1' }))).status).toBe(401)
    expect(server.seen()).toHaveLength(2)
  })

  test('a token is not sent if none is needed, and never appears in an error', async () => {
    server.play(replyProblem(401, 'invalid_credentials'))
    const error = await failure(client.accounts.getToken({ user: { email: 'a@b.cd', password: 'secret-word' } }))
    expect(server.seen()[0]?.headers.authorization).toBeUndefined()
    expect(`${JSON.stringify(error)}${error.stack}`).not.toMatch(/srt_test|secret-word/)
  })
})

test('unknown and missing arguments are reported before anything is sent', async () => {
  server.play(booked)
  const loose = client as unknown as { booking: { show(args: object): Promise<unknown> } }
  await expect(loose.booking.show({ id: 'bkg_1' })).rejects.toThrow('booking.show has no argument id.')
  await expect(loose.booking.show({})).rejects.toThrow('booking.show needs the argument booking_id.')
  expect(server.seen()).toHaveLength(0)
})
