import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttemptResponse, type Client, createClient, signInWith } from '../../../packages/client/src/index.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { replyHtml, replyJson, replyProblem, scriptedServer } from '../../support/http/scripted-server.ts'

let server: Awaited<ReturnType<typeof scriptedServer>>
let client: Client
beforeAll(async () => {
  server = await scriptedServer()
  client = createClient({ baseUrl: server.url, token: 'srt_test' })
})
afterAll(() => server.close())

const shown = replyJson(200, { data: { booking_id: 'bkg_1' } })
const ACCOUNT = { email: 'ana@example.com', password: 'a long password' }

describe('signing in', () => {
  const signedIn = (fetch?: typeof globalThis.fetch) => {
    const options = { baseUrl: server.url, retries: 0, fetch }
    return createClient({ ...options, ...signInWith(ACCOUNT, options) })
  }

  test('signing in is aborted by the signal of the call that waits for it', async () => {
    const stop = new AbortController()
    server.play(() => stop.abort(new Error('changed my mind')))
    const shown = signedIn().booking.show({ booking_id: 'b' }, { signal: stop.signal })
    await expect(shown).rejects.toThrow('changed my mind')
    expect(server.seen().map(({ url }) => url)).toEqual(['/api/accounts/get_token'])
  })

  test('each sign-in of an account with one-time codes asks for a new code', async () => {
    const codes = ['111111', '222222']
    const options = { baseUrl: server.url, retries: 0 }
    const credentials = { ...ACCOUNT, totp: async () => codes.shift() ?? '' }
    const withCodes = createClient({ ...options, ...signInWith(credentials, options) })
    const token = replyJson(200, { token: 'srt_a', expires_at: '2027-01-01T00:00:00.000Z' })
    server.play(token, replyProblem(401, 'unauthenticated'), token, shown)
    await withCodes.booking.show({ booking_id: 'b' })
    const sent = server.seen().filter(({ url }) => url === '/api/accounts/get_token')
    expect(sent.map(({ body }) => JSON.parse(body).user.totp)).toEqual(['111111', '222222'])
  })

  test('an aborted call does not sign in', async () => {
    server.play(shown)
    const stop = AbortSignal.abort(new Error('changed my mind'))
    await expect(signedIn().booking.show({ booking_id: 'b' }, { signal: stop })).rejects.toThrow('changed my mind')
    expect(server.seen()).toHaveLength(0)
  })

  test('calls that are denied together share one sign-in', async () => {
    let signIns = 0
    let denied = 0
    // Denies every call with the first token, each slightly later than the one before.
    const client = signedIn((async (request: Request) => {
      if (request.url.endsWith('/get_token')) {
        signIns += 1
        return Response.json({ token: `srt_${signIns}` })
      }
      if (request.headers.get('authorization') !== 'Bearer srt_1')
        return Response.json({ data: { booking_id: 'bkg_1' } })
      denied += 1
      for (let moments = denied; moments > 0; moments -= 1) await undefined
      return Response.json({ status: 401, code: 'unauthenticated' }, { status: 401 })
    }) as typeof globalThis.fetch)
    await Promise.all(Array.from({ length: 20 }, () => client.booking.show({ booking_id: 'bkg_1' })))
    expect(signIns).toBe(2)
  })
})

test('a call with an infinite timeout is not aborted at once', async () => {
  server.play((response) => setTimeout(() => shown(response), 300))
  const limits = { timeoutMs: Number.POSITIVE_INFINITY, retries: 0 }
  expect(await client.booking.show({ booking_id: 'bkg_1' }, limits)).toEqual({ booking_id: 'bkg_1' })
})

