import { describe, expect, test } from 'vitest'
import type { Board, Conditions } from '../../../../src/domain/offer.ts'
import { type Circle, distanceKm, type Point } from '../../../../src/lib/geo.ts'
import { authorize, buildHeaders } from '../../../../src/vendors/expedia_rapid/authorize.ts'
import { type Ring, ringsAround } from '../../../../src/vendors/expedia_rapid/circle-polygon.ts'
import {
  chooseLocale,
  encodeAvailability,
  encodeBook,
  encodeContent,
  encodeGeography,
  splitPhone,
} from '../../../../src/vendors/expedia_rapid/encode.ts'
import { createExpediaRapid } from '../../../../src/vendors/expedia_rapid/index.ts'
import { apiPath, nextPage } from '../../../../src/vendors/expedia_rapid/wire.ts'
import { clock, config, context, scripted } from './scripted.ts'

const stay = {
  checkIn: '2027-03-01',
  checkOut: '2027-03-03',
  occupancies: [
    { adults: 2, childrenAges: [9, 4] },
    { adults: 2, childrenAges: [] },
  ],
}
const market = { currency: 'EUR', language: 'nl-NL', countryCode: 'NL' }
const order = {
  ref: {},
  reference: 'ABCDEFGHJKMNPQRSTVWX',
  guests: [
    { givenName: ' John ', familyName: 'Smith' },
    { givenName: 'Jane', familyName: 'x'.repeat(80) },
  ],
  contact: { email: 'guest@example.com', phone: '+1 (487) 555-0077' },
  specialRequests: 'High floor',
  stay,
  price: { minor: 100, currency: 'EUR' },
}
const shop = { vendorPropertyIds: ['1', '2'], stay, market }
const circle = { center: { lat: 48.85, lon: 2.35 }, radiusKm: 4.2 }

test('array parameters are repeated, and a comma inside an occupancy is kept', () => {
  const query = new URL(encodeAvailability(config, shop).path, 'http://x').searchParams
  expect(query.getAll('occupancy')).toEqual(['2-9,4', '2'])
  expect(query.getAll('property_id')).toEqual(['1', '2'])
})

test.each<[Conditions, Record<string, string[]>]>([
  [{}, { rate_plan_count: ['2'], filter: ['expedia_collect'], amenity_category: [] }],
  [{ freeCancellation: true }, { rate_plan_count: ['4'], filter: ['expedia_collect', 'refundable'] }],
  [{ boards: ['breakfast'] }, { rate_plan_count: ['4'], amenity_category: ['a_breakfast'] }],
  // Several categories would mean rates that have all of them.
  [{ boards: ['breakfast', 'half_board'] }, { rate_plan_count: ['12'], amenity_category: [] }],
])('the conditions %j become the parameters %j', (conditions, expected) => {
  const categories = new Map<Board, string>([['breakfast', 'a_breakfast']])
  const { path } = encodeAvailability(config, { ...shop, conditions }, categories)
  const query = new URL(path, 'http://x').searchParams
  expect(query.getAll('include')).toEqual(['rooms.rates.current_refundability'])
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, query.getAll(name)]))).toEqual(expected)
})

test('a booking request contains our reference and one guest per room, but no card', () => {
  expect(encodeBook(config, order, '/v3/itineraries?token=abc')).toMatchObject({
    method: 'POST',
    ifLost: 'unknown',
    body: {
      affiliate_reference_id: 'ABCDEFGHJKMNPQRSTVWX',
      hold: false,
      email: 'guest@example.com',
      phone: { country_code: '1', area_code: '487', number: '5550077' },
      rooms: [
        { given_name: 'John', family_name: 'Smith', smoking: false, special_request: 'High floor' },
        { given_name: 'Jane', family_name: 'x'.repeat(60) },
      ],
      payments: [
        {
          type: 'affiliate_collect',
          billing_contact: {
            given_name: 'Ada',
            family_name: 'Agent',
            address: { country_code: 'US', postal_code: '98121' },
          },
        },
      ],
    },
  })
})

test.each([
  ['EUR', 'EUR'],
  // Not supported by Rapid.
  ['CZK', 'USD'],
  ['KWD', 'USD'],
  // A booking in these currencies needs a tax number of the guest.
  ['BRL', 'USD'],
  ['INR', 'USD'],
])('prices for a guest who pays in %s are requested in %s', async (wanted, asked) => {
  const { send, calls } = scripted(() => ({ body: [] }))
  const vendor = createExpediaRapid(config, { send, clock })
  const query = { stay, market: { ...market, currency: wanted } }
  await vendor.availability({ vendorPropertyIds: ['1'], ...query }, context)
  await vendor.rooms({ vendorPropertyId: '1', timezone: 'UTC', ...query }, context)
  expect(calls.map(({ path }) => new URL(path, 'http://x').searchParams.get('currency'))).toEqual([asked, asked])
})

