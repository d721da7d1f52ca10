import { expect, test } from 'vitest'
import type { BookOrder } from '../../../../src/vendors/contract.ts'
import { BOOKING, booking, errorAnswer, HOTEL, type Json } from '../../../support/vendors/liteapi.ts'
import { config, context, scripted } from './scripted.ts'

const REFERENCE = 'OURREFERENCE00000001'
const eur = (minor: number) => ({ minor, currency: 'EUR' })
const order: BookOrder = {
  ref: {
    hotel: HOTEL,
    offerId: 'O',
    currency: 'EUR',
    zone: 'UTC',
    checkIn: '2027-06-01',
    checkOut: '2027-06-03',
    parties: ['2', '1-5'],
    roomIds: ['77', '77'],
    fees: [],
    prebookId: 'pR3b00kId',
    dueMinor: 5_00,
  },
  reference: REFERENCE,
  guests: [
    { givenName: 'Ada', familyName: 'Guest' },
    { givenName: 'Bo', familyName: 'Guest' },
  ],
  contact: { email: 'ada@example.com', phone: '' },
  specialRequests: ' Quiet, please ',
  stay: {
    checkIn: '2027-06-01',
    checkOut: '2027-06-03',
    occupancies: [
      { adults: 2, childrenAges: [] },
      { adults: 1, childrenAges: [5] },
    ],
  },
}
const lookup = { reference: REFERENCE, email: 'ada@example.com', createdOn: '2027-05-01' }
const known = { ...lookup, vendorReference: BOOKING }
const answered = (data: unknown, more: Json = {}) => ({ body: { data, ...more } })

test('a booking request contains one guest per room, our reference and the wallet, but no card', async () => {
  const { vendor, calls } = scripted([answered(booking(REFERENCE), { sandbox: true })])
  const receipt = await vendor.book(order, context)
  expect(calls).toMatchObject([
    { origin: 'book', path: expect.stringMatching(/^\/v3\.0\/rates\/book\?timeout=110$/), ifLost: 'unknown' },
  ])
  const guest = { email: 'ada@example.com', phone: config.businessPhone, remarks: 'Quiet, please' }
  expect(calls[0]?.body).toEqual({
    prebookId: 'pR3b00kId',
    clientReference: REFERENCE,
    holder: { firstName: 'Ada', lastName: 'Guest', email: 'ada@example.com', phone: config.businessPhone },
    guests: [
      { occupancyNumber: 1, firstName: 'Ada', lastName: 'Guest', ...guest },
      { occupancyNumber: 2, firstName: 'Bo', lastName: 'Guest', ...guest },
    ],
    payment: { method: 'WALLET' },
  })
  expect(receipt).toEqual({
    state: 'confirmed',
    vendorReference: BOOKING,
    property: { vendorPropertyId: HOTEL, name: 'Aurora' },
    dates: { checkIn: '2027-06-01', checkOut: '2027-06-03' },
    rooms: 1,
    total: eur(105_00),
    confirmation: { vendor: BOOKING, rooms: [{}] },
  })
})

test("the receipt contains the hotel's number and notices once the vendor has them", async () => {
  const more = {
    hotelConfirmationCode: 'H-77',
    mandatoryFees: '<p>Deposit 50 USD</p>',
    knowBeforeYouGo: 'Bring an ID',
    remarks: '',
  }
  const found = await scripted([answered(booking(REFERENCE, more))]).vendor.find(known, context)
  expect(found?.confirmation).toEqual({ vendor: BOOKING, property: 'H-77', rooms: [{ property: 'H-77' }] })
  expect(found?.notices).toMatchObject([
    { kind: 'fees', text: 'Deposit 50 USD' },
    { kind: 'policies', text: 'Bring an ID' },
  ])
})

