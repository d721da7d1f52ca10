import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import type { Database } from '../../../src/store/database.ts'
import { storeUnavailable } from '../../../src/store/store-unavailable.ts'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

type Line = Record<string, unknown> & { readonly level: number; readonly msg: string }
const [ERROR, WARN] = [50, 40]

const fail = () => {
  throw storeUnavailable(new Error('connect ECONNREFUSED'), 1_000)
}
/** A query of a lost database: any chain of calls, which rejects when it is executed. */
const lostQuery: object = new Proxy(() => undefined, {
  get: (_, name) => (String(name).startsWith('execute') ? async () => fail() : lostQuery),
  apply: () => lostQuery,
})

let app: SearchApp
let database: Database
let isLost = false
beforeAll(async () => {
  database = await openMigrated()
  const read = new Proxy(database.read, {
    get(target, name) {
      if (isLost) return lostQuery
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const write: Database['write'] = async (work) => (isLost ? fail() : database.write(work))
  app = await searchApp({}, { database: { ...database, read, write } })
  await searchUntilComplete(app)
})
afterAll(async () => {
  isLost = false
  await app.close()
})

const lines = () => app.logged.map((line) => JSON.parse(line) as Line)
/** Lines of earlier tests. */
const earlier: string[] = []
const startLog = () => void earlier.push(...app.logged.splice(0))
const answered = () => lines().filter(({ msg }) => msg === 'answered')

test('the line of a failed search has its code and effect, and every vendor with status and reason', async () => {
  for (const id of STAND_IN_IDS) await app.sandbox.control[id].addFaults({ kind: 'error_before', operation: '*' })
  startLog()
  const answer = await app.post({ check_in: app.day(80), check_out: app.day(81) })
  const code = answer.json().code
  await app.clearFaults()
  const [line] = answered()
  expect(line).toMatchObject({ operation: 'search.create', status: answer.statusCode, code, effect: 'none' })
  const vendors = STAND_IN_IDS.map((vendor) => ({ vendor, status: 'error' }))
  expect(line?.vendors).toEqual(expect.arrayContaining(vendors.map((vendor) => expect.objectContaining(vendor))))
})

test('a failed call to a vendor is a warning with its fault, at most every ten seconds with the number in between', async () => {
  const vendor = 'hotelbeds'
  const fail = async (ahead: number) => {
    await app.sandbox.control[vendor].addFaults({ kind: 'error_before', operation: '*' })
    await app.post({ check_in: app.day(ahead), check_out: app.day(ahead + 1), vendors: [vendor] })
    await app.clearFaults()
  }
  const warnings = () => lines().filter(({ level, vendor: id }) => level === WARN && id === vendor)
  app.clock.advance(60_000)
  startLog()
  await fail(90)
  await fail(92)
  const [first, ...rest] = warnings()
  expect(first).toMatchObject({ operation: 'availability', fault: 'server_error', status: expect.any(Number) })
  expect(first?.reqId).toEqual(expect.any(String))
  expect(rest).toEqual([])
  app.clock.advance(10_000)
  await fail(94)
  expect(Number(warnings()[1]?.more)).toBeGreaterThan(0)
})

test('an outage of the database is one line without a stack, however many requests fail', async () => {
  startLog()
  isLost = true
  for (let count = 0; count < 5; count += 1) expect((await app.post()).statusCode).toBe(503)
  await app.settleBookings().catch(() => undefined)
  // Past the time for which metrics share their queries.
  app.clock.advance(60_000)
  for (let scrape = 0; scrape < 3; scrape += 1) await app.call({ url: '/metrics' })
  isLost = false
  const errors = lines().filter(({ level }) => level >= ERROR)
  const [line, ...others] = errors.filter(({ reqId }) => reqId !== undefined)
  expect(line).toMatchObject({ msg: 'the database cannot be used', cause: 'Error: connect ECONNREFUSED' })
  expect(others).toEqual([])
  expect(errors.length, 'and one of background work').toBeLessThanOrEqual(2)
  expect(app.logged.join('')).not.toContain('"stack"')
  expect(answered()).toHaveLength(5)
  expect(answered()[0]).toMatchObject({ code: 'overloaded', effect: 'none', cause: expect.stringContaining('ECONN') })
})

/** Written by jobs, bugs and SDKs, which have tests of their own. */
const BACKGROUND = ['trace_id', 'span_id', 'job', 'err', 'kind', 'path']

test('docs/operating/metrics.md describes every field of a log line', () => {
  startLog()
  const written = new Set(earlier.flatMap((line) => Object.keys(JSON.parse(line))))
  const page = readFileSync('docs/operating/metrics.md', 'utf8').split('## Logs')[1] ?? ''
  const cells = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, names = '']) => names)
  const documented = new Set(cells.flatMap((names) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
  expect([...written].filter((name) => !documented.has(name))).toEqual([])
  expect([...documented].filter((name) => !written.has(name) && !BACKGROUND.includes(name))).toEqual([])
})
