import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addErrorHandler } from '../../../src/http/middleware/error-handler.ts'
import { pageRoutes, routablePath } from '../../../src/page/routes/page.ts'

/** Accept header of Chromium when a user enters an address. */
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }
const PAGE = '<!doctype html><title>Serai</title>'
const folder = mkdtempSync(join(tmpdir(), 'serai-page-'))
let built: FastifyInstance
let unbuilt: FastifyInstance

async function createServer(pageFolder: string): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, rewriteUrl: routablePath })
  addErrorHandler(app)
  app.post('/api/accounts/get_token', async () => ({}))
  await app.register(pageRoutes, { folder: pageFolder, picture: undefined })
  return app
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'assets', 'index-1.js'), 'export {}')
  built = await createServer(folder)
  unbuilt = await createServer(join(folder, 'nothing-built'))
})
afterAll(async () => {
  await Promise.all([built.close(), unbuilt.close()])
  rmSync(folder, { recursive: true, force: true })
})

describe('browsers', () => {
  test.each([
    '/',
    '/search?q=1',
    '/property/prp_1',
    '/checkout',
    '/bookings',
    '/bookings/bkg_1',
    '/bookings/',
    '/pay/pay_1',
    '/console',
    '/console/bookings/bkg_1',
  ])('a browser gets the page at %s', async (url) => {
    const answer = await built.inject({ url, headers: NAVIGATION })
    expect([answer.statusCode, answer.body]).toEqual([200, PAGE])
  })

  test('a view whose build has a file of its own is served with it', async () => {
    writeFileSync(join(folder, 'search.html'), `${PAGE}<link rel="modulepreload" href="/assets/results-1.js">`)
    const server = await createServer(folder)
    const read = async (url: string) => (await server.inject({ url, headers: NAVIGATION })).body
    expect(await read('/search?q=1')).toContain('results-1.js')
    expect(await read('/')).toBe(PAGE)
    await server.close()
    rmSync(join(folder, 'search.html'))
  })

  test('a browser gets the page with status 404 for a path that is not valid text', async () => {
    const answer = await built.inject({ url: '/property/%E0%A4%A?x=1', headers: NAVIGATION })
    expect([answer.statusCode, answer.body]).toEqual([404, PAGE])
  })

  test.each(['/foo', '/sign-in', '/confirmation/1', '/property', '/property/1/rooms', '/apis', '/index.html'])(
    'a browser gets the page with status 404 at %s',
    async (url) => {
      const answer = await built.inject({ url, headers: NAVIGATION })
      expect([answer.statusCode, answer.body]).toEqual([404, PAGE])
      expect(answer.headers.vary).toContain('accept')
    },
  )

  test('a browser gets a problem if the page is not built', async () => {
    const answer = await unbuilt.inject({ url: '/foo', headers: NAVIGATION })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  })
})

describe('programs', () => {
  test.each([
    ['that accepts anything', '/foo', '*/*'],
    ['that asks for JSON', '/foo', 'application/json'],
    ['without an accept header', '/foo', undefined],
    ['that asks for HTML below /api', '/api/nothing', NAVIGATION.accept],
    ['that asks for HTML at /api itself', '/api?q=1', NAVIGATION.accept],
    ['that asks for a file of another build', '/assets/index-0.js', NAVIGATION.accept],
  ])('a program %s gets a problem', async (_, url, accept) => {
    const answer = await built.inject({ url, headers: accept === undefined ? {} : { accept } })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  })

  test('a program that uses the wrong method gets 405 with the allowed ones', async () => {
    const answer = await built.inject({ url: '/api/accounts/get_token', headers: NAVIGATION })
    expect([answer.statusCode, answer.headers.allow, answer.json().code]).toEqual([405, 'POST', 'method_not_allowed'])
  })
})
