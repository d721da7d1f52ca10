import { expect, test } from 'vitest'
import type { Stay } from '../../../../src/domain/stay.ts'
import type { Call } from '../../../../src/vendors/call.ts'
import type { BookOrder } from '../../../../src/vendors/contract.ts'
import {
  encodeAvailability,
  encodeBook,
  encodeCancel,
  encodeCodeList,
  encodeDetail,
  encodeDiscover,
  encodeFeed,
  encodeFind,
  encodePreviewCancel,
  encodePriceCheck,
  encodeProperties,
  encodeRooms,
} from '../../../../src/vendors/hotelbeds/encode.ts'
import { signatureOf } from '../../../../src/vendors/hotelbeds/sign.ts'
import { createOpenApiCheck } from '../../../support/openapi-request.ts'
import { context, fixture, KEY, SECRET, scripted } from './scripted.ts'

type Node = Record<string, unknown>

/**
 * Hotelbeds' own documents, corrected where they contradict every request Hotelbeds itself shows: `rooms` is what
 * `required` calls `room`, and coordinates, radius and tolerance are numbers.
 */
function documents() {
  const { booking, content } = fixture('openapi-trimmed') as { booking: Node; content: Node }
  const schemas = (booking.components as { schemas: Record<string, { required?: string[]; properties: Node }> }).schemas
  for (const name of ['checkRateRQ', 'bookingRQ']) {
    const schema = schemas[name]
    if (schema?.required) schema.required = schema.required.map((field) => (field === 'room' ? 'rooms' : field))
  }
  const numbers: [string, string[]][] = [
    ['ApiGeoLocation', ['latitude', 'longitude', 'radius']],
    ['bookingRQ', ['tolerance']],
  ]
  for (const [name, fields] of numbers) {
    for (const field of fields) {
      const schema = schemas[name]?.properties[field] as Node
      schema.type = 'number'
    }
  }
  return {
    booking: createOpenApiCheck(booking, '/hotel-api/1.0'),
    content: createOpenApiCheck(content, '/hotel-content-api/1.0'),
  }
}
const check = documents()
const HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip', 'content-type': 'application/json' }
const problems = (call: Call) =>
  check[call.origin === 'content' ? 'content' : 'booking'].request({ ...call, headers: HEADERS })

const family: Stay = {
  checkIn: '2027-06-15',
  checkOut: '2027-06-17',
  occupancies: [
    { adults: 2, childrenAges: [] },
    { adults: 1, childrenAges: [9, 4] },
    { adults: 2, childrenAges: [] },
    { adults: 1, childrenAges: [4, 9] },
  ],
}
const market = { currency: 'EUR', language: 'de-AT', countryCode: 'GB' }
const order: BookOrder = {
  ref: {},
  reference: 'ABCDEFGHJKMNPQRSTVWX',
  guests: ['One', 'Two', 'Three', 'Four'].map((givenName) => ({ givenName, familyName: 'Guest' })),
  contact: { email: 'one@example.com', phone: '+43123456' },
  specialRequests: ' A quiet room, please. ',
  stay: family,
  price: { minor: 50000, currency: 'EUR' },
}

test.each([
  ['availability', encodeAvailability({ vendorPropertyIds: ['77', '168'], stay: family, market })],
  ['rooms', encodeRooms({ vendorPropertyId: '77', stay: family, market, timezone: 'Europe/Madrid' })],
  ['discover', encodeDiscover({ center: { lat: 39.57, lon: 2.65 }, radiusKm: 12.3 }, 5000, '2027-05-01')],
  ['price check', encodePriceCheck(['a|b', 'c|d'])],
  ['book', encodeBook(order, ['a|b', 'c|d'], 'desk-1')],
  ['find', encodeFind({ reference: order.reference, email: '', createdOn: '2027-01-01' })],
  ['detail', encodeDetail('1-4075652')],
  ['preview of a cancellation', encodePreviewCancel('1-4075652')],
  ['cancellation', encodeCancel('1-4075652')],
  ['feed', encodeFeed(101, 100, '2027-01-01')],
  ['properties', encodeProperties(['77', '168'])],
  ...(
    ['types/facilities', 'types/categories', 'types/accommodations', 'types/boards', 'locations/countries'] as const
  ).map((list): [string, Call] => [list, encodeCodeList(list, 1, 1000)]),
  ['types/chains', encodeCodeList('types/chains', 1, 1000, ['ACCOR'])],
  ['types/rooms', encodeCodeList('types/rooms', 1, 1000, ['DBL.ST'])],
] satisfies [string, Call][])('the request for %s keeps to the vendor’s own document', (_, call) => {
  expect(problems(call)).toEqual([])
})

test('the check itself notices a request that breaks the document', () => {
  const call = encodeAvailability({ vendorPropertyIds: ['77'], stay: family, market })
  const { stay: _, ...body } = call.body as Node
  expect(problems({ ...call, body })).not.toEqual([])
  expect(problems({ ...call, path: '/hotel-api/1.0/hotel' })).not.toEqual([])
})

