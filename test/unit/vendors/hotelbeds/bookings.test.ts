import { expect, test } from 'vitest'
import type { BookOrder } from '../../../../src/vendors/contract.ts'
import type { HotelbedsConfig } from '../../../../src/vendors/hotelbeds/index.ts'
import type { Reply } from '../../../../src/vendors/transport/call.ts'
import {
  BOOKING,
  bookedRate,
  booking,
  bookingList,
  boundBooking,
  cancelledBooking,
  gatewayErrorBody,
  type Json,
  statusOk,
  unknownBookingError,
} from '../../../support/vendors/hotelbeds.ts'
import { context, scripted } from './scripted.ts'

const NOW = '2026-11-16T08:00:00Z'
const eur = (major: number) => ({ minor: Math.round(major * 100), currency: 'EUR' })
const lookup = { reference: 'TESTBOOKING', email: 'a@example.com', createdOn: '2027-03-23' }
const known = { ...lookup, vendorReference: BOOKING }

const REFERENCE = 'IntegrationAgency'
const oneRoom = (more: object = {}) => ({ body: booking(REFERENCE, [bookedRate('141.40')], { ...more }) })

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
  reference: REFERENCE,
  guests: [
    { givenName: 'First', familyName: 'Guest' },
    { givenName: 'Third', familyName: 'Guest' },
  ],
  contact: { email: 'a@example.com', phone: '+34123456' },
  specialRequests: '',
  stay: {
    checkIn: '2027-06-15',
    checkOut: '2027-06-16',
    occupancies: [
      { adults: 2, childrenAges: [] },
      { adults: 1, childrenAges: [2] },
    ],
  },
}

test.each([
  ['one room', [bookedRate('141.40')], 141.4, 1],
  ['children', [bookedRate('217.60', { adults: 1, children: 2, childrenAges: '5,6' })], 217.6, 1],
  ['two equal rooms', [bookedRate('300.00', { rooms: 2 })], 300, 2],
  ['two different rooms', [bookedRate('170.00'), bookedRate('175.50', { boardCode: 'RO' })], 345.5, 2],
])('a booking of %s is confirmed with our reference in capitals', async (_, rates, total, rooms) => {
  const { vendor, calls } = scripted([{ body: booking(REFERENCE, rates) }], NOW)
  expect(await vendor.book(order, context)).toEqual({
    state: 'confirmed',
    vendorReference: BOOKING,
    property: { vendorPropertyId: '551', name: 'Test Hotel' },
    dates: { checkIn: '2027-06-15', checkOut: '2027-06-16' },
    rooms,
    roomStates: Array.from({ length: rooms }, () => 'confirmed'),
    charged: eur(total),
    board: rates.length > 1 ? 'room_only' : 'breakfast',
    cancel: {
      refundable: true,
      penalties: [{ from: '2027-06-12T23:59:00+02:00', amount: eur(total) }],
    },
    confirmation: { vendor: BOOKING, rooms: Array.from({ length: rooms }, () => ({})) },
  })
  expect(calls).toHaveLength(1)
})

test('parties are listed in the order of the rooms, unless a guest is missing', async () => {
  const adult = { type: 'AD', name: 'ADA', surname: 'GUEST' }
  const child = { type: 'CH', age: 2 }
  const rates = [bookedRate('100.00', { rooms: 2, adults: 1, children: 1 }), bookedRate('170.00')]
  const paxes = [
    [adult, child].flatMap((guest) => [2, 1].map((roomId) => ({ roomId, ...guest }))),
    [adult, adult].map((guest) => ({ roomId: 1, ...guest })),
  ]
  const readParties = async (listed: Json[][]) => {
    const body = booking(REFERENCE, rates)
    for (const [place, room] of body.booking.hotel.rooms.entries()) Object.assign(room, { paxes: listed[place] })
    return (await scripted([{ body }], NOW).vendor.book(order, context)).parties
  }
  const family = { adults: 1, childrenAges: [2] }
  expect(await readParties(paxes)).toEqual([family, family, { adults: 2, childrenAges: [] }])
  expect(await readParties(paxes.map((some) => some.slice(1)))).toBeUndefined()
})

