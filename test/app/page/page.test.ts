import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addErrorHandler } from '../../../src/http/middleware/error-handler.ts'
import { pageRoutes, readableAddress } from '../../../src/page/routes/page.ts'

/** What Chromium sends when somebody types an address. */
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }
const PAGE = '<!doctype html><title>Serai</title>'
const settings = { mode: 'test', demo: null, mapStyleUrl: null, mail: false, guests: 'off' } as const

const folder = mkdtempSync(join(tmpdir(), 'serai-page-'))
let built: FastifyInstance
let unbuilt: FastifyInstance

async function serverOver(pageFolder: string): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, rewriteUrl: readableAddress })
  addErrorHandler(app)
  app.post('/api/accounts/get_token', async () => ({}))
  await app.register(pageRoutes, {
    folder: pageFolder,
    settings,
    picture: undefined,
    pageCallers: { of: async () => undefined },
  })
  return app
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'assets', 'index-1.js'), 'export {}')
  built = await serverOver(folder)
  unbuilt = await serverOver(join(folder, 'nothing-built'))
})
afterAll(async () => {
  await Promise.all([built.close(), unbuilt.close()])
  rmSync(folder, { recursive: true, force: true })
})

describe('a person with a browser', () => {
  test.each([
    '/',
    '/search?q=1',
    '/property/prp_1',
    '/checkout',
    '/bookings',
    '/bookings/bkg_1',
    '/bookings/',
    '/console',
    '/console/bookings/bkg_1',
  ])('gets the page at %s', async (url) => {
    const answer = await built.inject({ url, headers: NAVIGATION })
    expect([answer.statusCode, answer.body]).toEqual([200, PAGE])
  })

  test('gets the page at an address that is no text, so that it can say there is no such page', async () => {
    const answer = await built.inject({ url: '/property/%E0%A4%A?x=1', headers: NAVIGATION })
    expect([answer.statusCode, answer.body]).toEqual([404, PAGE])
  })

  test.each(['/foo', '/sign-in', '/confirmation/1', '/property', '/property/1/rooms', '/apis', '/index.html'])(
    'gets the page at %s too, with status 404, so that it can say there is no such page',
    async (url) => {
      const answer = await built.inject({ url, headers: NAVIGATION })
      expect([answer.statusCode, answer.body]).toEqual([404, PAGE])
      expect(answer.headers.vary).toContain('accept')
    },
  )

  test('gets a problem where the page is not built', async () => {
    const answer = await unbuilt.inject({ url: '/foo', headers: NAVIGATION })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  })
})

describe('a program', () => {
  test.each([
    ['that takes anything', '/foo', '*/*'],
    ['that asks for JSON', '/foo', 'application/json'],
    ['that asks for nothing in particular', '/foo', undefined],
    ['below /api, whatever it would like to read', '/api/nothing', NAVIGATION.accept],
    ['at /api itself', '/api?q=1', NAVIGATION.accept],
    ['that asks for a file of another build', '/assets/index-0.js', NAVIGATION.accept],
  ])('%s gets a problem', async (_, url, accept) => {
    const answer = await built.inject({ url, headers: accept === undefined ? {} : { accept } })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  })

  test('is told the right method, not that there is nothing', async () => {
    const answer = await built.inject({ url: '/api/accounts/get_token', headers: NAVIGATION })
    expect([answer.statusCode, answer.headers.allow, answer.json().code]).toEqual([405, 'POST', 'method_not_allowed'])
  })
})
