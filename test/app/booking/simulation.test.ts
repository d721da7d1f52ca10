import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { AvailabilityPageResponse, SearchResponse } from '../../../src/search/schemas/availability.ts'
import { AccommodationDetail } from '../../../src/search/schemas/property-detail.ts'
import {
  countConnections,
  type SearchAnswer,
  type SearchApp,
  searchApp,
  searchUntilComplete,
} from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { startStopwatch } from '../../support/time/measure.ts'

const NEVER_ISSUED = '0f0f0f0f-1111-4222-8333-444444444444'
const ALL = [
  'success',
  'price_changed',
  'terms_changed',
  'sold_out',
  'offer_expired',
  'vendor_error',
  'vendor_timeout',
  'partial',
  'empty',
  'rate_limited',
] as const

let app: SearchApp
let real: SearchAnswer
beforeAll(async () => {
  app = await searchApp({
    search: { reuseMs: 45_000, savedTtlMs: 3_600_000, detailTimeoutMs: 400, propertiesMax: 1_000 },
  })
  real = await searchUntilComplete(app)
})
afterAll(() => app.close())

const as = (value: string) => ({ headers: { 'x-simulate-return': value } })
const search = (value: string, fields: Record<string, unknown> = {}) =>
  app.post({ timeout_ms: 500, ...fields }, as(value))
const detail = (value: string, searchId: string, propertyId: string) => app.detail(searchId, propertyId, as(value))
const page = (value: string, searchId: string) =>
  app.get(`/api/accommodation_searches/${searchId}/availability?limit=1000`, as(value))

