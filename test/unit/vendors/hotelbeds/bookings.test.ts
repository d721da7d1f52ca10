import { expect, test } from 'vitest'
import type { BookOrder } from '../../../../src/vendors/contract.ts'
import { context, fixture, scripted } from './scripted.ts'

const NOW = '2018-11-16T08:00:00Z'
const eur = (major: number) => ({ minor: Math.round(major * 100), currency: 'EUR' })
const lookup = { reference: 'TESTBOOKING', email: 'a@example.com', createdOn: '2018-03-23' }
const known = { ...lookup, vendorReference: '1-3816248' }

type Booking = Record<string, unknown> & { hotel: Record<string, unknown> & { rooms: Record<string, unknown>[] } }
const answer = (name: string, change: (booking: Booking) => void = () => {}) => {
  const body = fixture(name)
  change(body.booking as Booking)
  return { body }
}

const order: BookOrder = {
  ref: {
    hotel: '74400',
    currency: 'EUR',
    expiresAt: 1,
    parties: ['1x2-', '1x1-2'],
    rateKeys: ['a', 'b'],
    rateTypes: ['BOOKABLE', 'BOOKABLE'],
    roomCodes: ['DBT.ST', 'DBT.ST'],
    boardCodes: ['BB', 'BB'],
  },
  reference: 'IntegrationAgency',
  guests: [
    { givenName: 'First', familyName: 'Guest' },
    { givenName: 'Third', familyName: 'Guest' },
  ],
  contact: { email: 'a@example.com', phone: '+34123456' },
  specialRequests: '',
  stay: {
    checkIn: '2019-06-15',
    checkOut: '2019-06-16',
    occupancies: [
      { adults: 2, childrenAges: [] },
      { adults: 1, childrenAges: [2] },
    ],
  },
  price: eur(363.16),
}

test.each([
  ['booking.response.one-room', eur(141.47)],
  ['booking.response.children', undefined],
  ['booking.response.same-room-x2', undefined],
  ['booking.response.two-different-rooms', eur(363.16)],
])('%s is a confirmation, under our reference in capitals', async (name, total) => {
  const { vendor, calls } = scripted([answer(name)], NOW)
  const receipt = await vendor.book(order, context)
  expect(receipt).toMatchObject({ state: 'confirmed', vendorReference: expect.stringMatching(/^\d+-\d+$/) })
  expect(receipt.total?.currency).toBe('EUR')
  if (total !== undefined) expect(receipt.total).toEqual(total)
  expect(calls).toHaveLength(1)
})

test('amounts are read as numbers and as texts', async () => {
  const { vendor } = scripted(
    [answer('booking.response.one-room', (booking) => Object.assign(booking, { totalNet: '172.10' }))],
    NOW,
  )
  expect((await vendor.book(order, context)).total).toEqual(eur(172.1))
})

test.each([
  ['PRECONFIRMED', 'CONFIRMED'],
  ['CONFIRMED', 'TO_BE_UPDATED'],
  [undefined, 'CONFIRMED'],
  ['constructor', 'CONFIRMED'],
])('status %s with room status %s is not a confirmation', async (status, roomStatus) => {
  const reply = answer('booking.response.one-room', (booking) => {
    booking.status = status
    for (const room of booking.hotel.rooms) room.status = roomStatus
  })
  const { vendor } = scripted([reply], NOW)
  expect((await vendor.book(order, context)).state).toBe('pending')
})

test('an answer about somebody else’s booking, or about none, leaves the outcome open', async () => {
  const other = answer('booking.response.one-room', (booking) => Object.assign(booking, { clientReference: 'OTHER' }))
  const none = answer('booking.response.one-room', (booking) => Object.assign(booking, { reference: undefined }))
  for (const reply of [other, none, { body: {} }, { body: undefined, text: '<html>' }, { body: [] }]) {
    const { vendor } = scripted([reply], NOW)
    await expect(vendor.book(order, context)).rejects.toMatchObject({ fault: 'malformed', effect: 'unknown' })
  }
})

test('an offer for another party is refused before anything is sent', async () => {
  const { vendor, calls } = scripted([], NOW)
  const stay = { ...order.stay, occupancies: [{ adults: 2, childrenAges: [] }] }
  await expect(vendor.book({ ...order, stay }, context)).rejects.toMatchObject({ fault: 'refused', effect: 'none' })
  expect(calls).toEqual([])
})