test.each([
  'availability.request.hotel-codes',
  'availability.request.children',
  'availability.request.geo-circle-2rooms',
  'availability.request.geo-circle-two-occupancies',
])('%s of the vendor passes the same check', (name) => {
  expect(
    problems({ ...encodeAvailability({ vendorPropertyIds: ['1'], stay: family, market }), body: fixture(name) }),
  ).toEqual([])
})

test.each([
  ['checkrates.request.one', encodePriceCheck(['a'])],
  ['checkrates.request.two-ratekeys', encodePriceCheck(['a'])],
  ['booking.request.one-room', encodeBook(order, ['a'], undefined)],
  ['booking.request.children', encodeBook(order, ['a'], undefined)],
  ['booking.request.same-room-x2', encodeBook(order, ['a'], undefined)],
  ['booking.request.two-different-rooms', encodeBook(order, ['a'], undefined)],
] satisfies [string, Call][])('%s of the vendor passes it too, and ours has no field that it lacks', (name, call) => {
  const theirs = fixture(name)
  expect(problems({ ...call, body: theirs })).toEqual([])
  const known = [...Object.keys(theirs), 'upselling', 'tolerance']
  for (const field of Object.keys(call.body as Node)) expect(known).toContain(field)
})

test('equal parties are asked for together, with every child’s age', () => {
  expect((encodeAvailability({ vendorPropertyIds: ['77'], stay: family, market }).body as Node).occupancies).toEqual([
    { rooms: 2, adults: 2, children: 0 },
    {
      rooms: 2,
      adults: 1,
      children: 2,
      paxes: [
        { type: 'CH', age: 4 },
        { type: 'CH', age: 9 },
      ],
    },
  ])
})

test('market and language go in the vendor’s own codes', () => {
  expect(encodeAvailability({ vendorPropertyIds: ['77'], stay: family, market }).body).toMatchObject({
    sourceMarket: 'UK',
    language: 'ALE',
  })
})

test('a booking names the lead guest of each room, and rooms count from one in each rate', () => {
  const { rooms, holder, tolerance, remark } = encodeBook(order, ['a', 'b'], undefined).body as {
    rooms: { rateKey: string; paxes: Node[] }[]
    [field: string]: unknown
  }
  expect(holder).toEqual({ name: 'One', surname: 'Guest' })
  expect(tolerance).toBe(0)
  expect(remark).toBe('A quiet room, please.')
  expect(rooms.map((room) => room.rateKey)).toEqual(['a', 'b'])
  expect(rooms[0]?.paxes).toEqual([
    { roomId: 1, type: 'AD', name: 'One', surname: 'Guest' },
    { roomId: 1, type: 'AD' },
    { roomId: 2, type: 'AD', name: 'Three', surname: 'Guest' },
    { roomId: 2, type: 'AD' },
  ])
  expect(rooms[1]?.paxes).toEqual([
    { roomId: 1, type: 'AD', name: 'Two', surname: 'Guest' },
    { roomId: 1, type: 'CH', age: 9 },
    { roomId: 1, type: 'CH', age: 4 },
    { roomId: 2, type: 'AD', name: 'Four', surname: 'Guest' },
    { roomId: 2, type: 'CH', age: 4 },
    { roomId: 2, type: 'CH', age: 9 },
  ])
})

test('only what changes something may be lost with an effect', () => {
  expect(encodeBook(order, ['a'], undefined).ifLost).toBe('unknown')
  expect(encodeCancel('1-1').ifLost).toBe('unknown')
  expect([encodePreviewCancel('1-1'), encodeDetail('1-1'), encodePriceCheck(['a'])].map((call) => call.ifLost)).toEqual(
    ['none', 'none', 'none'],
  )
})

test('a preview is never sent without its flag', () => {
  expect(encodePreviewCancel('1-1').path).toBe('/hotel-api/1.0/bookings/1-1?cancellationFlag=SIMULATION')
  expect(encodeCancel('1-1').path).toBe('/hotel-api/1.0/bookings/1-1?cancellationFlag=CANCELLATION')
})

test('a reference cannot leave its place in the path', () => {
  expect(encodeDetail('../../x?y#z').path).toBe('/hotel-api/1.0/bookings/..%2F..%2Fx%3Fy%23z')
})

test('the signature is the documented digest', () => {
  const known = signatureOf('apiKey', 'secret', 1500000000_999)
  expect(known).toBe('737588110177fbb75b52721ce2ff7995d53cd195cc454353ba98511048a7be91')
  expect(signatureOf('test-api-key', 'test-secret', 1700000000_000)).toBe(
    '5daa69896964d53bf783a29cc9671338124ff3b2ba8be1d6988adc21c3126c22',
  )
})

test('every call is signed and asks for packed JSON', async () => {
  const { vendor, calls } = scripted([{ body: fixture('booking-detail.response') }], '2027-01-01T00:00:00Z')
  await vendor.find({ reference: 'X', email: '', createdOn: '2027-01-01', vendorReference: '1-3816248' }, context)
  expect(calls[0]?.headers).toEqual({
    ...HEADERS,
    'api-key': KEY,
    'x-signature': signatureOf(KEY, SECRET, Date.parse('2027-01-01T00:00:00Z')),
  })
})