describe('simulated searches', () => {
  test.each([
    ['success', 200],
    ['price_changed', 200],
    ['terms_changed', 200],
    ['sold_out', 200],
    ['offer_expired', 200],
    ['partial', 200],
    ['empty', 200],
    ['rate_limited', 429],
    ['vendor_error', 502],
    ['vendor_timeout', 504],
  ])('simulating %s, a search returns %i', async (value, status) => {
    const answer = await search(value)
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(status)
    if (status !== 200) return
    expectToMatch(SearchResponse, answer.json())
    const { data } = answer.json<{ data: SearchAnswer }>()
    expect(data.simulated).toBe(true)
    expect(data.partial).toBe(value === 'partial')
    expect(data.availability.length === 0).toBe(value === 'empty')
    for (const property of data.availability) expect(Reflect.get(property, 'simulated')).toBe(true)
  })

  test('simulating partial, one of two vendors fails and is named', async () => {
    const { vendors } = (await search('partial')).json().data
    expect(vendors.map(({ status }: { status: string }) => status).sort()).toEqual(['error', 'ok'])
  })

  test('simulating vendor_timeout, a search keeps its deadline', async () => {
    const readMs = startStopwatch()
    await search('vendor_timeout')
    expect(readMs()).toBeLessThan(1_100)
  })

  test('a simulated search is deterministic and contains no real property', async () => {
    const first = (await search('success')).json().data
    const second = (await search('success')).json().data
    expect(second.availability).toEqual(first.availability)
    const ids = new Set(real.availability.map(({ property_id }) => property_id))
    expect(first.availability.filter((property: { property_id: string }) => ids.has(property.property_id))).toEqual([])
  })

  test('a simulated search accepts any destination and validates everything else as usual', async () => {
    expect((await search('success', { destination_id: NEVER_ISSUED })).statusCode).toBe(200)
    expect((await app.post({ destination_id: NEVER_ISSUED })).statusCode).toBe(404)
    expect((await search('success', { destination_id: 'paris' })).statusCode).toBe(422)
    expect((await search('success', { check_in: '2020-01-01' })).statusCode).toBe(422)
    expect(
      (await app.call({ method: 'POST', url: '/api/accommodation_searches/search', ...as('success') })).statusCode,
    ).toBe(401)
  })

  test('a simulated search can be streamed', async () => {
    const answer = await app.post({}, { headers: { 'x-simulate-return': 'success', accept: 'text/event-stream' } })
    const names = [...answer.body.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
    // Both vendors, then the properties of the first one that the second changed.
    expect(names).toEqual(['properties', 'properties', 'vendor', 'vendor', 'done'])
    const failed = await app.post({}, { headers: { 'x-simulate-return': 'vendor_error', accept: 'text/event-stream' } })
    expect(failed.body).toMatch(/event: problem\ndata: .*"code":"vendors_failed"/)
  })
})

describe('simulated property details', () => {
  test.each([
    ['success', 200],
    ['price_changed', 200],
    ['terms_changed', 200],
    ['sold_out', 200],
    ['offer_expired', 200],
    ['partial', 200],
    ['empty', 200],
    ['rate_limited', 429],
    ['vendor_error', 502],
    ['vendor_timeout', 504],
  ])('simulating %s, the detail of ids that were never issued returns %i', async (value, status) => {
    // Sold by both simulated vendors, so that one can fail.
    const both = (await search('success'))
      .json()
      .data.availability.find(({ offers }: { offers: unknown[] }) => offers.length === 2)
    const answer = await detail(value, NEVER_ISSUED, both.property_id)
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(status)
    if (status !== 200) return
    expectToMatch(AccommodationDetail, answer.json().accommodation)
    expect(answer.json().accommodation).toMatchObject({ simulated: true, partial: value === 'partial' })
    expect(answer.json().accommodation.available_rooms.length === 0).toBe(value === 'empty')
  })

  test.each(['prp_never_issued', 'anything-at-all', '1'])(
    'simulating success, the property %s has a detail',
    async (id) => {
      const { accommodation } = (await detail('success', NEVER_ISSUED, id)).json()
      expectToMatch(AccommodationDetail, accommodation)
      expect(accommodation).toMatchObject({ property_id: id, search_id: NEVER_ISSUED, simulated: true })
    },
  )

  test('a simulated detail can be returned raw', async () => {
    const url = `/api/accommodation_searches/accommodation?search_id=${NEVER_ISSUED}&property_id=p&raw=true`
    expectToMatch(AccommodationDetail, (await app.get(url, as('success'))).json())
  })

  test('a property of a simulated search opens with or without the header at the price of the search', async () => {
    const { search_id, availability } = (await search('success')).json<{ data: SearchAnswer }>().data
    for (const property of availability.slice(0, 5)) {
      for (const answer of [
        await detail('success', search_id, property.property_id),
        await app.detail(search_id, property.property_id),
      ]) {
        const { accommodation } = answer.json()
        expect(accommodation.simulated).toBe(true)
        expect(accommodation.available_rooms[0].total_inclusive).toBe(property.total_price)
      }
    }
  })

  test('the header makes unknown properties and expired searches return a simulated detail', async () => {
    const { search_id } = (await search('success')).json().data
    expect((await app.detail(search_id, 'unknown')).statusCode).toBe(404)
    expect((await detail('success', search_id, 'unknown')).statusCode).toBe(200)
    app.clock.advance(3_600_000)
    expect((await app.detail(search_id, 'unknown')).statusCode).toBe(410)
    expect((await detail('success', search_id, 'unknown')).statusCode).toBe(200)
    real = await app.search()
  })

  test('with the header a real search is opened by the simulator and never by a vendor', async () => {
    app.traffic.reset()
    const id = real.availability[0]?.property_id ?? ''
    const { accommodation } = (await detail('success', real.search_id, id)).json()
    expect(accommodation).toMatchObject({ simulated: true, property_id: id })
    expect(STAND_IN_IDS.flatMap((id) => app.traffic.calls(id))).toEqual([])
  })

  test('a simulated detail without its parameters is refused', async () => {
    expect((await app.get('/api/accommodation_searches/accommodation', as('success'))).statusCode).toBe(422)
  })
})

describe('simulated lists', () => {
  test('the simulated availability of an unknown search is not saved', async () => {
    const before = (await app.get('/api/accommodation_searches')).json().meta.total_count
    const answer = await page('success', NEVER_ISSUED)
    expect(answer.statusCode).toBe(200)
    expectToMatch(AvailabilityPageResponse, answer.json())
    expect(answer.json().data.length).toBeGreaterThan(5)
    expect(answer.json().meta.search).toMatchObject({ search_id: NEVER_ISSUED, simulated: true })
    expect((await app.get('/api/accommodation_searches')).json().meta.total_count).toBe(before)
    expect((await page('empty', NEVER_ISSUED)).json().data).toEqual([])
    expect((await page('vendor_error', NEVER_ISSUED)).statusCode).toBe(502)
    expect((await app.get(`/api/accommodation_searches/${NEVER_ISSUED}/availability`)).statusCode).toBe(404)
  })

  test('a known search returns its own availability, with or without the header', async () => {
    const simulated = (await search('success')).json().data
    expect((await page('success', simulated.search_id)).json().data).toEqual(simulated.availability)
    expect((await page('success', real.search_id)).json().data).toEqual(real.availability)
  })

  test.each(ALL)('simulating %s leaves locations and saved searches unchanged', async (value) => {
    const status = value === 'rate_limited' ? 429 : 200
    expect((await app.get('/api/locations/search?starts_with=paris', as(value))).statusCode).toBe(status)
    expect((await app.get('/api/accommodation_searches', as(value))).statusCode).toBe(status)
  })
})

test.each(['Success', 'sucess', '', 'success, success', 'success;q=1'])(
  'the simulation “%s” is refused with 400',
  async (value) => {
    const answer = await search(value)
    expect(answer.json()).toMatchObject({ status: 400, code: 'unknown_simulation' })
    for (const known of ALL) expect(answer.json().detail).toContain(known)
  },
)

test('no simulation opens a connection, whatever is requested', async () => {
  app.traffic.reset()
  const simulated = (await search('success')).json().data
  const opened = await countConnections(async () => {
    for (const value of ALL) {
      await search(value, { check_out: app.day(44) })
      for (const searchId of [NEVER_ISSUED, simulated.search_id, real.search_id]) {
        await detail(value, searchId, real.availability[1]?.property_id ?? '')
        await page(value, searchId)
      }
      await app.get('/api/locations/search?starts_with=new york', as(value))
      await app.get('/api/accommodation_searches', as(value))
      const room = (await detail('success', simulated.search_id, simulated.availability[0].property_id)).json()
        .accommodation.available_rooms[0]
      const url = '/api/accommodation/book'
      const booked = await app.as(app.token, { method: 'POST', url, payload: room.booking_info, ...as(value) })
      for (const id of ['bkg_never_issued', booked.json().data?.booking_id ?? 'bkg_none']) {
        await app.get(`/api/accommodation/bookings/${id}`, as(value))
        await app.as(app.token, { method: 'POST', url: `/api/accommodation/bookings/${id}/cancel`, ...as(value) })
      }
    }
    // A simulated search stays simulated without the header.
    await app.detail(simulated.search_id, simulated.availability[1].property_id)
  })
  expect(opened).toBe(0)
  expect(STAND_IN_IDS.flatMap((id) => app.traffic.calls(id))).toEqual([])
  // Proves that the counter works: a real search does use connections.
  await app.search({ check_in: app.day(100), check_out: app.day(101) })
  expect(app.traffic.calls('expedia_rapid').length).toBeGreaterThan(0)
}, 60_000)