test('bookings are looked up with the same profile as rates', async () => {
  const profile = { billingTerms: 'EAC', partnerPointOfSale: 'B2C_EXAMPLE', paymentTerms: '1', platformName: 'web' }
  const { send, calls } = scripted(() => ({ body: [] }))
  const vendor = createExpediaRapid({ ...config, ...profile }, { send, clock })
  const lookup = { reference: order.reference, email: 'guest@example.com', createdOn: '2027-02-01' }
  await vendor.availability(shop, context)
  await vendor.find({ ...lookup, vendorReference: '8012' }, context).catch(() => undefined)
  const sent = calls.map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams))
  expect(calls.map(({ operation }) => operation)).toEqual(['availability', 'find', 'retrieve'])
  for (const query of sent) {
    expect(query).toMatchObject({
      billing_terms: 'EAC',
      partner_point_of_sale: 'B2C_EXAMPLE',
      payment_terms: '1',
      platform_name: 'web',
    })
  }
})

test('the properties of a polygon are requested as GeoJSON', () => {
  const [ring = []] = ringsAround(circle)
  expect(encodeGeography(config, ring)).toMatchObject({
    method: 'POST',
    ifLost: 'none',
    path: '/v3/properties/geography?include=property_ids&supply_source=expedia',
    body: { type: 'Polygon', coordinates: [ring] },
  })
})

describe('the polygon around a circle', () => {
  /** Counts crossings of a line to the east: an odd number means inside. */
  const holds = (ring: Ring, { lat, lon }: Point) =>
    ring.filter(([x, y], index) => {
      const [nextX, nextY] = ring[index + 1] ?? [x, y]
      return y > lat !== nextY > lat && lon < x + ((nextX - x) * (lat - y)) / (nextY - y)
    }).length %
      2 ===
    1
  const listEdgePoints = ({ center, radiusKm }: Circle) =>
    Array.from({ length: 72 }, (_, step) => {
      const angle = (step * Math.PI) / 36
      const north = (radiusKm * Math.sin(angle)) / 111.195
      const lat = center.lat + north
      const east = (radiusKm * Math.cos(angle)) / 111.195 / Math.cos(((center.lat + north / 2) * Math.PI) / 180)
      const lon = center.lon + east
      return { lat, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon }
    })

  test.each([
    ['Paris', { center: { lat: 48.85, lon: 2.35 }, radiusKm: 4.2 }, 1],
    ['the north', { center: { lat: 64, lon: -21 }, radiusKm: 170 }, 1],
    ['the south', { center: { lat: -54.8, lon: -68.3 }, radiusKm: 100 }, 1],
    ['both sides of the 180th meridian', { center: { lat: -16.8, lon: 179.9 }, radiusKm: 60 }, 2],
  ])('the polygon encloses the circle, is closed and under 500 km across: %s', (_, around, parts) => {
    const rings = ringsAround(around)
    expect(rings).toHaveLength(parts)
    for (const point of listEdgePoints(around)) expect(rings.some((ring) => holds(ring, point))).toBe(true)
    for (const ring of rings) {
      expect(ring[0]).toEqual(ring.at(-1))
      const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)]
      const south = { lat: Math.min(...lats), lon: Math.min(...lons) }
      expect(distanceKm(south, { lat: Math.max(...lats), lon: Math.max(...lons) })).toBeLessThan(500)
    }
  })
})

test.each([
  ['nl-NL', 'nl-NL'],
  ['EN-us', 'en-US'],
  ['de-AT', 'de-DE'],
  ['pt', 'pt-BR'],
  ['fr-BE', 'fr-FR'],
  ['sw-KE', 'en-US'],
  ['', 'en-US'],
])('the language %s is requested as %s', (wanted, sent) => {
  expect(chooseLocale(wanted, 'en-US')).toBe(sent)
})

test('content is requested in English by default, whatever language rates fall back to', () => {
  const german = { ...config, language: 'de-DE' }
  const languageIn = (language?: string) =>
    new URL(encodeContent(german, { ids: ['1'], language }).path, 'https://rapid.test').searchParams.get('language')
  expect([languageIn(), languageIn('fr')]).toEqual(['en-US', 'fr-FR'])
})