test("check-in instructions are read as an object or text, and the hotel's remarks from two fields", async () => {
  const readNotices = async (more: Json) =>
    (await scripted([answered(booking(REFERENCE, more))]).vendor.find(known, context))?.notices
  const instructions = {
    idRequired: true,
    propertyContact: { email: 'reception@hotel.example', phone: '+15550142' },
    hasCommunication: true,
    instructions: '<p>Ring <b>twice</b></p>',
    arrivalTimeRequested: true,
  }
  const lines = [
    'Ring twice',
    'Identification is required at check-in.',
    'Contact the property before arrival.',
    'The property asks for your time of arrival.',
    'Contact: +15550142, reception@hotel.example',
  ]
  expect(await readNotices({ checkinInstructions: instructions })).toMatchObject([
    { kind: 'check_in', text: lines.join('\n') },
  ])
  expect(await readNotices({ checkinInstructions: 'Ring once' })).toMatchObject([
    { kind: 'check_in', text: 'Ring once' },
  ])
  const nothing = { idRequired: false, propertyContact: { email: null, phone: null }, instructions: '' }
  expect(await readNotices({ checkinInstructions: nothing })).toBeUndefined()
  const remarks = { hotelRemarks: 'No lift', cancellationPolicies: { hotelRemarks: ['Cash only'] } }
  expect(await readNotices(remarks)).toMatchObject([
    { kind: 'rate_comment', text: 'No lift' },
    { kind: 'rate_comment', text: 'Cash only' },
  ])
})

test('an offer without a prebook or for another party is not sent', async () => {
  const { vendor, calls } = scripted([])
  await expect(vendor.book({ ...order, ref: { ...order.ref, prebookId: '' } }, context)).rejects.toMatchObject({
    effect: 'none',
  })
  const alone = { ...order.stay, occupancies: order.stay.occupancies.slice(0, 1) }
  await expect(vendor.book({ ...order, stay: alone }, context)).rejects.toMatchObject({ effect: 'none' })
  expect(calls).toEqual([])
})

test.each([
  ['another reference', answered(booking('ANOTHERREFERENCE0001'))],
  ['no reference', answered(booking(''))],
  ['the other environment', answered(booking(REFERENCE, { sandbox: 0 }))],
  ['the other environment outside', answered(booking(REFERENCE, { sandbox: undefined }), { sandbox: false })],
  ['no id', answered(booking(REFERENCE, { bookingId: '' }))],
  ['nothing', { body: undefined }],
  ['an error in a 200', errorAnswer(200, 5000)],
])('a booking response with %s leaves the outcome unknown', async (_, reply) => {
  await expect(scripted([reply]).vendor.book(order, context)).rejects.toMatchObject({ effect: 'unknown' })
})

test.each([
  [401, 401, 'credentials', 'none'],
  [403, 40302, 'credentials', 'none'],
  [429, 4290, 'throttled', 'none'],
  [400, 4000, 'refused', 'none'],
  [400, 4003, 'refused', 'none'],
  [400, 4010, 'refused', 'none'],
  [410, 4012, 'sold_out', 'none'],
  // An earlier attempt used the reference: look it up, do not send again.
  [400, 4005, 'duplicate', 'unknown'],
  [400, 2010, 'unavailable', 'unknown'],
  [400, 2013, 'unavailable', 'unknown'],
  [400, 2014, 'unavailable', 'unknown'],
  [400, 5000, 'unavailable', 'unknown'],
  [400, 2001, 'unavailable', 'unknown'],
  [408, 4016, 'unavailable', 'unknown'],
  [500, 4012, 'unavailable', 'unknown'],
  [400, 7777, 'unavailable', 'unknown'],
])('a booking answered with %i and code %i is %s with effect %s', async (status, code, fault, effect) => {
  const { vendor, calls } = scripted([errorAnswer(status, code)])
  await expect(vendor.book(order, context)).rejects.toMatchObject({ fault, effect })
  expect(calls).toHaveLength(1)
})

