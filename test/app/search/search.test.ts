import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { SearchResponse } from '../../../src/search/schemas/availability.ts'
import {
  AVAILABILITY,
  findLocationId,
  type SearchApp,
  type Summary,
  searchApp,
  searchUntilComplete,
} from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { startStopwatch } from '../../support/time/measure.ts'

let app: SearchApp
beforeAll(async () => {
  app = await searchApp()
  await searchUntilComplete(app)
})
afterAll(() => app.close())
afterEach(() => app.clearFaults())

/** Fields of the specification's accommodation summary. */
const SUMMARY = {
  bye_line: 'string',
  category: 'string',
  chain: 'string',
  description: 'string',
  guest_ratings: 'object',
  hero_images: 'object',
  images: 'array',
  location: 'object',
  name: 'string',
  popular_amenities: 'array',
  property_id: 'string',
  public_price: 'number',
  total_price: 'number',
  review_count: 'number',
  session_id: 'null',
  star_rating: 'number',
  vendor_id: 'string',
  vendors_property_id: 'string',
}
const typeName = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const minor = (price: number) => Math.round(price * 100)

describe('a successful search', () => {
  test('the response matches its schema', async () => {
    const answer = await app.post()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('application/json')
    expectToMatch(SearchResponse, answer.json())
  })

  test('every property has every field of the specification with its type', async () => {
    const { availability } = await app.search()
    expect(availability.length).toBeGreaterThan(20)
    for (const property of availability) {
      const kinds = Object.fromEntries(
        Object.keys(SUMMARY).map((field) => [field, typeName(Reflect.get(property, field))]),
      )
      expect(kinds).toEqual(SUMMARY)
    }
  })

  test('properties have a name, texts, a location within the radius, and most of them pictures', async () => {
    const { availability, location } = await app.search()
    for (const property of availability as (Summary & Record<string, never>)[]) {
      expect(property.name).not.toBe('')
      expect(property.bye_line).not.toBe('')
      expect(property.category).not.toBe('')
      expect(property.description).not.toMatch(/[<>]/)
      expect(property.property_id).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(property.distance_km).toBeLessThanOrEqual(location.radius_km)
    }
    expect(availability.filter((property) => Reflect.get(property, 'images').length > 0).length).toBeGreaterThan(20)
  })

  test('a deadline of free cancellation is in the future, has an offset and belongs to a free rate', async () => {
    const { availability } = await app.search()
    const dated = availability.filter((property) => property.free_cancellation_until !== null)
    expect(dated.length).toBeGreaterThan(0)
    for (const { free_cancellation, free_cancellation_until, total_price } of dated) {
      expect(free_cancellation).toEqual({ total_price, until: free_cancellation_until })
      expect(free_cancellation_until).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?[+-]\d{2}:\d{2}$/)
      expect(Date.parse(free_cancellation_until ?? '')).toBeGreaterThan(Date.parse(app.day(0)))
    }
  })

  test('each property is listed once, under its cheapest vendor, with the offers of all vendors', async () => {
    const { availability, vendors } = await app.search()
    expect(new Set(availability.map(({ property_id }) => property_id)).size).toBe(availability.length)
    for (const property of availability) {
      const [best] = property.offers
      expect(property.offers.map(({ total_price }) => total_price)).toEqual(
        property.offers.map(({ total_price }) => total_price).sort((a, b) => a - b),
      )
      expect(best).toEqual({
        vendor_id: property.vendor_id,
        vendors_property_id: property.vendors_property_id,
        total_price: property.total_price,
      })
    }
    expect(availability.filter(({ offers }) => offers.length === 2).length).toBeGreaterThan(5)
    const offers = availability.flatMap((property) => property.offers)
    for (const { vendor_id, properties } of vendors) {
      expect(offers.filter((offer) => offer.vendor_id === vendor_id)).toHaveLength(properties)
    }
  })

  test('prices are decimals of the currency, and the public price is never lower than the total', async () => {
    const { availability } = await app.search()
    for (const { total_price, public_price, offers } of availability) {
      for (const price of [total_price, public_price, ...offers.map((offer) => offer.total_price)]) {
        expect(price).toBe(minor(price) / 100)
        expect(price).toBeGreaterThan(0)
      }
      expect(public_price).toBeGreaterThanOrEqual(total_price)
    }
    expect(availability.some(({ total_price, public_price }) => public_price > total_price)).toBe(true)
  })

  test('prices in yen have no decimals', async () => {
    const { availability, currency } = await app.search({ currency: 'JPY' })
    expect(currency).toBe('JPY')
    expect(availability.filter(({ total_price }) => !Number.isInteger(total_price))).toEqual([])
  })

  test('prices in another currency than the vendor’s are converted and marked, with the date of the rates', async () => {
    const inEuro = await app.search({ vendors: ['hotelbeds'] })
    expect([inEuro.rates_date, inEuro.availability.some(({ converted }) => converted)]).toEqual([null, false])

    const { availability, rates_date, currency } = await app.search({ currency: 'USD' })
    expect(currency).toBe('USD')
    expect(rates_date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    for (const property of availability) {
      expect([property.currency, property.converted]).toEqual(['USD', property.vendor_id === 'hotelbeds'])
    }
    const euroPrices = new Map(inEuro.availability.map((property) => [property.property_id, property.total_price]))
    const rates = availability
      .flatMap((property) => property.offers.map((offer) => ({ ...offer, property_id: property.property_id })))
      .filter(({ vendor_id }) => vendor_id === 'hotelbeds')
      .map(({ property_id, total_price }) => total_price / (euroPrices.get(property_id) ?? Number.NaN))
    expect(rates.length).toBeGreaterThan(10)
    for (const rate of rates) expect(rate).toBeCloseTo(rates[0] ?? 0, 3)
  })

  test('the total covers every room, so two rooms with children cost more than one', async () => {
    const cheapest = async (occupancies: unknown) =>
      new Map(
        (await app.search({ occupancies })).availability.map(({ property_id, total_price }) => [
          property_id,
          total_price,
        ]),
      )
    const single = await cheapest([{ adults: 2 }])
    const double = await cheapest([{ adults: 2 }, { adults: 2, children_ages: [4, 9] }])
    const both = [...double.keys()].filter((id) => single.has(id))
    expect(both.length).toBeGreaterThan(5)
    for (const id of both) expect(double.get(id)).toBeGreaterThan(single.get(id) ?? 0)
  })

  test('an unknown field is ignored, with a warning that suggests the closest known one', async () => {
    const { warnings } = await app.search({ chek_in: '2020-01-01', zzzzzzzzzzzz: 1 })
    expect(warnings).toEqual(['`chek_in` was ignored; did you mean `check_in`?', '`zzzzzzzzzzzz` was ignored'])
    const long = (await app.search({ [`${'z'.repeat(39)}😀`]: 1 })).warnings
    expect(long, 'a name is not cut inside a character').toEqual([`\`${'z'.repeat(39)}\` was ignored`])
    const rooms = [{ adults: 2 }, { adults: 2, childrens_ages: [4], pets: 1 }]
    expect((await app.search({ occupancies: rooms })).warnings).toEqual([
      '`occupancies[1].childrens_ages` was ignored; did you mean `children_ages`?',
      '`occupancies[1].pets` was ignored',
    ])
  })

  test('the field vendors limits the search to those vendors', async () => {
    app.traffic.reset()
    const { vendors, availability } = await app.search({ vendors: ['hotelbeds'], check_out: app.day(44) })
    expect(vendors.map(({ vendor_id }) => vendor_id)).toEqual(['hotelbeds'])
    expect(new Set(availability.flatMap(({ offers }) => offers.map(({ vendor_id }) => vendor_id)))).toEqual(
      new Set(['hotelbeds']),
    )
    expect(app.traffic.calls('expedia_rapid')).toEqual([])
  })

  test('a smaller radius_km narrows the search', async () => {
    const wide = await app.search()
    const narrow = await app.search({ radius_km: 0.6 })
    expect(narrow.location.radius_km).toBe(0.6)
    expect(narrow.availability.length).toBeGreaterThan(0)
    expect(narrow.availability.length).toBeLessThan(wide.availability.length)
    expect(narrow.availability.filter(({ distance_km }) => distance_km > 0.6)).toEqual([])
  })

  test('a search in an area without properties is empty and reports every vendor as ok', async () => {
    const data = await app.search({ destination_id: findLocationId('Nuuk') })
    expect(data.availability).toEqual([])
    expect(data.vendors.map(({ status }) => status)).toEqual(STAND_IN_IDS.map(() => 'ok'))
  })

  test('the vendor receives the traveller’s address or, without one, the address of the connection', async () => {
    const asked = async (fields: Record<string, unknown>) => {
      app.traffic.reset()
      await app.search(fields)
      return [...new Set(app.traffic.headers('expedia_rapid').map((headers) => headers['customer-ip']))]
    }
    expect(await asked({ check_out: app.day(45), customer_ip: '203.0.113.7' })).toEqual(['203.0.113.7'])
    expect(await asked({ check_out: app.day(46), customer_ip: '2001:db8::7' })).toEqual(['2001:db8::7'])
    expect(await asked({ check_out: app.day(47) })).toEqual(['127.0.0.1'])
  })
})

