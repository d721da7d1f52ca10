import { expect, test } from 'vitest'
import type { OfferRef } from '../../../../src/domain/offer.ts'
import {
  booking,
  errorAnswer,
  HOTEL,
  type Json,
  ladder,
  money,
  OFFER,
  offer,
  prebook,
  rate,
  ratesAnswer,
} from '../../../support/vendors/liteapi.ts'
import { context, market, scripted, stay, timezone } from './scripted.ts'

const TAXES = [{ included: false, description: 'City tax', ...money(800, 'JPY') }]
const eur = (minor: number) => ({ minor, currency: 'EUR' })

async function createRef(rates: readonly Json[] = [rate({ taxes: TAXES })]): Promise<OfferRef> {
  const { vendor } = scripted([{ body: ratesAnswer(offer(rates)) }])
  const [room] = await vendor.rooms({ vendorPropertyId: HOTEL, stay, market, timezone }, context)
  return room?.ref ?? {}
}

async function check(reply: Parameters<typeof scripted>[0][number], rates?: readonly Json[]) {
  const { vendor, calls } = scripted([reply])
  return { check: await vendor.priceCheck(await createRef(rates), context), calls }
}

test('a prebook request contains the whole offer id and no payment, and goes to the booking host', async () => {
  const { calls } = await check({ body: prebook([rate({ taxes: TAXES })]) })
  expect(calls).toMatchObject([
    {
      origin: 'book',
      path: expect.stringMatching(/^\/v3\.0\/rates\/prebook\?timeout=\d+$/),
      body: { offerId: OFFER, usePaymentSdk: false },
    },
  ])
})

test('the rooms of a prebook are matched by number in any order', async () => {
  const rooms = [1, 2].map((occupancyNumber) =>
    rate({ more: { occupancyNumber, mappedRoomId: 100 + occupancyNumber } }),
  )
  const family = { ...stay, occupancies: [...stay.occupancies, { adults: 1, childrenAges: [] }] }
  const { vendor } = scripted([{ body: ratesAnswer(offer(rooms)) }, { body: prebook(rooms.toReversed()) }])
  const [room] = await vendor.rooms({ vendorPropertyId: HOTEL, stay: family, market, timezone }, context)
  expect(await vendor.priceCheck(room?.ref ?? {}, context)).toMatchObject({ status: 'available' })
})

test('the check of an unchanged offer has the same price, terms and board', async () => {
  const { check: now } = await check({ body: prebook([rate({ taxes: TAXES })]) })
  expect(now).toMatchObject({
    status: 'available',
    price: { total: eur(105_00), dueAtProperty: eur(5_00) },
    board: 'room_only',
    cancel: { refundable: true, penalties: [{ from: '2027-05-30T11:00:00+09:00', amount: eur(100_00) }] },
    ref: { prebookId: 'pR3b00kId', dueMinor: 5_00 },
  })
})

test('the check of a changed offer has the new price, terms and board', async () => {
  const changed = rate({
    retail: 131,
    policies: ladder(['2027-04-01 00:00:00', 131]),
    more: { boardType: 'BI', boardName: 'Breakfast' },
  })
  const { check: now } = await check({
    body: prebook([changed], { priceDifferencePercent: 30, cancellationChanged: true, boardChanged: true }),
  })
  expect(now).toMatchObject({ price: { total: eur(130_00) }, board: 'breakfast', cancel: { refundable: false } })
})

test('changed terms without details are non-refundable', async () => {
  const silent = rate({ policies: { refundableTag: 'RFN' } })
  const { check: now } = await check({ body: prebook([silent], { cancellationChanged: true }) })
  expect(now).toMatchObject({ cancel: { refundable: false, penalties: [{ amount: eur(100_00) }] } })
  const { check: same } = await check({ body: prebook([silent]) })
  expect(same).toMatchObject({ cancel: undefined })
})

test('a prebook without a tax field keeps the taxes shown before; null means none', async () => {
  const { retailRate, ...rest } = rate()
  const { taxesAndFees: _, ...without } = retailRate as Json
  const { check: silent } = await check({ body: prebook([{ ...rest, retailRate: without }]) })
  expect(silent).toMatchObject({ price: { dueAtProperty: eur(5_00), total: eur(105_00) } })
  const { check: none } = await check({ body: prebook([rate({ taxes: null })]) })
  expect(none).toMatchObject({ price: { dueAtProperty: eur(0), total: eur(100_00) } })
})

test('the lower of two commissions is used, and one for the whole stay alone is accepted', async () => {
  const { check: both } = await check({ body: prebook([rate({ commission: 3 })], { commission: 1 }) })
  expect(both).toMatchObject({ price: { base: eur(100_00) } })
  const { check: whole } = await check({ body: prebook([rate({ more: { commission: null } })], { commission: 4 }) })
  expect(whole).toMatchObject({ price: { base: eur(97_00) } })
  const { check: byRoom } = await check({ body: prebook([rate()], { commission: null }) })
  expect(byRoom).toMatchObject({ price: { base: eur(100_00) } })
})