test('a missing prebook means an expired offer, any other missing field a refusal', async () => {
  const gone = scripted([errorAnswer(400, 4002, 'wrong input', 'Invalid prebookId, rate not found')])
  await expect(gone.vendor.book(order, context)).rejects.toMatchObject({ fault: 'expired', effect: 'none' })
  const missing = scripted([errorAnswer(400, 4002, 'wrong input', 'holder is required')])
  await expect(missing.vendor.book(order, context)).rejects.toMatchObject({ fault: 'refused', effect: 'none' })
})

test('a booking with an unknown status is pending', async () => {
  const { vendor } = scripted([answered(booking(REFERENCE, { status: 'PROCESSING' }))])
  expect(await vendor.book(order, context)).toMatchObject({ state: 'pending' })
})

test('a booking is found by our reference and read in full', async () => {
  const { vendor, calls } = scripted([
    answered([{ bookingId: BOOKING, status: 'CONFIRMED' }]),
    answered(booking(REFERENCE)),
  ])
  expect(await vendor.find(lookup, context)).toMatchObject({
    state: 'confirmed',
    vendorReference: BOOKING,
    charged: eur(100_00),
  })
  expect(calls.map(({ path }) => path)).toEqual([
    expect.stringMatching(new RegExp(`^/v3\\.0/bookings\\?clientReference=${REFERENCE}&`)),
    expect.stringMatching(new RegExp(`^/v3\\.0/bookings/${BOOKING}\\?`)),
  ])
  expect(await scripted([answered([])]).vendor.find(lookup, context)).toBeUndefined()
  expect(await scripted([{ status: 204 }]).vendor.find(known, context)).toBeUndefined()
})

test('a booking of the other environment is ignored, even with our reference', async () => {
  const theirs = { bookingId: 'other0001', clientReference: REFERENCE, status: 'CONFIRMED', sandbox: 0 }
  expect(await scripted([answered([theirs])]).vendor.find(lookup, context)).toBeUndefined()
  // The list may omit the flag; the booking itself has it.
  const { sandbox: _, ...silent } = theirs
  const hidden = scripted([answered([silent]), answered({ ...booking(REFERENCE), bookingId: 'other0001', sandbox: 0 })])
  expect(await hidden.vendor.find(lookup, context)).toBeUndefined()
  const both = scripted([answered([theirs, booking(REFERENCE)]), answered(booking(REFERENCE))])
  expect(await both.vendor.find(lookup, context)).toMatchObject({ vendorReference: BOOKING })
  const live = scripted([answered([booking(REFERENCE)])], { apiKey: 'prod_key' })
  expect(await live.vendor.find(lookup, context)).toBeUndefined()
})

test.each([
  ['has no environment', booking(REFERENCE, { sandbox: undefined })],
  ['has another reference', booking('ANOTHERREFERENCE0001')],
  ['has another id', booking(REFERENCE, { bookingId: 'other0001' })],
])('a look-up fails for a booking that %s', async (_, found) => {
  await expect(scripted([answered(found)]).vendor.find(known, context)).rejects.toMatchObject({
    fault: 'malformed',
    effect: 'none',
  })
})

test('the confirmed one of several bookings is found', async () => {
  const first = { bookingId: 'first0001', status: 'CANCELLED' }
  const { vendor } = scripted([
    answered([first, { bookingId: BOOKING }]),
    answered({ ...booking(REFERENCE), ...first }),
    answered(booking(REFERENCE)),
  ])
  expect(await vendor.find(lookup, context)).toMatchObject({ state: 'confirmed', vendorReference: BOOKING })
})

test.each(['CANCELLED', 'CANCELED', 'CANCELLED_WITH_CHARGES'])(
  'a booking with status %s is cancelled',
  async (status) => {
    const found = await scripted([answered(booking(REFERENCE, { status }))]).vendor.find(known, context)
    expect(found).toMatchObject({ state: 'cancelled' })
    // The status contains no amount: the previewed fee remains valid.
    expect(found?.cancelFee).toBeUndefined()
    expect(found?.charged).toBeUndefined()
  },
)

