import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { type TestApp, testApp, testLocations } from '../support/app.ts'
import { createJudge, type JudgedAnswer } from '../support/fuzz-judge.ts'
import { anyRequest, type FuzzedRequest, type KnownValues } from '../support/fuzz-request.ts'
import type { Document } from '../support/fuzz-schema.ts'
import { freshDatabase, type Postgres, startPostgres } from '../support/postgres.ts'

const seed = Number(process.env.SERAI_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
const much = { quota: 1e9, windowMs: 60_000 }
// Sign-ins stay limited: each one is made slow on purpose.
const few = { quota: 30, windowMs: 60_000 }
const ALLOWANCES = { account: much, address: much, signInsPerAddress: few, signInsPerEmail: few }
const SIMULATED = { 'x-simulate-return': 'success' }

/** Makes a search, a property, rooms and bookings, so that the requests have something to hit. */
async function knownValues(app: TestApp): Promise<KnownValues> {
  const token = await app.signIn()
  const ask = async (options: InjectOptions) => (await app.as(token, { ...options, headers: SIMULATED })).json()
  const { data: places } = await ask({ url: '/api/locations/search?starts_with=lisbon' })
  const search = {
    destination_id: places[0].id,
    check_in: '2027-03-01',
    check_out: '2027-03-03',
    occupancies: [{ adults: 2 }],
  }
  const { data } = await ask({ method: 'POST', url: '/api/accommodation_searches/search', payload: search })
  const propertyId = data.availability[0].property_id
  const detail = await ask({
    url: `/api/accommodation_searches/accommodation?search_id=${data.search_id}&property_id=${propertyId}&raw=true`,
  })
  const infos = detail.available_rooms.map((room: { booking_info: object }) => room.booking_info)
  const booked = await ask({ method: 'POST', url: '/api/accommodation/book', payload: infos[0] })
  return {
    token,
    values: {
      search_id: [data.search_id],
      property_id: [propertyId],
      booking_id: [booked.data.booking_id],
      starts_with: ['lisbon', 'par'],
      destination_id: [places[0].id],
    },
    bodies: {
      '/api/accommodation_searches/search': [search, { ...search, currency: 'EUR', radius_km: 5 }],
      '/api/accommodation/book': [
        ...infos,
        { ...infos[1], guests: [{ given_name: 'A', family_name: 'B' }], accept_price_up_to: 1e6 },
      ],
    },
  }
}

async function send(app: TestApp, { method, url, headers, body }: FuzzedRequest): Promise<JudgedAnswer> {
  const started = performance.now()
  const answer = await app.call({
    method: method as 'GET',
    url,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  })
  const ms = performance.now() - started
  return { status: answer.statusCode, headers: answer.headers, body: answer.body, ms }
}

/** Sends `runs` requests; fails with the smallest request that was answered wrongly. */
async function fuzz(app: TestApp, runs: number, millis: number): Promise<Record<string, number>> {
  const known = await knownValues(app)
  const document = (await app.call({ url: '/openapi.json' })).json<Document>()
  const { '/api/accounts/revoke_token': _once, ...paths } = document.paths
  const judge = createJudge(document)
  const seen: Record<string, number> = {}
  const property = fc.asyncProperty(anyRequest({ ...document, paths }, known), async (request) => {
    let answer = await send(app, request)
    // Whatever else runs on this machine may have held it up; twice in a row it was us.
    if (answer.ms > 1_000) answer = await send(app, request)
    seen[answer.status] = (seen[answer.status] ?? 0) + 1
    expect(judge(request, answer)).toEqual([])
  })
  await fc.assert(property, { seed, numRuns: runs, interruptAfterTimeLimit: millis, endOnFailure: false })
  return seen
}

describe('requests made from our own document, right and wrong', () => {
  let app: TestApp | undefined
  let postgres: Postgres | undefined
  afterAll(async () => {
    await app?.close()
    await postgres?.stop()
  })

  test('20,000 of them: never a 5xx, always an answer that the document promises, never a second', async () => {
    app = await testApp({ allowances: ALLOWANCES, logLevel: 'error' }, { locations: testLocations() })
    const started = performance.now()
    const seen = await fuzz(app, 20_000, 120_000)
    const total = Object.values(seen).reduce((sum, count) => sum + count, 0)
    const seconds = Math.round((performance.now() - started) / 1_000)
    console.log(`fuzz, seed ${seed}: ${total} requests in ${seconds} s, by status ${JSON.stringify(seen)}`)
    expect(total).toBeGreaterThanOrEqual(5_000)
    for (const status of ['200', '201', '400', '401', '404', '409', '422']) expect(seen[status]).toBeGreaterThan(0)
    expect(app.logged.filter((line) => line.includes('unexpected'))).toEqual([])
  })

  test('2,000 of them on PostgreSQL, which is pickier than SQLite', async () => {
    postgres = await startPostgres()
    const database = openDatabase({ kind: 'postgres', url: await freshDatabase(postgres, 'fuzz') })
    const onPostgres = await testApp(
      { allowances: ALLOWANCES, logLevel: 'error' },
      { database, locations: testLocations() },
    )
    try {
      await fuzz(onPostgres, 2_000, 60_000)
      expect(onPostgres.logged.filter((line) => line.includes('unexpected'))).toEqual([])
    } finally {
      await onPostgres.close()
    }
  })
})