test('amounts are read from numbers and texts', async () => {
  const { vendor } = scripted([oneRoom({ totalNet: '172.10' })], NOW)
  expect((await vendor.book(order, context)).charged).toEqual(eur(172.1))
})

const booked = async (rates: Json[], more: Partial<HotelbedsConfig> = {}) => {
  const { vendor } = scripted([{ body: booking(REFERENCE, rates) }], NOW, more)
  const { total, charged } = await vendor.book(order, context)
  return { total, charged }
}
const taxed = (...lines: Json[]) => bookedRate('141.40', { taxes: { taxes: lines } })

test('only the charge is returned if taxes are missing or in another currency', async () => {
  const charged = eur(141.4)
  expect(await booked([bookedRate('141.40')])).toEqual({ charged })
  const yen = { included: false, amount: '400', currency: 'JPY' }
  expect(await booked([taxed({ ...yen, clientAmount: '2.50', clientCurrency: 'EUR' })])).toEqual({ total: eur(143.9) })
  expect(await booked([taxed(yen)])).toEqual({ charged })
  expect(await booked([taxed()])).toEqual({ total: charged })
})

test('on commission the selling prices of the rates are added up if the booking has no total', async () => {
  const rates = ['100.00', '50.00'].map((net) => bookedRate(net, { sellingRate: (Number(net) * 1.1).toFixed(2) }))
  expect(await booked(rates, { pricing: 'commissionable' })).toEqual({ charged: eur(165) })
  expect(await booked(rates)).toEqual({ charged: eur(150) })
})

test.each([
  ['PRECONFIRMED', 'CONFIRMED'],
  ['CONFIRMED', 'TO_BE_UPDATED'],
  [undefined, 'CONFIRMED'],
  ['constructor', 'CONFIRMED'],
])('status %s with room status %s is not a confirmation', async (status, roomStatus) => {
  const reply = oneRoom({ status })
  for (const room of reply.body.booking.hotel.rooms) room.status = roomStatus
  const { vendor } = scripted([reply], NOW)
  expect((await vendor.book(order, context)).state).toBe('pending')
})

test('a booking response without our booking leaves the outcome unknown', async () => {
  const other = oneRoom({ clientReference: 'OTHER' })
  const none = oneRoom({ reference: undefined })
  for (const reply of [other, none, { body: {} }, { body: undefined, text: '<html>' }, { body: [] }]) {
    const { vendor } = scripted([reply], NOW)
    await expect(vendor.book(order, context)).rejects.toMatchObject({ fault: 'malformed', effect: 'unknown' })
  }
})

test('an offer for another party is refused without a call', async () => {
  const { vendor, calls } = scripted([], NOW)
  const stay = { ...order.stay, occupancies: [{ adults: 2, childrenAges: [] }] }
  await expect(vendor.book({ ...order, stay }, context)).rejects.toMatchObject({ fault: 'refused', effect: 'none' })
  expect(calls).toEqual([])
})

const list = bookingList(
  { reference: '1-700076', clientReference: 'AgencyTest01' },
  { reference: '1-700077', clientReference: 'AgencyTest02' },
)

const unknown = { body: { bookings: [] } }

test('a booking is found by our reference and read in full', async () => {
  const { vendor, calls } = scripted([{ body: list }, { body: boundBooking('AGENCYTEST02') }, unknown], NOW)
  const receipt = await vendor.find({ ...lookup, reference: 'AGENCYTEST02' }, context)
  expect(calls.map((call) => call.path)).toEqual([
    '/hotel-api/1.0/bookings?clientReference=AGENCYTEST02&filterType=CREATION&start=2027-03-22&end=2027-03-24&status=ALL&from=1&to=25',
    '/hotel-api/1.0/bookings/1-700077',
    '/hotel-api/1.0/bookings/reconfirmations?references=1-700077&from=1&to=10',
  ])
  // The selling price is prescribed; the city tax comes on top.
  expect(receipt).toMatchObject({ state: 'confirmed', vendorReference: BOOKING, total: eur(265 + 5.4) })
})

const reconfirmed = (reference: string, ...rooms: object[]) => ({
  body: { bookings: [{ reference, clientReference: 'X', hotel: { rooms } }] },
})
const code = (id: number, ...supplierConfirmationCode: unknown[]) => ({ id, code: 'DBL.ST', supplierConfirmationCode })