test('a booking is found by our reference and read in full', async () => {
  const list = fixture('booking-list.response')
  const { vendor, calls } = scripted([{ body: list }, answer('booking-detail.response')], NOW)
  const receipt = await vendor.find({ ...lookup, reference: 'AGENCYTEST02' }, context)
  expect(calls.map((call) => call.path)).toEqual([
    '/hotel-api/1.0/bookings?clientReference=AGENCYTEST02&filterType=CREATION&start=2018-03-22&end=2018-03-24&status=ALL&from=1&to=25',
    '/hotel-api/1.0/bookings/1-3815077',
  ])
  // The selling price is binding in this sample; the city tax comes on top.
  expect(receipt).toEqual({ state: 'confirmed', vendorReference: '1-3816248', total: eur(280 + 6.6) })
})

test('no such booking is undefined, however it is said', async () => {
  for (const body of [
    { bookings: {} },
    { bookings: { total: 0 } },
    { bookings: { bookings: [], total: 0 } },
    fixture('booking-list.response'),
  ]) {
    const { vendor } = scripted([{ body }], NOW)
    expect(await vendor.find(lookup, context)).toBeUndefined()
  }
  const { vendor } = scripted([{ status: 404, body: fixture('error.404.booking-not-found') }], NOW)
  expect(await vendor.find(known, context)).toBeUndefined()
})

test('a page of a proxy is not "no such booking"', async () => {
  const { vendor } = scripted([{ status: 404, text: '<html>not here</html>' }, { body: { hotels: [] } }], NOW)
  await expect(vendor.find(lookup, context)).rejects.toMatchObject({ fault: 'unavailable' })
  await expect(vendor.find(lookup, context)).rejects.toMatchObject({ fault: 'malformed' })
})

test('of several bookings under one reference the confirmed one is found', async () => {
  const booking = (reference: string, status: string) => ({ reference, status, clientReference: 'testbooking' })
  const body = { bookings: { bookings: [booking('1-1', 'CANCELLED'), booking('1-2', 'CONFIRMED')] } }
  const { vendor, calls } = scripted([{ body }, answer('booking-detail.response')], NOW)
  await vendor.find(lookup, context)
  expect(calls[1]?.path).toBe('/hotel-api/1.0/bookings/1-2')
})

test('a preview tells the fee and nothing about the state', async () => {
  const { vendor, calls } = scripted([answer('booking-cancel.simulation.response.CONSTRUCTED')], NOW)
  expect(await vendor.previewCancel(known, context)).toEqual({ fee: eur(250.19) })
  expect(calls[0]?.path).toContain('cancellationFlag=SIMULATION')
})

test('a cancellation answers its fee', async () => {
  const { vendor } = scripted([answer('booking-cancel.response.free')], NOW)
  expect(await vendor.cancel(known, context)).toEqual({
    state: 'cancelled',
    vendorReference: '1-3816248',
    cancelFee: eur(0),
  })
})

test.each([409, 410])('a repeated cancellation (%i) is answered by reading the booking', async (status) => {
  const error = { error: { code: 'INVALID_DATA-1', message: 'Invalid data. The booking is already cancelled' } }
  const { vendor, calls } = scripted([{ status, body: error }, answer('booking-cancel.response.free')], NOW)
  expect(await vendor.cancel(known, context)).toMatchObject({ state: 'cancelled', cancelFee: eur(0) })
  expect(calls.map((call) => call.method)).toEqual(['DELETE', 'GET'])
})

test('when that look fails, the cancellation stays in doubt', async () => {
  const { vendor } = scripted([{ status: 409 }, { status: 503 }], NOW)
  await expect(vendor.cancel(known, context)).rejects.toMatchObject({ fault: 'unavailable', effect: 'unknown' })
})

test('the probe reports key, clock and content, each on its own line', async () => {
  const date = new Date(Date.parse(NOW) - 300_000).toUTCString()
  const { vendor } = scripted(
    [
      { body: fixture('status.response.CONSTRUCTED'), headers: { date } },
      { status: 403, body: fixture('error.403.disallowed') },
    ],
    NOW,
  )
  expect(await vendor.probe(context)).toEqual([
    { name: 'credentials', ok: true, detail: 'key and signature accepted' },
    { name: 'clock', ok: false, detail: '300 s ahead of the vendor' },
    { name: 'content', ok: false, detail: expect.stringContaining('disallowed') },
  ])
})