test('the vendor receives the same session id and address from the search to the cancellation', async () => {
  app.traffic.reset()
  const found = await app.search({ check_out: app.day(44), customer_ip: '203.0.113.9', vendors: ['expedia_rapid'] })
  const [property] = found.availability
  const { accommodation } = (await app.detail(found.search_id, property?.property_id ?? '')).json()
  const info = accommodation.available_rooms.find(({ refundable }: { refundable: boolean }) => refundable).booking_info
  const { data } = (await app.get(info.price_check_uri)).json()
  const payload = { ...data.room.booking_info, terms_digest: data.terms_digest }
  const booked = await app.as(app.token, { method: 'POST', url: '/api/accommodation/book', payload })
  expect(booked.statusCode, booked.body).toBe(201)
  const url = `/api/accommodation/bookings/${booked.json().data.booking_id}/cancel`
  expect((await app.as(app.token, { method: 'POST', url, payload: {} })).statusCode).toBe(200)
  const sent = app.traffic.headers('expedia_rapid')
  expect(sent.length).toBeGreaterThanOrEqual(6)
  expect(new Set(sent.map((headers) => headers['customer-session-id'])).size).toBe(1)
  expect(new Set(sent.map((headers) => headers['customer-ip']))).toEqual(new Set(['203.0.113.9']))
})

