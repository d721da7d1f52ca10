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

/** What comes back for bytes that no client library would send. */
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

describe('what HTTP itself refuses is told as a problem', () => {
  const problem = 'application/problem+json'
  test.each([
    ['two hosts', 'GET /healthz HTTP/1.1\nhost: a\nhost: b\nconnection: close\n\n', 400, 'malformed_request'],
    ['no host', 'GET /healthz HTTP/1.1\nconnection: close\n\n', 400, 'malformed_request'],
    [
      'an expectation nobody knows',
      'GET /healthz HTTP/1.1\nhost: a\nexpect: miracles\nconnection: close\n\n',
      417,
      'expectation_failed',
    ],
  ])('%s', async (_, text, status, code) => {
    expect(await send(text)).toMatchObject({ status, type: problem, code })
  })

  test('a whole address is read as its path: bookings that it answers are kept in no cache either', async () => {
    const authorization = `authorization: Bearer ${await app.signIn()}`
    const ask = (address: string) => send(`GET ${address} HTTP/1.1\nhost: a\n${authorization}\nconnection: close\n\n`)
    const path = await ask('/api/accommodation/bookings?limit=1')
    expect(path).toMatchObject({ status: 200, cache: 'no-store' })
    expect(await ask('http://a/api/accommodation/bookings?limit=1')).toEqual(path)
    expect(await ask('http://a?x'), 'no path at all').toEqual(await ask('/?x'))
  })

  test('HTTP/1.0 needs no host, and expect: 100-continue is met', async () => {
    expect((await send('GET /healthz HTTP/1.0\n\n')).status).toBe(200)
    const sent = await send(
      'POST /api/accounts/get_token HTTP/1.1\nhost: a\nexpect: 100-continue\ncontent-length: 0\nconnection: close\n\n',
    )
    expect(sent.status).toBe(100)
  })
})

describe('the address of a client behind proxies', () => {
  const url = '/api/nothing'
  const address = { quota: 2, windowMs: 60_000 }
  const much = { quota: 1e6, windowMs: 60_000 }
  const allowances = { account: much, address, signInsPerAddress: much, signInsPerPair: much }
  const codes = async (proxied: TestApp, forwarded: (n: number) => string, remoteAddress = '10.0.0.9') => {
    const answers = []
    for (let n = 1; n <= 4; n += 1)
      answers.push(await proxied.call({ url, remoteAddress, headers: { 'x-forwarded-for': forwarded(n) } }))
    return answers.map(({ statusCode }) => statusCode)
  }

  test('is not what the client writes: neither by default, nor with one proxy, nor with a list of proxies', async () => {
    for (const trustProxy of [false, 1, ['10.0.0.0/8']] as const) {
      const proxied = await testApp({ trustProxy, allowances })
      // The proxy appends the true address; what stands before it is the client's invention.
      expect(await codes(proxied, (n) => `203.0.113.${n}, 198.51.100.7`)).toEqual([404, 404, 429, 429])
      await proxied.close()
    }
  })

  test('is what the proxy adds, where the proxy is believed', async () => {
    for (const trustProxy of [1, ['10.0.0.0/8']] as const) {
      const proxied = await testApp({ trustProxy, allowances })
      expect(await codes(proxied, (n) => `198.51.100.${n}`)).toEqual([404, 404, 404, 404])
      await proxied.close()
    }
  })

  test('is the connection’s where it does not come from a proxy of the list', async () => {
    const proxied = await testApp({ trustProxy: ['10.0.0.0/8'], allowances })
    expect(await codes(proxied, (n) => `198.51.100.${n}`, '192.0.2.1')).toEqual([404, 404, 429, 429])
    await proxied.close()
  })
})

describe('/metrics', () => {
  const metrics = (over: object) => ({ metrics: { port: undefined, token: undefined, onLoopback: false, ...over } })
  const statusOf = async (settings: object, options: object = {}) => {
    const own = await testApp(settings)
    const { statusCode } = await own.call({ url: '/metrics', ...options })
    await own.close()
    return statusCode
  }

  test('is nothing where the operator allows it nowhere', async () => {
    expect(await statusOf(metrics({}))).toBe(404)
  })

  test('needs the token where there is one', async () => {
    const token = 'a-token-for-prometheus'
    const withToken = (authorization: string) => statusOf(metrics({ token }), { headers: { authorization } })
    expect(await withToken(`Bearer ${token}`)).toBe(200)
    expect([await withToken('Bearer another'), await statusOf(metrics({ token }))]).toEqual([404, 404])
  })

  test('in development is for this machine alone, and not for what a proxy on it passes on', async () => {
    const open = metrics({ onLoopback: true })
    expect(await statusOf(open, { remoteAddress: '::1' })).toBe(200)
    expect(await statusOf(open, { remoteAddress: '192.0.2.1' })).toBe(404)
    expect(await statusOf(open, { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(404)
  })

  test('has a port of its own where the operator names one', async () => {
    const own = await testApp(metrics({ port: 9_090 }))
    expect((await own.call({ url: '/metrics' })).statusCode).toBe(404)
    expect((await own.metrics?.inject('/metrics'))?.body).toContain('http_server_request_duration_seconds')
    expect((await own.metrics?.inject('/healthz'))?.statusCode).toBe(404)
    await own.close()
  })
})

test('a page of an origin that the operator names may use every method and read our headers', async () => {
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

test('where origins are named, OPTIONS that is no preflight is answered, and a cache is told that files differ by origin', async () => {
  const origin = 'https://shop.example'
  const open = await testApp({ corsOrigins: [origin] })
  const asked = await open.call({ method: 'OPTIONS', url: '/api/webhooks' })
  expect([asked.statusCode, asked.headers['content-type']]).toEqual([204, undefined])
  const document = await open.call({ url: '/openapi.json', headers: { origin } })
  expect(document.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin, accept-encoding' })
  await open.close()
})
