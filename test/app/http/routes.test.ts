import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { buildApp } from '../../../src/compose/app.ts'
import { readConfig } from '../../../src/config.ts'
import { compileSchema } from '../../../src/http/body/validation.ts'
import { openDatabase } from '../../../src/store/database.ts'

/** Widening this list requires a change here too. */
const PUBLIC = [
  'docs.errors',
  'docs.openapi',
  'docs.page',
  'accounts.get_token',
  'health.live',
  'health.metrics',
  'health.ready',
  'session.close_booking',
  'session.open_booking',
  'session.send_booking_link',
  'session.sign_in',
  'session.start_guest',
  'vendor.notify',
  'payments.notify',
]

/** Files of the page; absent if the page is not built. */
const PAGE = [
  'map.land',
  'map.places',
  'page.asset',
  'page.config',
  'page.picture',
  'page.plain_results',
  'page.view',
  'unmatched',
]

async function allRoutes(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = []
  const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  const app = await buildApp(readConfig({ NODE_ENV: 'test' }), { database, onRoute: (route) => routes.push(route) })
  await app.http.ready()
  await app.close()
  await database.close()
  return routes.filter((route) => route.method !== 'HEAD' && route.method !== 'OPTIONS')
}

test('every route declares its operation, access and responses', async () => {
  const routes = await allRoutes()
  expect(routes.length).toBeGreaterThan(5)
  const bare = routes.filter((r) => !r.config?.operation || !r.config.access || r.schema?.response === undefined)
  expect(bare.map((route) => `${route.method} ${route.url}`)).toEqual([])
})

test('exactly the listed operations need no token', async () => {
  const open = (await allRoutes()).filter((route) => route.config?.access === 'public')
  const operations = [...new Set(open.map((route) => String(route.config?.operation)))].sort()
  expect(operations.filter((operation) => !PAGE.includes(operation))).toEqual([...PUBLIC].sort())
})

test('every request schema compiles, which the service itself does only on first use', async () => {
  const schemas = (await allRoutes()).flatMap(({ schema: { body, querystring, params, headers } = {} }) =>
    [body, querystring, params, headers].filter((schema) => schema !== undefined),
  )
  expect(schemas.length).toBeGreaterThan(30)
  for (const schema of schemas) expect(compileSchema({ schema })).toBeTypeOf('function')
})
