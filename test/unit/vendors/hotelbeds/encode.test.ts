import { expect, test } from 'vitest'
import type { Stay } from '../../../../src/domain/stay.ts'
import type { BookOrder, Guest } from '../../../../src/vendors/contract.ts'
import { createSignature } from '../../../../src/vendors/hotelbeds/authorize.ts'
import {
  encodeAvailability,
  encodeBook,
  encodeCancel,
  encodeDetail,
  encodePreviewCancel,
  encodePriceCheck,
} from '../../../../src/vendors/hotelbeds/encode.ts'
import { boundBooking } from '../../../support/vendors/hotelbeds.ts'
import { config, context, KEY, SECRET, scripted } from './scripted.ts'

type Node = Record<string, unknown>

const HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip', 'content-type': 'application/json' }
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
}

test('equal parties are requested together, with the age of every child', () => {
  expect(
    (encodeAvailability(config, { vendorPropertyIds: ['77'], stay: family, market }).body as Node).occupancies,
  ).toEqual([
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

test("the request contains the vendor's language code and the ISO country", () => {
  expect(encodeAvailability(config, { vendorPropertyIds: ['77'], stay: family, market }).body).toMatchObject({
    sourceMarket: 'GB',
    language: 'ALE',
  })
})

test.each([
  ['DE', 'ALE'],
  ['fil-PH', 'ENG'],
])('the language %s is sent as %s', (language, code) => {
  const query = { vendorPropertyIds: ['77'], stay: family, market: { ...market, language } }
  expect(encodeAvailability(config, query).body).toMatchObject({ language: code })
})

test('a booking contains the lead guest of each room, with rooms numbered from one in each rate', () => {
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

/** Booking as the vendor returns it: guests in another order, and one more named adult. */
const booked = () => ({
  holder: { name: 'ONE', surname: 'GUEST' },
  hotel: {
    rooms: [
      {
        rates: [{ rooms: 2, adults: 1, children: 2 }],
        paxes: [
          { roomId: 2, type: 'CH', age: 4 },
          { roomId: 2, type: 'CH', age: 9 },
          { roomId: 2, type: 'AD', name: 'Four', surname: 'Guest' },
          { roomId: 1, type: 'CH', age: 4 },
          { roomId: 1, type: 'CH', age: 9 },
          { roomId: 1, type: 'AD', name: 'Two', surname: 'Guest' },
        ],
      },
      {
        rates: [{ rooms: 2, adults: 2, children: 0 }],
        paxes: [
          { roomId: 1, type: 'AD', name: 'Somebody', surname: 'Else' },
          { roomId: 1, type: 'AD', name: 'ONE', surname: 'GUEST' },
          { roomId: 2, type: 'AD' },
          { roomId: 2, type: 'AD', name: 'Three', surname: 'Guest' },
        ],
      },
    ],
  },
})

test.each([
  ['another total', { totalNet: 260 }],
  ['another state', { status: 'CANCELLED' }],
  ['no booking', undefined],
])('if the response to a change has %s, the outcome is unknown', async (_, changed) => {
  const { guests } = order
  const booking = { reference: '1-1', status: 'CONFIRMED', currency: 'EUR', totalNet: 250, ...booked() }
  const replies = [booking, booking, changed && { ...booking, ...changed }].map((value) => ({
    body: { booking: value },
  }))
  const { vendor } = scripted(replies, '2027-01-01T00:00:00Z')
  const lookup = { reference: 'X', email: '', createdOn: '2027-01-01', vendorReference: '1-1' }
  const change = { guests, specialRequests: '', stay: family, acceptsPrice: () => true }
  const done = vendor.amend?.(lookup, change, context) ?? expect.fail('cannot amend')
  await expect(done).rejects.toMatchObject({ fault: 'malformed', effect: 'unknown' })
})

/** Returns the named guests of each room entry after a change. */
async function amended(guests: readonly Guest[], body: object, stay = family) {
  const booking = { reference: '1-1', ...(body as { booking: object }).booking }
  const replies = Array.from({ length: 3 }, () => ({ body: { booking } }))
  const { vendor, calls } = scripted(replies, '2027-01-01T00:00:00Z')
  const lookup = { reference: 'X', email: '', createdOn: '2027-01-01', vendorReference: '1-1' }
  await vendor.amend?.(lookup, { guests, specialRequests: 'A quiet room', stay, acceptsPrice: () => true }, context)
  type Sent = { mode: string; booking: { hotel: { rooms: { paxes: Node[] }[] } } }
  const [simulated, updated] = calls.slice(1).map((call) => call.body as Sent)
  expect([simulated?.mode, updated?.mode]).toEqual(['SIMULATION', 'UPDATE'])
  expect(updated?.booking).toEqual(simulated?.booking)
  return (updated ?? expect.fail()).booking.hotel.rooms.map(({ paxes }) =>
    paxes.flatMap(({ roomId, name }) => (name ? [`${roomId} ${name}`] : [])),
  )
}

test('a change keeps guests in their rooms, in whatever order the vendor lists them', async () => {
  const body = { booking: { ...booked(), status: 'CONFIRMED' } }
  expect(await amended(order.guests, body)).toEqual([
    ['2 Four', '1 Two'],
    ['1 Somebody', '1 One', '2 Three'],
  ])
  const others = ['A', 'B', 'C', 'D'].map((givenName) => ({ givenName, familyName: 'Other' }))
  expect(await amended(others, body)).toEqual([
    ['2 D', '1 B'],
    ['1 A', '1 ONE', '2 C'],
  ])
})

test('a booking with ambiguous rooms is not changed, unless all rooms are equal', async () => {
  const body = { booking: { ...booked(), status: 'CONFIRMED' } }
  for (const room of body.booking.hotel.rooms) room.paxes = room.paxes.filter(({ type }) => type === 'AD')
  await expect(amended(order.guests, body)).rejects.toMatchObject({ fault: 'refused', effect: 'none' })
  const alike = { ...family, occupancies: family.occupancies.map(() => ({ adults: 2, childrenAges: [] })) }
  expect(await amended(order.guests, body, alike)).toEqual([
    ['2 Two', '1 One'],
    ['1 Three', '1 ONE', '2 Four'],
  ])
  const fewer = { ...alike, occupancies: alike.occupancies.slice(1) }
  await expect(amended(order.guests, body, fewer)).rejects.toMatchObject({ fault: 'refused', effect: 'none' })
})

test('only calls with side effects have an unknown effect if lost', () => {
  expect(encodeBook(order, ['a'], undefined).ifLost).toBe('unknown')
  expect(encodeCancel('1-1').ifLost).toBe('unknown')
  expect([encodePreviewCancel('1-1'), encodeDetail('1-1'), encodePriceCheck(['a'])].map((call) => call.ifLost)).toEqual(
    ['none', 'none', 'none'],
  )
})

test('preview and cancellation always set the flag', () => {
  expect(encodePreviewCancel('1-1').path).toBe('/hotel-api/1.0/bookings/1-1?cancellationFlag=SIMULATION')
  expect(encodeCancel('1-1').path).toBe('/hotel-api/1.0/bookings/1-1?cancellationFlag=CANCELLATION')
})

test('a reference is escaped in the path', () => {
  expect(encodeDetail('../../x?y#z').path).toBe('/hotel-api/1.0/bookings/..%2F..%2Fx%3Fy%23z')
})

test('the signature is the documented digest', () => {
  const known = createSignature('apiKey', 'secret', 1500000000_999)
  expect(known).toBe('737588110177fbb75b52721ce2ff7995d53cd195cc454353ba98511048a7be91')
  expect(createSignature('test-api-key', 'test-secret', 1700000000_000)).toBe(
    '5daa69896964d53bf783a29cc9671338124ff3b2ba8be1d6988adc21c3126c22',
  )
})

test('every call is signed and accepts compressed JSON', async () => {
  const { vendor, calls } = scripted([{ body: boundBooking('X') }, { body: { bookings: [] } }], '2027-01-01T00:00:00Z')
  await vendor.find({ reference: 'X', email: '', createdOn: '2027-01-01', vendorReference: '1-1' }, context)
  expect(calls[0]?.headers).toEqual({
    ...HEADERS,
    'api-key': KEY,
    'x-signature': createSignature(KEY, SECRET, Date.parse('2027-01-01T00:00:00Z')),
  })
})