test.each([
  ['a part of the price', { price: 150, commission: 0, amountRefunded: 125 }, 25_00],
  ['a part of our charge', { amountRefunded: 75 }, 25_00],
  ['all of our charge', { amountRefunded: 100 }, 0],
  ['all of the price', { amountRefunded: 101 }, 0],
  ['more than was paid', { amountRefunded: 300 }, 0],
  ['nothing, as of bookings that were refunded in full', { amountRefunded: 0, refundType: 'full' }, undefined],
])('a cancelled booking with a refund of %s costs the rest', async (_, more, fee) => {
  for (const status of ['CANCELLED', 'CANCELLED_WITH_CHARGES']) {
    const found = await scripted([answered(booking(REFERENCE, { status, ...more }))]).vendor.find(known, context)
    expect(found?.cancelFee).toEqual(fee === undefined ? undefined : eur(fee))
  }
})

test('a payment fee is billed on top of the price, but not part of the cancellation fee', async () => {
  const more = { processingFee: 4.04 }
  const booked = await scripted([answered(booking(REFERENCE, more))]).vendor.book(order, context)
  expect(booked.total).toEqual(eur(109_04))
  const found = await scripted([answered(booking(REFERENCE, more))]).vendor.find(known, context)
  expect(found?.charged).toEqual(eur(104_04))
  const { vendor } = scripted([answered(booking(REFERENCE, more)), cancelled(50, 50)])
  expect((await vendor.cancel(known, context)).cancelFee).toEqual(eur(50_00))
})

const cancelled = (fee: number, refund: number, status = 'CANCELLED') =>
  answered({ bookingId: BOOKING, status, cancellation_fee: fee, refund_amount: refund, currency: 'EUR' })

test.each([
  ['of the price', 50.5, 50.5, 50_00],
  ['of our charge', 50, 50, 50_00],
  ['of nothing', 0, 101, 0],
  ['of all of it', 101, 0, 100_00],
])('a cancellation fee that is a part %s is converted to a part of our charge', async (_, fee, refund, minor) => {
  const { vendor } = scripted([answered(booking(REFERENCE)), cancelled(fee, refund)])
  expect(await vendor.cancel(known, context)).toMatchObject({
    state: 'cancelled',
    vendorReference: BOOKING,
    cancelFee: eur(minor),
  })
})

test('a cancelled booking is not cancelled again', async () => {
  const { vendor, calls } = scripted([answered(booking(REFERENCE, { status: 'CANCELLED' }))])
  expect(await vendor.cancel(known, context)).toMatchObject({ state: 'cancelled' })
  expect(calls.map(({ method }) => method)).toEqual(['GET'])
})

test('after "not modified" the booking is read to find the outcome', async () => {
  const stands = answered(booking(REFERENCE))
  const gone = scripted([stands, { status: 304 }, answered(booking(REFERENCE, { status: 'CANCELLED' }))])
  expect(await gone.vendor.cancel(known, context)).toMatchObject({ state: 'cancelled' })
  await expect(scripted([stands, { status: 304 }, stands]).vendor.cancel(known, context)).rejects.toMatchObject({
    fault: 'refused',
    effect: 'none',
  })
  await expect(
    scripted([stands, { status: 204 }, { status: 204 }]).vendor.cancel(known, context),
  ).rejects.toMatchObject({ effect: 'unknown' })
  await expect(
    scripted([stands, { status: 304 }, errorAnswer(500, 5000)]).vendor.cancel(known, context),
  ).rejects.toMatchObject({ effect: 'unknown' })
})

test.each([[errorAnswer(500, 5000)], [{ status: 200, body: {} }], [errorAnswer(400, 5000)]])(
  'a cancellation answered with %j has an unknown effect',
  async (reply) => {
    await expect(scripted([answered(booking(REFERENCE)), reply]).vendor.cancel(known, context)).rejects.toMatchObject({
      effect: 'unknown',
    })
  },
)
