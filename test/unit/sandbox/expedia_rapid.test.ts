import { expect, test } from 'vitest'
import { createAllotment } from '../../../sandbox/server/allotment.ts'
import { createLedger } from '../../../sandbox/server/ledger.ts'
import { DEFAULT_SETTINGS } from '../../../sandbox/server/settings.ts'
import { bookErrors } from '../../../sandbox/vendors/expedia_rapid/book-order.ts'
import { shopErrors } from '../../../sandbox/vendors/expedia_rapid/shop-query.ts'
import { expediaRapid } from '../../../sandbox/vendors/expedia_rapid/stand-in.ts'
import { createVendorWorld } from '../../../sandbox/world/vendor-view/vendor-view.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { buildHeaders } from '../../../src/vendors/expedia_rapid/authorize.ts'
import { ringsAround } from '../../../src/vendors/expedia_rapid/circle-polygon.ts'
import { encodeAvailability, encodeBook } from '../../../src/vendors/expedia_rapid/encode.ts'
import { aPlace } from '../../support/sandbox/places.ts'
import { testWorld } from '../../support/sandbox/vendor-bench.ts'
import { config, context } from '../vendors/expedia_rapid/scripted.ts'

const NOW = Date.parse('2027-01-15T12:00:00Z')
const clock = { now: () => NOW }
const stay = { checkIn: '2027-03-01', checkOut: '2027-03-03', occupancies: [{ adults: 2, childrenAges: [] }] }
const market = { currency: 'EUR', language: 'nl-NL', countryCode: 'NL' }
const world = createVendorWorld(expediaRapid, testWorld)
const { point } = aPlace('Paris')

function open(more: Record<string, string> = {}) {
  const environment = expediaRapid.environment('')
  const keys = {
    apiKey: environment.SERAI_EXPEDIA_RAPID_API_KEY,
    sharedSecret: environment.SERAI_EXPEDIA_RAPID_SHARED_SECRET,
  }
  const handler = expediaRapid.create({
    world,
    allotment: createAllotment(),
    ledger: createLedger(),
    clock,
    settings: DEFAULT_SETTINGS,
    pictureBase: 'http://127.0.0.1:9',
  })
  const headers = buildHeaders({ ...config, ...keys }, clock, context, '')
  return (method: string, path: string, body?: unknown) => {
    const url = new URL(`http://127.0.0.1/v3${path}`)
    const answer = handler.route({ method, url, headers: { ...headers, ...more }, body }).work([], NOW)
    return { status: answer.status, body: JSON.parse(answer.body) as Record<string, unknown> }
  }
}
const readTypes = ({ body }: { body: Record<string, unknown> }) =>
  (body.errors as { type: string }[] | undefined)?.map(({ type }) => type)

test.each([
  ['a language that Rapid has not', { language: 'en-GB' }, 'language.not_supported'],
  ['a filter that Rapid has not', { filter: 'free' }, 'filter.invalid'],
  ['no country', { country_code: '' }, 'country_code.invalid'],
])('a search with %s is refused', (_, more, type) => {
  const { path } = encodeAvailability(config, { vendorPropertyIds: ['1'], stay, market })
  const query = new URL(path, 'http://x').searchParams
  expect(shopErrors(query, '2027-01-15')).toEqual([])
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  expect(shopErrors(query, '2027-01-15')).toMatchObject([{ type }])
})

test.each([
  ['US', ['state_province_code', 'postal_code']],
  ['AU', ['state_province_code']],
  ['GB', ['postal_code']],
  ['NL', []],
])('a payer in %s needs %j in the address', (country_code, needed) => {
  const { state_province_code: _, postal_code: __, ...contact } = config.billingContact
  const order = {
    ref: {},
    reference: 'ABCDEFGHJKMNPQRSTVWX',
    guests: [{ givenName: 'Ada', familyName: 'Guest' }],
    contact: { email: 'ada@example.com', phone: '+14875550077' },
    specialRequests: '',
    stay,
    price: { minor: 1, currency: 'EUR' },
  }
  const { body } = encodeBook({ ...config, billingContact: { ...contact, country_code } }, order, '/v3/itineraries')
  const asked = { checkIn: stay.checkIn, checkOut: stay.checkOut, currency: 'EUR', occupancies: ['2'] }
  expect(bookErrors(body, asked).map(({ type }) => type)).toEqual(needed.map((name) => `address.${name}.required`))
})

test('an unknown value of the Test header is refused', () => {
  const check = '/properties/1/rooms/2/rates/3?token=x'
  expect(readTypes(open({ test: 'standard' })('GET', check))).toEqual(['test.content_invalid'])
  expect(readTypes(open({ test: 'available' })('GET', check))).toEqual(['link.invalid'])
})

const PATH = '/properties/geography?include=property_ids&supply_source=expedia'
const polygon = (coordinates: unknown) => ({ type: 'Polygon', coordinates })

test('a polygon returns exactly the properties inside it', () => {
  const circle = { center: point, radiusKm: 3 }
  const { status, body } = open()('POST', PATH, polygon(ringsAround(circle)))
  const kmTo = (id: string) => {
    const property = world.byVendorId(Number(id))
    const view = property && world.view(property)
    return view === undefined ? Number.NaN : distanceKm(point, view.point)
  }
  expect(status).toBe(200)
  const inside = world
    .near({ center: point, radiusKm: 4 }, 500)
    .flatMap((property) => world.view(property) ?? [])
    .filter((view) => distanceKm(point, view.point) <= 3)
  expect(inside.length).toBeGreaterThan(10)
  for (const { vendorPropertyId } of inside) expect(body).toHaveProperty(String(vendorPropertyId))
  for (const id of Object.keys(body)) expect(kmTo(id)).toBeLessThan(3.1)
})

test.each([
  ['no coordinates', polygon([]), 'polygon.coordinates_required'],
  [
    'a line that is not closed',
    polygon([
      [
        [2, 48],
        [3, 48],
        [3, 49],
        [2, 49],
      ],
    ]),
    'polygon.invalid',
  ],
  [
    'latitudes first',
    polygon([
      [
        [48, 200],
        [48, 201],
        [49, 201],
        [48, 200],
      ],
    ]),
    'polygon.invalid',
  ],
  [
    'another shape',
    {
      ...polygon([
        [
          [2, 48],
          [3, 48],
          [3, 49],
          [2, 48],
        ],
      ]),
      type: 'MultiPolygon',
    },
    'polygon.invalid',
  ],
  [
    'half a country',
    polygon([
      [
        [0, 44],
        [8, 44],
        [8, 49],
        [0, 44],
      ],
    ]),
    'polygon.too_large',
  ],
  ['rubbish', 7, 'polygon.coordinates_required'],
  ['rubbish inside', polygon([[null, 'x', 7, {}]]), 'polygon.invalid'],
])('a polygon with %s is refused', (_, body, type) => {
  expect(readTypes(open()('POST', PATH, body))).toEqual([type])
})

test('a polygon search without the required parameters is refused', () => {
  const types = readTypes(open()('POST', '/properties/geography', polygon(ringsAround({ center: point, radiusKm: 1 }))))
  expect(types).toEqual(['include.invalid', 'supply_source.required'])
})