describe('signature', () => {
  test('the signature is the SHA-512 of key, secret and second', () => {
    const { authorization } = authorize({ apiKey: 'abcdefg', sharedSecret: '1a2bc3' }, { now: () => 1476739212_999 })
    expect(authorization).toBe(
      'EAN apikey=abcdefg,signature=00f6815a137973126d691e730409e4c9eca86b38e0588d98628e2444a283ecd74cb6bde149e5574cd4bdbf8e7e879d42006923f053ea074b2488f26dd2c1cda7,timestamp=1476739212',
    )
  })

  test("the traveller's user agent and IP address are sent without line breaks", () => {
    expect(buildHeaders(config, clock, { ...context, userAgent: 'A\r\nX-Evil: 1' }, 'rooms')).toMatchObject({
      'user-agent': 'AX-Evil: 1',
      'customer-ip': '198.51.100.7',
      'accept-encoding': 'gzip',
      accept: 'application/json',
    })
  })

  test('the configured user agent and IP address are sent without a traveller', () => {
    expect(buildHeaders(config, clock, { signal: context.signal, requestId: 'r' }, 'rooms')).toMatchObject({
      'user-agent': 'Serai/1.0',
      'customer-ip': '127.0.0.1',
    })
  })
})

test.each([
  ['standard', 'price_check', undefined],
  ['standard', 'availability', undefined],
  ['standard', 'rooms', undefined],
  ['standard', 'cancel', 'standard'],
  ['standard', 'find', 'standard'],
  ['standard', 'book', 'standard'],
  ['degraded_response', 'retrieve', 'degraded_response'],
  ['price_changed', 'book', 'standard'],
  ['cc_declined', 'book', 'cc_declined'],
  ['standard', 'content', undefined],
  ['standard', 'geography', undefined],
  [undefined, 'book', undefined],
])('the test header %s for %s is sent as %s', (testHeader, operation, sent) => {
  const tested = testHeader === undefined ? config : { ...config, testHeader }
  expect(buildHeaders(tested, clock, context, operation).test).toBe(sent)
})

describe('links', () => {
  test.each([
    ['/v3/itineraries?token=a%2Bb', '/v3/itineraries?token=a%2Bb'],
    ['https://api.ean.com/v3/properties/content?token=x', '/v3/properties/content?token=x'],
    ['https://test.ean.com/v3/x', '/v3/x'],
    ['http://test.ean.com/v3/x', undefined],
    ['https://ean.com.evil.example/v3/x', undefined],
    ['https://evilean.com/v3/x', undefined],
    ['//evil.example/v3/x', undefined],
    ['\\\\evil.example/v3/x', undefined],
    ['https://user:secret@test.ean.com/v3/x', undefined],
    ['/v3/../admin', undefined],
    ['/v3/%2e%2e/admin', undefined],
    ['/v30/x', undefined],
    ['file:///v3/x', undefined],
    ['', undefined],
    [`/v3/${'x'.repeat(9_000)}`, undefined],
    [null, undefined],
  ])('the link %s is resolved to %s', (href, path) => {
    expect(apiPath(href, 'https://test.ean.com')).toBe(path)
  })

  test('the next page is the link with rel="next"', () => {
    const header =
      '<https://test.ean.com/v3/a?token=1>; rel="prev", <https://test.ean.com/v3/a?token=2>; rel="next"; expires=2023-06-29T20:15:05.3Z'
    expect(nextPage(header, 'https://test.ean.com')).toBe('/v3/a?token=2')
    expect(nextPage('<https://evil.example/v3/a>; rel="next"', 'https://test.ean.com')).toBeUndefined()
    expect(nextPage(undefined, 'https://test.ean.com')).toBeUndefined()
  })
})

test.each([
  ['+1 487 555 0077', { country_code: '1', area_code: '487', number: '5550077' }],
  ['+31 20 123 4567', { country_code: '31', number: '201234567' }],
  ['0044 20 7946 0958', { country_code: '44', number: '2079460958' }],
  ['+351 21 123 4567', { country_code: '351', number: '211234567' }],
  ['020 765 4321', { country_code: '31', number: '207654321' }],
  ['', { country_code: '31', number: '201234567' }],
  ['call me', { country_code: '31', number: '201234567' }],
  [`+1${'9'.repeat(60)}`, { country_code: '1', number: '9'.repeat(14) }],
])('the telephone number %s is split into parts', (phone, parts) => {
  expect(splitPhone(phone, '+31201234567')).toEqual(parts)
})
