import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStaticFile } from '../../../src/http/middleware/static-file.ts'
import { chooseCompression } from '../../../src/http/streams/choose-compression.ts'
import { pageRoutes } from '../../../src/page/routes/page.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

describe('the script of the reference page', () => {
  const ask = (headers: Record<string, string> = { 'accept-encoding': 'gzip, br' }) =>
    app.call({ url: '/docs/scalar.js', headers })

  test('the script decodes to the same bytes in every encoding and has cache headers', async () => {
    const [plain, br, gzip] = await Promise.all([
      ask({}),
      ask({ 'accept-encoding': 'br' }),
      ask({ 'accept-encoding': 'gzip' }),
    ])
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
    expect(br.headers).toMatchObject({ 'cache-control': 'public, max-age=3600', 'content-encoding': 'br' })
    expect(br.headers.vary).toContain('accept-encoding')
  })

  test('the script is not sent again if the etag matches', async () => {
    const { etag } = (await ask()).headers
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': `W/"other", ${etag}` })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  })
})

test('a file is compressed once, however often it is requested', async () => {
  const words = randomBytes(300_000).toString('hex')
  const file = createStaticFile(() => Buffer.from(words), { type: 'text/plain', cacheControl: 'no-cache' })
  const server = Fastify()
  server.get('/file', (request, reply) => file.send(request, reply))
  const ask = () => server.inject({ url: '/file', headers: { 'accept-encoding': 'br' } })
  const cpuOf = async (times: number) => {
    const begun = cpuMs()
    for (let i = 0; i < times; i += 1) expect((await ask()).statusCode).toBe(200)
    return cpuMs() - begun
  }
  const once = await cpuOf(1)
  // Compressing every time would cost thirty times as much as the first request. Other work in this process counts too.
  expect(await cpuOf(30)).toBeLessThan(15 * once)
  await server.close()
})

test('concurrent requests share one read of the file', async () => {
  let reads = 0
  const file = createStaticFile(
    () => {
      reads += 1
      return Buffer.alloc(100_000, 'serai ')
    },
    { type: 'text/plain', cacheControl: 'no-cache' },
  )
  const server = Fastify()
  server.get('/file', (request, reply) => file.send(request, reply))
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.inject({ url: '/file', headers: { 'accept-encoding': 'br' } })),
  )
  expect(answers.every(({ rawPayload }) => rawPayload.length < 1_000)).toBe(true)
  expect(reads).toBe(1)
  await server.close()
})

test.each(['identity', 'br;q=0, gzip;q=0.0', 'deflate'])(
  'a client that accepts %s gets the uncompressed bytes',
  async (encoding) => {
    const { headers } = await app.call({ url: '/docs/errors', headers: { 'accept-encoding': encoding } })
    expect(headers['content-encoding']).toBeUndefined()
  },
)

test.each([
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0.2, gzip;q=0.9', 'gzip'],
  ['gzip;q=0.2, br;q=0.9', 'br'],
  ['gzip, br', 'br'],
  ['*;q=0.1, gzip;q=0.5', 'gzip'],
])('of %s the encoding with the highest weight is used, in files and streams', async (accepted, encoding) => {
  const { headers } = await app.call({ url: '/docs/errors', headers: { 'accept-encoding': accepted } })
  expect(headers['content-encoding']).toBe(encoding)
  const document = await app.call({ url: '/openapi.json', headers: { 'accept-encoding': accepted } })
  expect(document.headers['content-encoding']).toBe(encoding)
  expect(chooseCompression(accepted)?.name).toBe(encoding)
})

test('assets are cached for a year, and paths outside their folder return 404', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'serai-assets-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'assets', 'index-1.js'), `export const text = '${'x'.repeat(5_000)}'`)
  const server = Fastify()
  await server.register(pageRoutes, { folder, picture: undefined })
  const asset = await server.inject({ url: '/assets/index-1.js', headers: { 'accept-encoding': 'gzip' } })
  expect(asset.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
  })
  for (const path of ['../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', 'nothing.js'])
    expect((await server.inject(`/assets/${path}`)).statusCode).toBe(404)
  const view = await server.inject('/')
  const again = await server.inject({ url: '/', headers: { 'if-none-match': String(view.headers.etag) } })
  expect(again.statusCode).toBe(304)
  await server.close()
  rmSync(folder, { recursive: true })
})