test('timeout and signal abort a response even after its request was garbage-collected', async () => {
  let collecting: NodeJS.Timeout | undefined
  const dripping = (response: ServerResponse) => {
    // Not earlier, because it slows down the request.
    collecting ??= setInterval(collectGarbage, 50)
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
  server.play(dripping)
  const limits = { timeoutMs: 1_500, retries: 0 }
  try {
    await expect(client.booking.show({ booking_id: 'b' }, limits)).rejects.toMatchObject({
      code: 'timeout',
      status: 200,
    })
    const ended = client.booking.show({ booking_id: 'b' }, { signal: AbortSignal.timeout(1_000), retries: 0 })
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' })
  } finally {
    clearInterval(collecting)
  }
})

test('a logger that throws does not hide the response', async () => {
  const reports: AttemptResponse[] = []
  const logged = createClient({
    baseUrl: server.url,
    token: 't',
    onResponse(attempt) {
      reports.push(attempt)
      throw new Error('the disk is full')
    },
  })
  server.play(replyJson(201, { data: { booking_id: 'bkg_1', status: 'confirmed' } }))
  expect(await logged.booking.create({ offer: 'sealed' })).toMatchObject({ status: 'confirmed' })
  expect(reports).toMatchObject([{ operation: 'booking.create', attempt: 1, status: 201 }])
})

describe('an invalid call', () => {
  test.each(['api.example.com', 'localhost:4000', 'ftp://example.com', undefined])(
    'createClient rejects the base URL %s',
    (baseUrl) => {
      expect(() => createClient({ baseUrl: baseUrl as string })).toThrow(/^baseUrl must be a URL/)
    },
  )

  test.each([
    ['a header that cannot be sent', () => client.health.live({}, { headers: { 'x-name': 'snow ☃' } })],
    ['a body that cannot be serialized', () => client.webhooks.create({ url: 1n as unknown as string })],
    ['a room without price_check_uri', () => client.booking.checkRoom({ booking_info: {} } as never)],
    ['an empty id', () => client.booking.show({ booking_id: '' })],
    ['an id that is a parent path', () => client.booking.cancel({ booking_id: '..' })],
  ])('%s throws a TypeError before anything is sent', async (_, call) => {
    server.play(shown)
    await expect(call()).rejects.toThrow(TypeError)
    expect(server.seen()).toHaveLength(0)
  })
})

describe('a response of a proxy', () => {
  test('a proxy’s error with its own code is not taken for a problem of the service', async () => {
    const step = replyJson(503, { code: 'NO_HEALTHY_UPSTREAM', message: 'no healthy upstream' })
    server.play(step, shown)
    expect(await client.booking.show({ booking_id: 'bkg_1' })).toEqual({ booking_id: 'bkg_1' })
    server.play(step)
    const failed = client.booking.show({ booking_id: 'bkg_1' }, { retries: 0 })
    await expect(failed).rejects.toMatchObject({ status: 503, code: 'unreadable_answer', problem: undefined })
  })

  test('a page instead of a document is an unreadable answer', async () => {
    server.play(replyHtml(200))
    const voucher = client.booking.voucherFile({ booking_id: 'b', type: 'application/pdf' }, { retries: 0 })
    await expect(voucher).rejects.toMatchObject({ code: 'unreadable_answer' })
  })

  test('a plain response instead of a stream times out like one attempt', async () => {
    server.play((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"data":')
    })
    const request = {
      destination_id: 'd',
      check_in: '2027-02-01',
      check_out: '2027-02-02',
      occupancies: [{ adults: 2 }],
    }
    const stream = client.search.stream(request, { timeoutMs: 300, retries: 0 })
    await expect(stream.next()).rejects.toMatchObject({ code: 'timeout', status: 200 })
  })
})

test('a token is requested again only once after it is denied', async () => {
  server.play(
    replyJson(200, { token: 'srt_1' }),
    replyProblem(401, 'unauthenticated'),
    replyJson(200, { token: 'srt_2' }),
    replyProblem(401, 'unauthenticated'),
  )
  const options = { baseUrl: server.url }
  const signedIn = createClient({ ...options, ...signInWith(ACCOUNT, options) })
  await expect(signedIn.booking.show({ booking_id: 'b' })).rejects.toMatchObject({ status: 401 })
  expect(server.seen()).toHaveLength(4)
})