describe('sorting', () => {
  const orders: [string, (property: Summary) => number | string][] = [
    ['total_price', (property) => property.total_price],
    ['guest_rating', (property) => property.guest_ratings.overall],
    ['star_rating', (property) => property.star_rating],
    ['distance_km', (property) => property.distance_km],
    ['score', (property) => property.score],
    ['name', (property) => property.name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()],
  ]
  test.each(orders)('order_by[]=%s sorts in both directions without losing a property', async (field, read) => {
    const url = (direction: string) =>
      `/api/accommodation_searches/search?order_by[]=${field}&order_directions[]=${direction}`
    const up = await app.search({}, { url: url('asc') })
    const down = await app.search({}, { url: url('desc') })
    const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)
    expect(up.availability.map(read)).toEqual(up.availability.map(read).sort(compare))
    expect(down.availability.map(read)).toEqual(down.availability.map(read).sort((a, b) => compare(b, a)))
    expect(new Set(up.availability.map(({ property_id }) => property_id)).size).toBe(down.availability.length)
  })

  test('without order_by, properties are sorted by score', async () => {
    const scores = (await app.search()).availability.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  test('a second order_by field breaks ties', async () => {
    const url =
      '/api/accommodation_searches/search?order_by[]=star_rating&order_by[]=total_price&order_directions[]=desc&order_directions[]=asc'
    const { availability } = await app.search({}, { url })
    const keys = availability.map(({ star_rating, total_price }) => [-star_rating, total_price] as const)
    expect(keys).toEqual([...keys].sort(([a, b], [c, d]) => a - c || b - d))
  })
})

describe('shared responses', () => {
  test('identical concurrent searches share one request per vendor and are saved separately', async () => {
    const stay = { check_in: app.day(60), check_out: app.day(62) }
    app.traffic.reset()
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.search(stay)))
    expect(app.traffic.calls('expedia_rapid')).toEqual([AVAILABILITY.expedia_rapid])
    expect(app.traffic.calls('hotelbeds')).toEqual([AVAILABILITY.hotelbeds])
    expect(new Set(answers.map(({ search_id }) => search_id)).size).toBe(6)
    for (const { availability } of answers) expect(availability).toEqual(answers[0]?.availability)
  })

  test('a recent response is reused for the next identical search, also of another account, until it expires', async () => {
    const stay = { check_in: app.day(64), check_out: app.day(66) }
    const first = await app.search(stay)
    app.traffic.reset()
    const other = await app.as(app.otherToken, {
      method: 'POST',
      url: '/api/accommodation_searches/search',
      payload: app.body(stay),
    })
    expect(other.json().data.availability).toEqual(first.availability)
    expect(app.traffic.calls('expedia_rapid')).toEqual([])
    app.clock.advance(46_000)
    await app.search(stay)
    expect(app.traffic.calls('expedia_rapid')).toEqual([AVAILABILITY.expedia_rapid])
  })

  test.each([
    ['another check-in', () => ({ check_in: app.day(67) })],
    ['another check-out', () => ({ check_out: app.day(70) })],
    ['another party', () => ({ occupancies: [{ adults: 2, children_ages: [3] }] })],
    ['the same people in two rooms', () => ({ occupancies: [{ adults: 1 }, { adults: 1 }] })],
    ['another currency', () => ({ currency: 'CHF' })],
    ['another market', () => ({ country_code: 'DE' })],
    ['another language', () => ({ language: 'fr-FR' })],
  ])('a response is not reused for a search with %s', async (_, change) => {
    const stay = { check_in: app.day(68), check_out: app.day(69) }
    await app.search(stay)
    app.traffic.reset()
    await app.search({ ...stay, ...change() })
    expect(app.traffic.calls('expedia_rapid')).toEqual([AVAILABILITY.expedia_rapid])
    expect(app.traffic.calls('hotelbeds')).toEqual([AVAILABILITY.hotelbeds])
  })

  test('a failed response is not reused, so the next search asks the vendor again', async () => {
    const stay = { check_in: app.day(72), check_out: app.day(74) }
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'error_before', operation: '*', times: 1 })
    expect((await app.search(stay)).partial).toBe(true)
    expect((await app.search(stay)).partial).toBe(false)
  })
})

