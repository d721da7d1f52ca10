import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AvailabilityPageResponse, SavedSearchList } from '../../../src/search/schemas/availability.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { testApp, testLocations } from '../../support/app/app.ts'
import { type SearchAnswer, type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

const LIST = '/api/accommodation_searches'
const MINUTE_MS = 60_000

let app: SearchApp
let created: SearchAnswer
beforeAll(async () => {
  app = await searchApp()
  await searchUntilComplete(app)
  created = await app.search({ check_in: app.day(30), check_out: app.day(31) })
})
afterAll(() => app.close())

const page = (searchId: string, query = '') => `${LIST}/${searchId}/availability${query}`

describe('saved searches', () => {
  test('a saved search and its list are visible only to its owner', async () => {
    const property = created.availability[0]?.property_id
    const urls = [
      page(created.search_id),
      `${LIST}/accommodation?search_id=${created.search_id}&property_id=${property}`,
    ]
    for (const url of urls) {
      expect((await app.get(url)).statusCode).toBe(200)
      const foreign = await app.as(app.otherToken, { url })
      const unknown = await app.get(url.replace(created.search_id, '11111111-2222-4333-8444-555555555555'))
      expect(foreign.json()).toMatchObject({ status: 404, code: 'search_not_found' })
      const { instance: _foreign, ...foreignProblem } = foreign.json()
      const { instance: _unknown, ...unknownProblem } = unknown.json()
      expect(foreignProblem).toEqual(unknownProblem)
    }
    const list = await app.as(app.otherToken, { url: LIST })
    expect(list.json().data).toEqual([])
  })

  test.each(['x', '%00', '..%2F..', "'%20or%201=1--", '%F0%9F%8F%A8'])('the search id %s returns 404', async (id) => {
    expect((await app.get(page(id))).json()).toMatchObject({ status: 404, code: 'search_not_found' })
    const detail = await app.get(`${LIST}/accommodation?search_id=${id}&property_id=p`)
    expect(detail.json()).toMatchObject({ status: 404, code: 'search_not_found' })
  })

  test('a saved search expires after an hour with 410', async () => {
    const { search_id, expires_at, availability } = await app.search({ check_in: app.day(33), check_out: app.day(34) })
    expect(Date.parse(expires_at) - app.clock.now()).toBe(60 * MINUTE_MS)
    app.clock.advance(60 * MINUTE_MS - 1)
    expect((await app.get(page(search_id))).statusCode).toBe(200)
    app.clock.advance(1)
    expect((await app.get(page(search_id))).json()).toMatchObject({ status: 410, code: 'search_expired' })
    const detail = await app.detail(search_id, availability[0]?.property_id ?? '')
    expect(detail.json()).toMatchObject({ status: 410, code: 'search_expired' })
    created = await app.search({ check_in: app.day(30), check_out: app.day(31) })
  })

  test('a saved search keeps its response, to the cent and in its order', async () => {
    const saved = await app.get(page(created.search_id, '?limit=1000'))
    expectToMatch(AvailabilityPageResponse, saved.json())
    expect(saved.json().data).toEqual(created.availability)
    const { warnings: _warnings, availability: _availability, ...head } = created
    expect(saved.json().meta.search).toMatchObject(head)
  })
})

test('a saved search survives a restart with its properties and details', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'serai-saved-'))
  const path = join(folder, 'serai.db')
  const database = openDatabase({ kind: 'sqlite', path })
  const first = await searchApp({}, { database })
  const before = await searchUntilComplete(first)
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
  // Saved searches are compressed, so the file does not contain their text.
  expect(readFileSync(path).includes(`["${cheapest?.property_id}",`)).toBe(false)
  await second.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

describe('the list of saved searches', () => {
  test('saved searches are listed newest first, paged and filtered by the list rules', async () => {
    app.clock.advance(1_000)
    const second = await app.search({ check_in: app.day(35), check_out: app.day(37) })
    const answer = await app.get(`${LIST}?first=2`)
    expectToMatch(SavedSearchList as never, answer.json())
    const ids = answer.json().data.map((search: SearchAnswer) => search.search_id)
    expect(ids).toEqual([second.search_id, created.search_id])

    const filtered = await app.get(
      `${LIST}?filters[0][field]=check_in&filters[0][op]===&filters[0][value]=${app.day(35)}`,
    )
    expect(filtered.json().data.map((search: SearchAnswer) => search.search_id)).toEqual([second.search_id])
    expect(filtered.json().data[0].created_at).toBe(new Date(app.clock.now()).toISOString())
    const short = await app.get(`${LIST}?filters[]=destination:=~<zermatt&limit=1`)
    expect(short.json().data).toHaveLength(1)
  })

  test('paging by cursor returns each saved search once', async () => {
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

  test('days are sorted and compared as dates, and invalid ones are refused', async () => {
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

  test('an invalid parameter is refused with 422 in the list envelope, naming the field', async () => {
    const answer = await app.get(`${LIST}?order_by[]=account_id&first=0`)
    expect(answer.statusCode).toBe(422)
    expect(answer.headers['content-type']).toContain('application/json')
    const { data, meta } = answer.json()
    expect(data).toEqual([])
    expect(meta.errors.map(({ field }: { field: string }) => field).sort()).toEqual(['first', 'order_by'])
    expect(meta.params).toEqual({ order_by: ['account_id'], first: '0' })
  })

  test('a cursor of another account is refused', async () => {
    const { meta } = (await app.get(`${LIST}?first=1`)).json()
    const answer = await app.as(app.otherToken, { url: `${LIST}?first=1&after=${encodeURIComponent(meta.end_cursor)}` })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().meta.errors[0].field).toBe('after')
  })
})
