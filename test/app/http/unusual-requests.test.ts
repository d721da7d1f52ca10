import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Sends bytes that no client library would send and parses the response. */
async function send(text: string): Promise<{ status: number; type: string; cache: string; code: string }> {
  const { port } = app.http.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(text.replaceAll('\n', '\r\n'))
  await once(socket, 'end')
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  return {
    status: Number(head.split(' ')[1]),
    type: /content-type: ([^;\r]+)/i.exec(head)?.[1] ?? '',
    cache: /cache-control: ([^\r]+)/i.exec(head)?.[1] ?? '',
    code: body.startsWith('{') ? JSON.parse(body).code : '',
  }
}

describe('requests that violate HTTP', () => {
  const problem = 'application/problem+json'
  test.each([
    ['two host headers', 'GET /healthz HTTP/1.1\nhost: a\nhost: b\nconnection: close\n\n', 400, 'malformed_request'],
    ['no host header', 'GET /healthz HTTP/1.1\nconnection: close\n\n', 400, 'malformed_request'],
    [
      'an unknown expectation',
      'GET /healthz HTTP/1.1\nhost: a\nexpect: miracles\nconnection: close\n\n',
      417,
      'expectation_failed',
    ],
  ])('a request with %s is refused with a problem', async (_, text, status, code) => {
    expect(await send(text)).toMatchObject({ status, type: problem, code })
  })

  test('an absolute URL is treated as its path, and its response has the same cache headers', async () => {
    const authorization = `authorization: Bearer ${await app.signIn()}`
    const ask = (address: string) => send(`GET ${address} HTTP/1.1\nhost: a\n${authorization}\nconnection: close\n\n`)
    const path = await ask('/api/accommodation/bookings?limit=1')
    expect(path).toMatchObject({ status: 200, cache: 'no-store' })
    expect(await ask('http://a/api/accommodation/bookings?limit=1')).toEqual(path)
    expect(await ask('http://a?x'), 'no path at all').toEqual(await ask('/?x'))
  })

  test('HTTP/1.0 needs no host header, and expect: 100-continue is honoured', async () => {
    expect((await send('GET /healthz HTTP/1.0\n\n')).status).toBe(200)
    const sent = await send(
      'POST /api/accounts/get_token HTTP/1.1\nhost: a\nexpect: 100-continue\ncontent-length: 0\nconnection: close\n\n',
    )
    expect(sent.status).toBe(100)
  })
})

test.each(['', 'content-type: application/json\ncontent-length: 2\n'])(
  'the method QUERY is refused with 405 and the methods of the path: %j',
  async (headers) => {
    const text = `QUERY /api/accounts/get_token HTTP/1.1\nhost: a\nconnection: close\n${headers}\n${headers && '{}'}`
    expect(await send(text)).toMatchObject({ status: 405, code: 'method_not_allowed' })
  },
)

test('an address may fetch 6,000 files of the page a minute, and probes are not limited', async () => {
  const fresh = await testApp()
  const fetchFile = async () => (await fresh.call({ url: '/map/land/0/0/0', remoteAddress: '192.0.2.9' })).statusCode
  const codes = new Set<number>()
  for (let count = 0; count < 6_000; count += 1) codes.add(await fetchFile())
  expect([codes.has(429), await fetchFile()]).toEqual([false, 429])
  const call = async (url: string, remoteAddress: string) => (await fresh.call({ url, remoteAddress })).statusCode
  expect(await call('/healthz', '192.0.2.9')).toBe(200)
  expect(await call('/map/land/0/0/0', '192.0.2.10')).not.toBe(429)
  await fresh.close()
}, 60_000)

