import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AvailabilityPageResponse, SavedSearchList } from '../../../src/search/schemas/availability.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { testApp, testLocations } from '../../support/app/app.ts'
import { type SearchAnswer, type SearchApp, searchApp, warm } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

const LIST = '/api/accommodation_searches'
const MINUTE_MS = 60_000

let app: SearchApp
let made: SearchAnswer
beforeAll(async () => {
  app = await searchApp()
  await warm(app)
  made = await app.search({ check_in: app.day(30), check_out: app.day(31) })
})
afterAll(() => app.close())

const page = (searchId: string, query = '') => `${LIST}/${searchId}/availability${query}`

describe('a saved search', () => {
  test('is its owner’s: anybody else is told that there is none, in its list too', async () => {
    const property = made.availability[0]?.property_id
    const urls = [page(made.search_id), `${LIST}/accommodation?search_id=${made.search_id}&property_id=${property}`]
    for (const url of urls) {
      expect((await app.get(url)).statusCode).toBe(200)
      const foreign = await app.as(app.otherToken, { url })
      const unknown = await app.get(url.replace(made.search_id, '11111111-2222-4333-8444-555555555555'))
      expect(foreign.json()).toMatchObject({ status: 404, code: 'search_not_found' })
      const { instance: _mine, ...theirs } = foreign.json()
      const { instance: _other, ...nobodys } = unknown.json()
      expect(theirs).toEqual(nobodys)
    }
    const list = await app.as(app.otherToken, { url: LIST })
    expect(list.json().data).toEqual([])
  })

  test.each(['x', '%00', '..%2F..', "'%20or%201=1--", '%F0%9F%8F%A8'])('404 for the id %s', async (id) => {
    expect((await app.get(page(id))).json()).toMatchObject({ status: 404, code: 'search_not_found' })
    const detail = await app.get(`${LIST}/accommodation?search_id=${id}&property_id=p`)
    expect(detail.json()).toMatchObject({ status: 404, code: 'search_not_found' })
  })

  test('lasts an hour and is then told to be expired, 410', async () => {
    const { search_id, expires_at, availability } = await app.search({ check_in: app.day(33), check_out: app.day(34) })
    expect(Date.parse(expires_at) - app.clock.now()).toBe(60 * MINUTE_MS)
    app.clock.turn(60 * MINUTE_MS - 1)
    expect((await app.get(page(search_id))).statusCode).toBe(200)
    app.clock.turn(1)
    expect((await app.get(page(search_id))).json()).toMatchObject({ status: 410, code: 'search_expired' })
    const detail = await app.detail(search_id, availability[0]?.property_id ?? '')
    expect(detail.json()).toMatchObject({ status: 410, code: 'search_expired' })
    made = await app.search({ check_in: app.day(30), check_out: app.day(31) })
  })

  test('keeps what the answer said, to the cent and in its order', async () => {
    const saved = await app.get(page(made.search_id, '?limit=1000'))
    expectToMatch(AvailabilityPageResponse, saved.json())
    expect(saved.json().data).toEqual(made.availability)
    const { warnings: _warnings, availability: _availability, ...head } = made
    expect(saved.json().meta.search).toMatchObject(head)
  })
})

test('survives a restart: the same search out of the same file, properties and detail', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'serai-saved-'))
  const path = join(folder, 'serai.db')
  const database = openDatabase({ kind: 'sqlite', path })
  const first = await searchApp({}, { database })
  const before = await warm(first)
  const { sandbox, clock } = first
  await first.http.close()
  await database.close()

  const reopened = openDatabase({ kind: 'sqlite', path })
  const second = await testApp(
    {},
    { database: reopened, clock, locations: testLocations(), vendorEnvironment: Promise.resolve(sandbox.environment) },
  )
  const token = await second.signIn()
  const saved = await second.as(token, { url: page(before.search_id, '?limit=1000') })
  expect(saved.json().data).toEqual(before.availability)
  const [cheapest] = before.availability
  const detail = await second.as(token, {
    url: `${LIST}/accommodation?search_id=${before.search_id}&property_id=${cheapest?.property_id}`,
  })
  expect(detail.json().accommodation.overview).toMatchObject({
    name: cheapest?.name,
    total_price: cheapest?.total_price,
  })
  // Compressed: the prices of a search do not lie about in the file as text.
  expect(readFileSync(path).includes(`["${cheapest?.property_id}",`)).toBe(false)
  await second.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

describe('the list of saved searches', () => {
  test('newest first, as its schema says, pages and filters by the list rules', async () => {
    app.clock.turn(1_000)
    const second = await app.search({ check_in: app.day(35), check_out: app.day(37) })
    const answer = await app.get(`${LIST}?first=2`)
    expectToMatch(SavedSearchList as never, answer.json())
    const ids = answer.json().data.map((search: SearchAnswer) => search.search_id)
    expect(ids).toEqual([second.search_id, made.search_id])

    const filtered = await app.get(
      `${LIST}?filters[0][field]=check_in&filters[0][op]===&filters[0][value]=${app.day(35)}`,
    )
    expect(filtered.json().data.map((search: SearchAnswer) => search.search_id)).toEqual([second.search_id])
    expect(filtered.json().data[0].created_at).toBe(new Date(app.clock.now()).toISOString())
    const short = await app.get(`${LIST}?filters[]=destination:=~<zermatt&limit=1`)
    expect(short.json().data).toHaveLength(1)
  })

  test('walking by cursor visits each once', async () => {
    const all = (await app.get(`${LIST}?limit=1000`)).json()
    const walked: string[] = []
    let after = ''
    for (;;) {
      const { data, meta } = (await app.get(`${LIST}?first=2${after}`)).json()
      walked.push(...data.map((search: SearchAnswer) => search.search_id))
      if (!meta['has_next_page?']) break
      after = `&after=${encodeURIComponent(meta.end_cursor)}`
    }
    expect(walked).toEqual(all.data.map((search: SearchAnswer) => search.search_id))
    expect(walked.length).toBe(all.meta.total_count)
  })

  test('days are days: ordered and compared as such, and a day that is none is refused', async () => {
    const days = (await app.get(`${LIST}?order_by[]=check_in&filters[]=check_in:>=<${app.day(33)}`)).json().data
    expect(days.length).toBeGreaterThan(1)
    expect(days.every((search: { check_in: string }) => search.check_in >= app.day(33))).toBe(true)
    for (const filter of [
      'check_in:>=<2026-13-45',
      'check_out:==<soon',
      'check_in:in<2026-02-30',
      'check_in:=~<2026',
    ]) {
      const answer = await app.get(`${LIST}?filters[]=${encodeURIComponent(filter)}`)
      expect(answer.statusCode, filter).toBe(422)
    }
  })

  test('422 in the list envelope, naming the field and echoing what came', async () => {
    const answer = await app.get(`${LIST}?order_by[]=account_id&first=0`)
    expect(answer.statusCode).toBe(422)
    expect(answer.headers['content-type']).toContain('application/json')
    const { data, meta } = answer.json()
    expect(data).toEqual([])
    expect(meta.errors.map(({ field }: { field: string }) => field).sort()).toEqual(['first', 'order_by'])
    expect(meta.params).toEqual({ order_by: ['account_id'], first: '0' })
  })

  test('somebody else’s cursor is none', async () => {
    const { meta } = (await app.get(`${LIST}?first=1`)).json()
    const answer = await app.as(app.otherToken, { url: `${LIST}?first=1&after=${encodeURIComponent(meta.end_cursor)}` })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().meta.errors[0].field).toBe('after')
  })
})