test.each<[string, Partial<Reply>, object]>([
  ['not available', unknown, { rooms: [{}, {}, {}] }],
  ['not readable', { status: 503 }, { rooms: [{}, {}, {}] }],
  ['of another booking', reconfirmed('1-1', code(1, 'A1')), { rooms: [{}, {}, {}] }],
  [
    'of each room entry',
    reconfirmed(BOOKING, code(2, 'B1'), code(1, 'A1', 'A2')),
    { property: 'A1, A2, B1', rooms: [{ property: 'A1, A2' }, { property: 'A1, A2' }, { property: 'B1' }] },
  ],
  [
    'with other ids',
    reconfirmed(BOOKING, code(10, 'A1')),
    { property: 'A1', rooms: [{ property: 'A1' }, { property: 'A1' }, { property: 'A1' }] },
  ],
])("the hotel's confirmation numbers are read with the booking: %s", async (_, numbers, confirmation) => {
  const reply = { body: booking(REFERENCE, [bookedRate('300.00', { rooms: 2 }), bookedRate('90.00')]) }
  for (const [place, room] of reply.body.booking.hotel.rooms.entries()) {
    Object.assign(room, { id: place + 1, supplierReference: '16923904M-MJ' })
  }
  const { vendor } = scripted([reply, numbers], NOW)
  const receipt = await vendor.find({ ...known, reference: REFERENCE }, context)
  expect(receipt?.confirmation).toEqual({ vendor: BOOKING, ...confirmation })
})

test('a missing booking is undefined in every form of response', async () => {
  for (const body of [{ bookings: {} }, { bookings: { total: 0 } }, { bookings: { bookings: [], total: 0 } }, list]) {
    const { vendor } = scripted([{ body }], NOW)
    expect(await vendor.find(lookup, context)).toBeUndefined()
  }
  const { vendor } = scripted([{ status: 404, body: unknownBookingError() }], NOW)
  expect(await vendor.find(known, context)).toBeUndefined()
})

test("a proxy's 404 page is not taken for a missing booking", async () => {
  const { vendor } = scripted([{ status: 404, text: '<html>not here</html>' }, { body: { hotels: [] } }], NOW)
  await expect(vendor.find(lookup, context)).rejects.toMatchObject({ fault: 'unavailable' })
  await expect(vendor.find(lookup, context)).rejects.toMatchObject({ fault: 'malformed' })
})

test('the confirmed one of several bookings with one reference is found', async () => {
  const clientReference = 'testbooking'
  const body = bookingList(
    { reference: '1-1', clientReference, status: 'CANCELLED' },
    { reference: '1-2', clientReference },
  )
  const { vendor, calls } = scripted([{ body }, { body: boundBooking(clientReference) }, unknown], NOW)
  await vendor.find(lookup, context)
  expect(calls[1]?.path).toBe('/hotel-api/1.0/bookings/1-2')
})

test('a preview returns only the fee', async () => {
  const standing = { body: booking('TESTBOOKING', [bookedRate('300.00')]) }
  const { vendor, calls } = scripted([{ body: cancelledBooking('TESTBOOKING', '240.10') }, standing], NOW)
  expect(await vendor.previewCancel(known, context)).toEqual({ fee: eur(240.1) })
  expect(calls[0]?.path).toContain('cancellationFlag=SIMULATION')
})

test('a fee is scaled to a prescribed selling price in preview and cancellation', async () => {
  const [fee, standing] = [{ body: cancelledBooking('TESTBOOKING', 120) }, { body: boundBooking('TESTBOOKING') }]
  for (const { rates } of fee.body.booking.hotel.rooms)
    for (const rate of rates) Object.assign(rate, { hotelMandatory: true })
  const { vendor } = scripted([fee, standing, standing, fee], NOW)
  expect(await vendor.previewCancel(known, context)).toEqual({ fee: eur(132.5) })
  expect(await vendor.cancel(known, context)).toMatchObject({
    state: 'cancelled',
    cancelFee: eur(132.5),
    confirmation: { cancellation: 'TESTCANCEL' },
  })
})