describe('failing vendors', () => {
  test.each(STAND_IN_IDS)(
    'without %s, the search is partial, has all offers of the others and names the failed vendor',
    async (down) => {
      const up = STAND_IN_IDS.filter((id) => id !== down)
      const stay = { check_in: app.day(80 + STAND_IN_IDS.indexOf(down)), check_out: app.day(86) }
      const alone = await app.search({ ...stay, vendors: up })
      await app.sandbox.control[down].addFaults({ kind: 'error_before', operation: '*' })
      const answer = await app.post(stay)
      expectToMatch(SearchResponse, answer.json())
      const { availability, partial, vendors } = answer.json().data
      expect(partial).toBe(true)
      expect(vendors.map((vendor: { vendor_id: string; status: string }) => [vendor.vendor_id, vendor.status])).toEqual(
        STAND_IN_IDS.map((id) => [id, id === down ? 'error' : 'ok']),
      )
      expect(availability).toEqual(alone.availability)
    },
  )

  test('a search in which every vendor failed returns 502 with the status of each', async () => {
    for (const control of Object.values(app.sandbox.control))
      await control.addFaults({ kind: 'error_before', operation: '*' })
    const answer = await app.post({ check_in: app.day(90), check_out: app.day(91) })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({
      ...{ status: 502, code: 'vendors_failed', effect: 'none' },
      detail: expect.stringContaining('Search again'),
    })
    expect(answer.json().vendors).toMatchObject(
      STAND_IN_IDS.map((id) => ({ vendor_id: id, status: 'error', properties: 0 })),
    )
  })

  test('a search in which every vendor hung returns 504 within the deadline', async () => {
    for (const control of Object.values(app.sandbox.control)) await control.addFaults({ kind: 'hang', operation: '*' })
    const readMs = startStopwatch()
    const answer = await app.post({ check_in: app.day(90), check_out: app.day(92), timeout_ms: 500 })
    expect(readMs()).toBeLessThan(1_200)
    expect(answer.json()).toMatchObject({
      ...{ status: 504, code: 'vendor_timeout', effect: 'none' },
      detail: expect.stringContaining('timeout_ms'),
    })
    expect(answer.json().vendors.map(({ status }: { status: string }) => status)).toEqual(
      STAND_IN_IDS.map(() => 'timeout'),
    )
  })

  test.each([400, 500])('a vendor that does not sell %i days ahead is skipped and not asked', async (ahead) => {
    const both = (await app.search()).availability.find(({ offers }) => offers.length === 2)?.property_id
    const far = { check_in: app.day(ahead), check_out: app.day(ahead + 2) }
    app.traffic.reset()
    const data = await app.search(far)
    expect(data.vendors.map(({ vendor_id, status }) => [vendor_id, status])).toEqual(
      expect.arrayContaining([
        ['expedia_rapid', 'skipped'],
        ['hotelbeds', 'ok'],
        ['liteapi', 'skipped'],
      ]),
    )
    expect(data.partial).toBe(false)
    const found = data.availability.find(({ property_id }) => property_id === both) ?? data.availability[0]
    const { accommodation } = (await app.detail(data.search_id, found?.property_id ?? '')).json()
    for (const { vendor_id, status } of accommodation.vendors)
      expect([vendor_id, status]).toEqual([vendor_id, vendor_id === 'hotelbeds' ? 'ok' : 'skipped'])
    const asked = app.traffic.calls('expedia_rapid')
    expect(asked.filter((call) => call === AVAILABILITY.expedia_rapid)).toEqual([])
  })
})

test('a missing token returns 401, invalid JSON 400 and another content type 415', async () => {
  const url = '/api/accommodation_searches/search'
  expect((await app.call({ method: 'POST', url, payload: app.body() })).statusCode).toBe(401)
  const json = { 'content-type': 'application/json' }
  const broken = await app.as(app.token, { method: 'POST', url, payload: '{"destination_id":', headers: json })
  expect(broken.json()).toMatchObject({ status: 400, code: 'malformed_request' })
  const form = await app.as(app.token, {
    method: 'POST',
    url,
    payload: 'a=1',
    headers: { 'content-type': 'text/plain' },
  })
  expect(form.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' })
})