test('with rounding differences the commission for the whole stay is used, as in the booking', async () => {
  const rooms = [1, 2].map((occupancyNumber) => rate({ commission: 1.236, more: { occupancyNumber } }))
  const family = { ...stay, occupancies: [...stay.occupancies, ...stay.occupancies] }
  const body = prebook(rooms, { commission: 2.472 })
  const booked = booking('REF', { price: 202, commission: 2.472 })
  const { vendor } = scripted([
    { body: ratesAnswer(offer(rooms)) },
    { body },
    { body: { data: booked, sandbox: true } },
  ])
  const [room] = await vendor.rooms({ vendorPropertyId: HOTEL, stay: family, market, timezone }, context)
  const now = await vendor.priceCheck(room?.ref ?? {}, context)
  if (now.status !== 'available') throw new Error('sold out')
  const guest = { givenName: 'Ada', familyName: 'Guest' }
  const contact = { email: 'ada@example.com', phone: '' }
  const order = { ref: now.ref, reference: 'REF', guests: [guest, guest], contact, specialRequests: '', stay: family }
  expect((await vendor.book(order, context)).total).toEqual(now.price.total)
})

test.each([
  ['a substitute for another room', prebook([rate({ more: { mappedRoomId: 99 } })])],
  ['a package rate', prebook([rate()], { isPackageRate: true })],
  ['a rate collected by the property', prebook([rate()], { paymentTypes: ['PROPERTY_PAY'] })],
  ['a member rate', prebook([rate()], { loyaltyMembershipIdRequired: true })],
])('the check of %s is sold out', async (_, body) => {
  expect((await check({ body })).check).toEqual({ status: 'sold_out' })
})

test.each([
  ['a list with the wallet', ['NUITEE_PAY', 'ACC_CREDIT_CARD', 'WALLET'], 'WALLET'],
  ['the account card', ['NUITEE_PAY', 'ACC_CREDIT_CARD'], 'ACC_CREDIT_CARD'],
  ['no list', undefined, 'WALLET'],
  ['any list for an account on credit', ['NUITEE_PAY', 'ACC_CREDIT_CARD', 'WALLET'], 'CREDIT'],
] as const)('a prebook with %s can be paid', async (_, paymentTypes, payment) => {
  const { vendor } = scripted([{ body: prebook([rate()], { paymentTypes }) }], { payment })
  expect(await vendor.priceCheck(await createRef(), context)).toMatchObject({ status: 'available' })
})

test.each([
  ['NUITEE_PAY', 'ACC_CREDIT_CARD'],
  ['NUITEE_PAY', 'PROPERTY_PAY'],
])('a prebook that can be paid by %s and %s only is an error of our configuration', async (...paymentTypes) => {
  const { vendor } = scripted([{ body: prebook([rate()], { paymentTypes }) }])
  await expect(vendor.priceCheck(await createRef(), context)).rejects.toMatchObject({
    fault: 'misconfigured',
    effect: 'none',
    detail: `the prebook can be paid by ${paymentTypes.join(', ')}, but SERAI_LITEAPI_PAYMENT is WALLET`,
  })
})

test.each([
  [true, 'session-1'],
  [false, undefined],
])('the session id is sent with searches only if it is enabled (%s)', async (sendSessionId, sent) => {
  const { vendor, calls } = scripted([{ body: ratesAnswer(offer([rate()])) }], { sendSessionId })
  await vendor.rooms({ vendorPropertyId: HOTEL, stay, market, timezone }, { ...context, sessionId: 'session-1' })
  expect(calls.map(({ body }) => (body as Json).sessionId)).toEqual([sent])
})

test.each([
  ['another hotel', prebook([rate()], { hotelId: 'lp99' })],
  ['other dates', prebook([rate()], { checkin: '2027-06-02' })],
  ['more rooms', prebook([rate(), rate({ more: { occupancyNumber: 2 } })])],
  ['no price', prebook([rate()], { price: null })],
  ['a price that differs from its rates', prebook([rate()], { price: 171 })],
  ['no id', prebook([rate()], { prebookId: '' })],
  ['no board', prebook([rate({ more: { boardType: '', boardName: '' } })], { boardChanged: true })],
])('a prebook with %s is malformed', async (_, body) => {
  await expect(check({ body })).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
})

test.each([
  [errorAnswer(400, 2001, 'no prebook availability'), 'sold_out'],
  [errorAnswer(409, 2001, 'no availability', 'provider price exceeds locked selling price'), 'expired'],
  [errorAnswer(200, 4040, 'outdated offer'), 'expired'],
  [errorAnswer(400, 4002, 'invalid offer'), 'expired'],
  [errorAnswer(408, 4016, 'timeout'), 'timeout'],
  [errorAnswer(500, 5000, 'unable to process'), 'unavailable'],
])('a prebook answered with %j is %s', async (reply, fault) => {
  const work = check(reply).then(({ check: { status } }) => ({ fault: status, effect: 'none' }))
  await expect(work.catch((error: unknown) => error)).resolves.toMatchObject({ fault, effect: 'none' })
})