describe('addresses of clients behind proxies', () => {
  const url = '/api/nothing'
  const address = { quota: 2, windowMs: 60_000 }
  const unlimited = { quota: 1e6, windowMs: 60_000 }
  const allowances = { account: unlimited, address, signInsPerAddress: unlimited, signInsPerPair: unlimited }
  const codes = async (proxied: TestApp, forwarded: (n: number) => string, remoteAddress = '10.0.0.9') => {
    const answers = []
    for (let n = 1; n <= 4; n += 1)
      answers.push(await proxied.call({ url, remoteAddress, headers: { 'x-forwarded-for': forwarded(n) } }))
    return answers.map(({ statusCode }) => statusCode)
  }

  test('a client cannot choose its own address, with or without trusted proxies', async () => {
    for (const trustProxy of [false, 1, ['10.0.0.0/8']] as const) {
      const proxied = await testApp({ trustProxy, allowances })
      // The proxy appends the real address; the part before it is supplied by the client.
      expect(await codes(proxied, (n) => `203.0.113.${n}, 198.51.100.7`)).toEqual([404, 404, 429, 429])
      await proxied.close()
    }
  })

  test('the address that a trusted proxy adds is used', async () => {
    for (const trustProxy of [1, ['10.0.0.0/8']] as const) {
      const proxied = await testApp({ trustProxy, allowances })
      expect(await codes(proxied, (n) => `198.51.100.${n}`)).toEqual([404, 404, 404, 404])
      await proxied.close()
    }
  })

  test('the port that some proxies add does not make it another address', async () => {
    const proxied = await testApp({ trustProxy: 1, allowances })
    expect(await codes(proxied, (n) => `198.51.100.1:${40_000 + n}`)).toEqual([404, 404, 429, 429])
    expect(await codes(proxied, (n) => `[2001:db8::1]:${40_000 + n}`)).toEqual([404, 404, 429, 429])
    expect(await codes(proxied, (n) => `2001:db8:${n}::1`)).toEqual([404, 404, 404, 404])
    await proxied.close()
  })

  test('the address of the connection is used if it is not a trusted proxy', async () => {
    const proxied = await testApp({ trustProxy: ['10.0.0.0/8'], allowances })
    expect(await codes(proxied, (n) => `198.51.100.${n}`, '192.0.2.1')).toEqual([404, 404, 429, 429])
    await proxied.close()
  })
})

describe('metrics endpoint', () => {
  const metrics = (over: object) => ({ metrics: { port: undefined, token: undefined, onLoopback: false, ...over } })
  const readStatus = async (settings: object, options: object = {}) => {
    const ownApp = await testApp(settings)
    const { statusCode } = await ownApp.call({ url: '/metrics', ...options })
    await ownApp.close()
    return statusCode
  }

  test('/metrics returns 404 unless the operator enables it', async () => {
    expect(await readStatus(metrics({}))).toBe(404)
  })

  test('/metrics requires the token if one is set', async () => {
    const token = 'a-token-for-prometheus'
    const withToken = (authorization: string) => readStatus(metrics({ token }), { headers: { authorization } })
    expect(await withToken(`Bearer ${token}`)).toBe(200)
    expect([await withToken('Bearer another'), await readStatus(metrics({ token }))]).toEqual([404, 404])
  })

  test('in development /metrics is available only from this machine and not through a proxy on it', async () => {
    const open = metrics({ onLoopback: true })
    expect(await readStatus(open, { remoteAddress: '::1' })).toBe(200)
    expect(await readStatus(open, { remoteAddress: '192.0.2.1' })).toBe(404)
    expect(await readStatus(open, { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(404)
  })

  test('/metrics is served on a port of its own if the operator sets one', async () => {
    const ownApp = await testApp(metrics({ port: 9_090 }))
    expect((await ownApp.call({ url: '/metrics' })).statusCode).toBe(404)
    expect((await ownApp.metrics?.inject('/metrics'))?.body).toContain('http_server_request_duration_seconds')
    expect((await ownApp.metrics?.inject('/healthz'))?.statusCode).toBe(404)
    await ownApp.close()
  })
})

test('a page of an allowed origin may use every method and read our headers', async () => {
  const open = await testApp({ corsOrigins: ['https://shop.example'] })
  const origin = 'https://shop.example'
  for (const method of ['DELETE', 'PATCH', 'POST']) {
    const headers = { origin, 'access-control-request-method': method }
    const preflight = await open.call({ method: 'OPTIONS', url: '/api/webhooks/wh_1', headers })
    expect(preflight.headers['access-control-allow-methods']).toContain(method)
  }
  const answer = await open.call({ url: '/api/nothing', headers: { origin } })
  const exposed = String(answer.headers['access-control-expose-headers'])
  for (const name of ['x-request-id', 'retry-after', 'ratelimit', 'location', 'idempotent-replayed'])
    expect(exposed).toContain(name)
  await open.close()
})

test('with allowed origins, an OPTIONS request that is not a preflight is answered and files vary by origin', async () => {
  const origin = 'https://shop.example'
  const open = await testApp({ corsOrigins: [origin] })
  const asked = await open.call({ method: 'OPTIONS', url: '/api/webhooks' })
  expect([asked.statusCode, asked.headers['content-type']]).toEqual([204, undefined])
  const document = await open.call({ url: '/openapi.json', headers: { origin } })
  expect(document.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin, accept-encoding' })
  await open.close()
})