test('a fee that cannot be scaled is omitted unless it is zero', async () => {
  const { vendor } = scripted(
    [
      { status: 503 },
      { body: cancelledBooking('TESTBOOKING', 120) },
      { status: 503 },
      { body: cancelledBooking('T', 0) },
    ],
    NOW,
  )
  expect(await vendor.cancel(known, context)).not.toHaveProperty('cancelFee')
  expect(await vendor.cancel(known, context)).toMatchObject({ cancelFee: eur(0) })
})

test('the fee of a cancelled booking is returned only if it refers to the charged price', async () => {
  const read = (
    fee: number,
    { pricing = 'net', ...more }: { pricing?: 'net' | 'commissionable'; hotelMandatory?: true },
  ) => {
    const body = cancelledBooking('TESTBOOKING', fee)
    for (const { rates } of body.booking.hotel.rooms) for (const rate of rates) Object.assign(rate, more)
    return scripted([{ body }], NOW, { pricing }).vendor.find(known, context)
  }
  expect(await read(120, {})).toMatchObject({ state: 'cancelled', cancelFee: eur(120) })
  expect(await read(120, { hotelMandatory: true })).not.toHaveProperty('cancelFee')
  expect(await read(120, { pricing: 'commissionable' })).not.toHaveProperty('cancelFee')
  expect(await read(0, { hotelMandatory: true })).toMatchObject({ state: 'cancelled', cancelFee: eur(0) })
})

test('a booking with one of two rooms cancelled is partly cancelled', async () => {
  const reply = { body: booking(REFERENCE, [bookedRate('170.00'), bookedRate('175.50')]) }
  const [first] = reply.body.booking.hotel.rooms
  if (first !== undefined) first.status = 'CANCELLED'
  const { vendor } = scripted([reply], NOW)
  expect(await vendor.find({ ...known, reference: REFERENCE }, context)).toMatchObject({
    state: 'partly_cancelled',
    rooms: 2,
  })
})

test('a cancellation returns its fee', async () => {
  const standing = { body: booking('TESTBOOKING', [bookedRate('300.00')]) }
  const { vendor } = scripted([standing, { body: cancelledBooking('TESTBOOKING', 0) }], NOW)
  expect(await vendor.cancel(known, context)).toMatchObject({
    state: 'cancelled',
    vendorReference: BOOKING,
    cancelFee: eur(0),
  })
})

test.each([409, 410])('after a repeated cancellation (%i) the booking is read', async (status) => {
  const error = { error: { code: 'INVALID_DATA-1', message: 'Invalid data. The booking is already cancelled' } }
  const standing = { body: booking('TESTBOOKING', [bookedRate('300.00')]) }
  const gone = { body: cancelledBooking('TESTBOOKING', 0) }
  const { vendor, calls } = scripted([standing, { status, body: error }, gone], NOW)
  expect(await vendor.cancel(known, context)).toMatchObject({ state: 'cancelled', cancelFee: eur(0) })
  expect(calls.map((call) => call.method)).toEqual(['GET', 'DELETE', 'GET'])
})

test('a cancelled booking is not cancelled again', async () => {
  const gone = { body: cancelledBooking('TESTBOOKING', 12.5) }
  const { vendor, calls } = scripted([gone], NOW)
  expect(await vendor.cancel(known, context)).toMatchObject({ state: 'cancelled', cancelFee: eur(12.5) })
  expect(calls).toHaveLength(1)
})

test('a cancellation has an unknown effect if the booking cannot be read afterwards', async () => {
  const { vendor } = scripted([{ status: 503 }, { status: 409 }, { status: 503 }], NOW)
  await expect(vendor.cancel(known, context)).rejects.toMatchObject({ fault: 'unavailable', effect: 'unknown' })
})

test('the probe reports key, clock and content on separate lines', async () => {
  const date = new Date(Date.parse(NOW) - 300_000).toUTCString()
  const { vendor } = scripted(
    [
      { body: statusOk(), headers: { date } },
      { status: 403, body: gatewayErrorBody('Access to this API has been disallowed') },
    ],
    NOW,
  )
  expect(await vendor.probe(context)).toEqual([
    { name: 'credentials', ok: true, detail: 'key and signature accepted' },
    { name: 'clock', ok: false, detail: '300 s ahead of the vendor' },
    { name: 'content', ok: false, detail: expect.stringContaining('disallowed') },
  ])
})
