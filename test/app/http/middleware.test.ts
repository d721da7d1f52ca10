import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

describe('request ids', () => {
  test('a valid request id is kept', async () => {
    const answer = await app.call({ url: '/healthz', headers: { 'x-request-id': 'trace-42' } })
    expect(answer.headers['x-request-id']).toBe('trace-42')
  })

  test.each(['a b', '<script>', 'x'.repeat(101), '', 'srt_abcdef', '4111111111111111'])(
    'the request id %j is replaced',
    async (sent) => {
      const answer = await app.call({ url: '/healthz', headers: { 'x-request-id': sent } })
      expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-z]{14,}$/)
    },
  )
})

describe('errors', () => {
  test('a 404 names the path', async () => {
    const answer = await app.call({ url: '/api/nothing-here' })
    expect(answer.json()).toMatchObject({
      status: 404,
      code: 'not_found',
      detail: 'There is nothing at /api/nothing-here.',
    })
  })

  test('a path with an overlong segment is refused with a problem', async () => {
    const answer = await app.call({ url: `/api/accommodation/bookings/${'x'.repeat(400)}` })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json().code).toBeDefined()
  })

  test.each(['/api/accommodation/bookings/%ff', `/api/accommodation/bookings/${'x'.repeat(201)}`])(
    'a request that the router itself refuses has the usual headers: %s',
    async (url) => {
      const { statusCode, headers, ...answer } = await app.call({ url, headers: { 'x-request-id': 'trace-43' } })
      expect([400, 404]).toContain(statusCode)
      expect([headers['x-request-id'], answer.json().instance]).toEqual(['trace-43', 'trace-43'])
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    },
  )

  test('a 405 lists the allowed methods', async () => {
    const answer = await app.call({ method: 'DELETE', url: '/api/accounts/get_token' })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST'])
    const slashed = await app.call({ method: 'DELETE', url: '/api/accounts/get_token/' })
    expect([slashed.statusCode, slashed.headers.allow], 'a slash at the end').toEqual([405, 'POST'])
  })

  test('an exception returns 500 without internals and is logged with its stack', async () => {
    const broken = await testApp()
    const bug = new TypeError('secret internals')
    broken.http.get('/bug', { config: { operation: 'test.bug', access: 'public' } }, async () => {
      throw bug
    })
    const answer = await broken.call({ url: '/bug' })
    expect(answer.json()).toMatchObject({ status: 500, code: 'internal' })
    expect(answer.body).not.toContain('secret internals')
    expect(broken.logged.join('')).toContain('secret internals')
    await broken.close()
  })

  test('a route that declares no access returns 500', async () => {
    const broken = await testApp()
    broken.http.get('/undeclared', async () => ({ leaked: true }))
    expect((await broken.call({ url: '/undeclared' })).statusCode).toBe(500)
    await broken.close()
  })
})

describe('headers', () => {
  test('every response has the security headers, and none reveals the server software', async () => {
    for (const url of ['/healthz', '/api/nothing', '/openapi.json']) {
      const { headers } = await app.call({ url })
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toMatch(/default-src '(self|none)'/)
      expect(headers['x-frame-options']).toBe('DENY')
      expect(headers['x-powered-by']).toBeUndefined()
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('cross-origin requests are refused unless the operator allows the origin', async () => {
    const open = await testApp({ corsOrigins: ['https://shop.example'] })
    const send = (origin: string) => open.call({ url: '/healthz', headers: { origin } })
    expect((await send('https://shop.example')).headers['access-control-allow-origin']).toBe('https://shop.example')
    expect((await send('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined()
    const preflight = await open.call({
      method: 'OPTIONS',
      url: '/api/locations/search',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET', 'x-request-id': 'trace-44' },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers, 'what the library answers itself').toMatchObject({
      'x-request-id': 'trace-44',
      'x-content-type-options': 'nosniff',
    })
    await open.close()
  })

  test('the rate limit is shown in headers and ends in 429 with retry-after', async () => {
    const small = await testApp({ allowances: { ...allowances(), address: { quota: 2, windowMs: 60_000 } } })
    const answers = []
    for (let i = 0; i < 3; i += 1) answers.push(await small.call({ url: '/api/nothing' }))
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"address";q=2;w=60')
    expect(answers[0]?.headers.ratelimit).toBe('"address";r=1;t=60')
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 429])
    expect(answers[2]?.headers['retry-after']).toBe('60')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await small.call({ url: '/api/nothing' })).statusCode).toBe(404)
    vi.useRealTimers()
    await small.close()
  })

  test('requests without a valid token use up the limit of their address, so guessing tokens ends in 429', async () => {
    const small = await testApp({ allowances: { ...allowances(), address: { quota: 2, windowMs: 60_000 } } })
    const url = '/api/accommodation_searches'
    const guess = (n: number) => small.as(`srt_${String(n).padStart(43, 'A')}`, { url })
    const answers = [await small.call({ url }), await guess(1), await guess(2), await small.call({ url })]
    expect(answers.map((answer) => answer.statusCode)).toEqual([401, 401, 429, 429])
    expect(answers[1]?.headers.ratelimit).toBe('"address";r=0;t=60')
    await small.close()
  })
})

describe('simulation header', () => {
  test('an unknown simulation is refused with a list of the known ones and never treated as a real call', async () => {
    const answer = await app.call({ url: '/api/nothing', headers: { 'x-simulate-return': 'sucess' } })
    expect(answer.json()).toMatchObject({ status: 400, code: 'unknown_simulation' })
    expect(answer.json().detail).toContain('success, price_changed, terms_changed, sold_out')
  })

  test('the simulation rate_limited returns 429', async () => {
    const answer = await app.call({ url: '/openapi.json', headers: { 'x-simulate-return': 'rate_limited' } })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '1'])
  })
})

describe('health', () => {
  test('while draining, the readiness probe fails and the liveness probe succeeds', async () => {
    const going = await testApp()
    expect((await going.call({ url: '/readyz' })).json()).toEqual({ status: 'ready', checks: { store: 'ok' } })
    going.drain()
    expect((await going.call({ url: '/readyz' })).statusCode).toBe(503)
    expect((await going.call({ url: '/healthz' })).statusCode).toBe(200)
    await going.close()
  })

  test('metrics count requests by operation', async () => {
    await app.call({ url: '/healthz' })
    const { body } = await app.call({ url: '/metrics' })
    expect(body).toContain('http_server_request_duration_seconds_count{operation="health.live",status="200"}')
  })
})

function allowances() {
  const unlimited = { quota: 1e6, windowMs: 60_000 }
  return { account: unlimited, address: unlimited, signInsPerAddress: unlimited, signInsPerPair: unlimited }
}
