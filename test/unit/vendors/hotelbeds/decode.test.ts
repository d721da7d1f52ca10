import { expect, test } from 'vitest'
import type { Occupancy, Stay } from '../../../../src/domain/stay.ts'
import { read } from '../../../../src/vendors/hotelbeds/decode-availability.ts'
import {
  BOUND,
  hotel,
  hotels,
  type Json,
  noHotels,
  onOtherDates,
  rate,
  room,
  STRICT,
  TAXED,
  twoEqualRooms,
  WITHOUT_POLICIES,
  withBindingPrice,
  withChildren,
  withoutPolicies,
  withTaxes,
} from '../../../support/vendors/hotelbeds.ts'
import { context, scripted } from './scripted.ts'

const couple: Occupancy = { adults: 2, childrenAges: [] }
const withTwo: Occupancy = { adults: 1, childrenAges: [6, 5] }
const stayFor = (...occupancies: Occupancy[]): Stay => ({ checkIn: '2027-06-15', checkOut: '2027-06-16', occupancies })
const market = { currency: 'EUR', language: 'en', countryCode: 'ES' }
const NOW = '2026-11-16T08:00:00Z'
const eur = (major: number) => ({ minor: Math.round(major * 100), currency: 'EUR' })
const usd = (major: number) => ({ minor: Math.round(major * 100), currency: 'USD' })

const codesIn = (body: ReturnType<typeof twoEqualRooms>) => body.hotels.hotels.map(({ code }) => String(code))

async function availability(body: unknown, stay: Stay, now = NOW, more = {}) {
  const { vendor } = scripted([{ body }], now, more)
  return vendor.availability({ vendorPropertyIds: ['1'], stay, market }, context)
}

async function rooms(body: unknown, vendorPropertyId: string | number, stay: Stay, now = NOW, more = {}) {
  const { vendor } = scripted([{ body }], now, more)
  return vendor.rooms({ vendorPropertyId: String(vendorPropertyId), stay, market, timezone: 'Europe/Madrid' }, context)
}

test('a list with an error is a failure, on the reading thread too', async () => {
  const body = { ...noHotels(), error: { code: 'SYSTEM_ERROR', message: 'try again' } }
  await expect(availability(body, stayFor(couple))).rejects.toMatchObject({ fault: 'unavailable' })
  expect(() => read(body, { parties: [], pricing: 'net', now: 0 })).toThrow('the list contains an error')
})

test.each([
  [1, [2_000]],
  [2, [1_000, 1_000]],
  [3, [666, 666, 666, 2]],
])('hotels for %i different parties are requested in parts that stay below the size limit', async (parties, parts) => {
  const occupancies = [couple, withTwo, { adults: 3, childrenAges: [] }].slice(0, parties)
  const { vendor, calls } = scripted(
    parts.map(() => ({ body: noHotels() })),
    NOW,
  )
  const ids = Array.from({ length: 2_000 }, (_, index) => String(index + 1))
  await vendor.availability({ vendorPropertyIds: ids, stay: stayFor(...occupancies), market }, context)
  const asked = calls.map(({ body }) => (body as { hotels: { hotel: number[] } }).hotels.hotel)
  expect(asked.map(({ length }) => length)).toEqual(parts)
  expect(asked.flat()).toEqual(ids.map(Number))
})

test('a response without the inner list has no offers', async () => {
  expect(await availability(noHotels(), stayFor(couple))).toEqual({ offers: [], dropped: 0 })
  expect(await rooms(noHotels(), '77', stayFor(couple))).toEqual([])
})

test('the list contains the cheapest sellable rate including city tax', async () => {
  const { offers, dropped } = await availability(withTaxes(), stayFor(couple))
  expect(dropped).toBe(0)
  expect(offers.filter(({ vendorPropertyId }) => vendorPropertyId === String(TAXED))).toMatchObject([
    {
      vendorId: 'hotelbeds',
      vendorPropertyId: String(TAXED),
      total: eur(120 + 5.4),
      publicTotal: eur(120 + 5.4),
      board: 'half_board',
      roomsLeft: 40,
    },
    { total: eur(130 + 5.4), board: 'breakfast', freeCancellation: { until: '2027-06-07T21:59:00Z' } },
  ])
  // Non-refundable because of promotion 073, although its steps start half a year later.
  expect(offers[0]).not.toHaveProperty('freeCancellation')
})

test('a rate key for two rooms has the price of both', async () => {
  const body = twoEqualRooms()
  const { offers } = await availability(body, stayFor(couple, couple))
  expect(new Set(offers.map(({ vendorPropertyId }) => vendorPropertyId)).size).toBe(codesIn(body).length)
  expect(offers[0]).toMatchObject({ total: eur(300), board: 'room_only', freeCancellation: {} })
  expect((await availability(body, stayFor(couple))).offers).toEqual([])
})

test('ages of children are matched in any order', async () => {
  const body = withChildren()
  const { offers } = await availability(body, stayFor(withTwo))
  expect(offers.map((offer) => offer.total)).toEqual([eur(200), eur(106)])
  expect((await availability(body, stayFor({ adults: 1, childrenAges: [5, 7] }))).offers).toEqual([])
})

test("the public price contains discounts but not a child's lower price", async () => {
  const body = withChildren()
  const [child, early] = await Promise.all(codesIn(body).map((code) => rooms(body, code, stayFor(withTwo))))
  expect(early?.[0]?.price).toMatchObject({ total: eur(106), publicTotal: eur(106 + 15) })
  expect(child?.[0]?.price).toMatchObject({ total: eur(200), publicTotal: eur(200) })
})

test('rates collected by the hotel are not sold', async () => {
  const body = twoEqualRooms()
  const offers = await Promise.all(codesIn(body).map((code) => rooms(body, code, stayFor(couple, couple))))
  const prices = offers.flat().map((offer) => offer.price.total.minor)
  expect(prices).toEqual([30000, 34000, 36000])
})

test.each(['6,5', '5,5,6,6'])(
  'equal rooms with children are matched by ages of one room or all rooms: %s',
  async (childrenAges) => {
    const wire = rate('300.00', { rooms: 2, adults: 1, children: 2, childrenAges })
    const body = hotels(hotel(701, [room('FAM.ST', 'FAMILY', [wire])]))
    expect((await availability(body, stayFor(withTwo, withTwo))).offers).toMatchObject([{ total: eur(300) }])
    expect((await availability(body, stayFor(withTwo, { adults: 1, childrenAges: [5, 7] }))).offers).toEqual([])
  },
)

test('packaging rates are skipped without a count, rates with an unreadable board are counted', async () => {
  const body = withBindingPrice()
  const [first, second] = body.hotels.hotels[0]?.rooms[0]?.rates ?? []
  Object.assign(first ?? {}, { packaging: true })
  Object.assign(second ?? {}, { packaging: true })
  expect(await availability(body, stayFor(couple))).toEqual({ offers: [], dropped: 0 })
  Object.assign(second ?? {}, { packaging: false, boardCode: 'ZZ', boardName: '' })
  expect(await availability(body, stayFor(couple))).toEqual({ offers: [], dropped: 1 })
})

test.each([
  ['ZB', 'DESAYUNO BUFFET', 'breakfast', []],
  ['ZF', 'Полный пансион', 'full_board', []],
  ['B1', 'BREAKFAST FOR ONE GUEST', 'some_meals', ['Breakfast For One Guest']],
  ['B2', 'BREAKFAST FOR TWO GUESTS', 'breakfast', []],
  ['ZB', 'Breakfast for one guest', 'some_meals', ['Breakfast for one guest']],
  ['ZR', 'ACCOMMODATION ONLY', 'room_only', []],
  ['CE', 'DINNER INCLUDED', 'some_meals', ['Dinner Included']],
  ['Z1', 'GOURMET CARD', 'some_meals', ['Gourmet Card']],
])(
  'the board %s (%s) is %s, and an unknown one keeps its name as an extra',
  async (boardCode, boardName, board, extras) => {
    const body = withBindingPrice()
    const [first] = body.hotels.hotels[0]?.rooms[0]?.rates ?? []
    Object.assign(first ?? {}, { boardCode, boardName, promotions: [] })
    const offers = await rooms(body, BOUND, stayFor(couple), '2027-05-29T10:00:00Z')
    expect(offers.find((offer) => offer.board === board)?.extras).toEqual(extras)
  },
)

test.each([
  [true, {}, { packaging: false, maxRooms: 2, maxRatesPerRoom: 4 }],
  [true, { freeCancellation: true }, { packaging: false, maxRooms: 3, maxRatesPerRoom: 8 }],
  [false, {}, { maxRooms: 3, maxRatesPerRoom: 8 }],
] as const)(
  'with excludePackages %s and the conditions %j, the filter of a list is %j',
  async (excludePackages, conditions, filter) => {
    const { vendor, calls } = scripted([{ body: withBindingPrice() }], NOW, { excludePackages })
    await vendor.availability({ vendorPropertyIds: ['701'], stay: stayFor(couple), market, conditions }, context)
    expect(calls.map(({ body }) => (body as { filter: object }).filter)).toEqual([{ paymentType: 'AT_WEB', ...filter }])
  },
)

test('a list for different parties has the rooms of all of them', async () => {
  const { vendor, calls } = scripted([{ body: withBindingPrice() }], NOW)
  const stay = stayFor(couple, { adults: 3, childrenAges: [] })
  await vendor.availability({ vendorPropertyIds: ['701'], stay, market }, context)
  expect(calls.map(({ body }) => (body as { filter: object }).filter)).toMatchObject([
    { maxRooms: 10, maxRatesPerRoom: 8 },
  ])
})

test('a prescribed selling price is fixed, other rates are sold at net', async () => {
  const offers = await rooms(withBindingPrice(), BOUND, stayFor(couple), '2027-05-29T10:00:00Z')
  expect(offers.map((offer) => offer.price.total)).toEqual([usd(110), usd(140)])
  expect(offers.map(({ bounds }) => bounds)).toEqual([undefined, { fixed: usd(140) }])
  expect(offers.map(({ payable }) => payable)).toEqual([undefined, usd(120)])
  expect(offers[0]?.price).toMatchObject({ base: usd(110 - 6), taxesFees: usd(6), dueAtProperty: usd(0) })
  expect(offers[0]?.price.fees).toEqual([{ label: 'Taxes and fees', amount: usd(6), paidAt: 'booking' }])
})

test('a list contains a rate with a prescribed price and its bill beside a cheaper rate', async () => {
  const body = withBindingPrice()
  const query = { vendorPropertyIds: [String(BOUND)], stay: stayFor(couple), market }
  const { offers } = await scripted([{ body }], '2027-05-29T10:00:00Z').vendor.availability(query, context)
  expect(offers).toMatchObject([{ total: usd(110) }, { total: usd(140), net: usd(120), bounds: { fixed: usd(140) } }])
  const plain = hotels(hotel(702, [room('DBL.ST', 'D', [rate('90.00'), rate('95.00')])]))
  const free = await scripted([{ body: plain }], NOW).vendor.availability(
    { ...query, vendorPropertyIds: ['702'] },
    context,
  )
  expect(free.offers.map(({ total }) => total.minor)).toEqual([9000])
})

test('a commissionable account sells at the selling price', async () => {
  const body = withBindingPrice()
  const rate = body.hotels.hotels[0]?.rooms[0]?.rates[1]
  delete rate?.hotelMandatory
  const prices = async (pricing: string) =>
    (await rooms(body, BOUND, stayFor(couple), NOW, { pricing })).map((offer) => offer.price.total)
  expect(await prices('commissionable')).toEqual([usd(110), usd(140)])
  expect(await prices('net')).toEqual([usd(110), usd(120)])
})

test('a recheck rate without policies has unknown terms, never free ones', async () => {
  const body = withoutPolicies()
  const stay = stayFor(couple, couple)
  const [offer] = await rooms(body, WITHOUT_POLICIES, stay)
  expect(offer).toMatchObject({ cancel: undefined, board: 'room_only', price: { total: usd(380) } })
  expect((await availability(body, stay)).offers[0]).not.toHaveProperty('freeCancellation')
})

test('entries for other dates are skipped', async () => {
  expect((await availability(onOtherDates(), stayFor({ adults: 2, childrenAges: [8] }))).offers).toEqual([])
})

test("penalties keep the property's offset and follow each other", async () => {
  const offers = await rooms(withTaxes(), TAXED, stayFor(couple))
  const twoSteps = offers.find((offer) => offer.price.base.minor === 13000 - 1300)
  expect(twoSteps?.cancel).toEqual({
    refundable: true,
    penalties: [
      { from: '2027-06-07T21:59:00Z', until: '2027-06-13T21:59:00Z', amount: eur(65) },
      { from: '2027-06-13T21:59:00Z', amount: eur(130) },
    ],
  })
  expect(twoSteps?.price).toMatchObject({ total: eur(130 + 5.4), dueAtProperty: eur(5.4) })
})

test('a rate whose full penalty has started is not refundable', async () => {
  const [strict] = await rooms(twoEqualRooms(), STRICT, stayFor(couple, couple))
  expect(strict?.cancel).toEqual({
    refundable: false,
    penalties: [{ from: '2026-11-15T23:59:00+01:00', amount: eur(340) }],
  })
})

test("offers in other than the account's currencies are dropped", async () => {
  const body = withBindingPrice()
  expect((await availability(body, stayFor(couple), NOW, { currencies: ['EUR'] })).offers).toEqual([])
  expect((await availability(body, stayFor(couple), NOW, { currencies: ['EUR', 'USD'] })).offers).toHaveLength(2)
})

test('a rate with a hotel tax that cannot be converted is not sold', async () => {
  const body = withTaxes()
  const taxed = (tax: Json) => {
    const copy = structuredClone(body)
    for (const room of copy.hotels.hotels[0]?.rooms ?? []) {
      for (const rate of room.rates) rate.taxes = { taxes: [{ included: false, ...tax }], allIncluded: false }
    }
    return rooms(copy, TAXED, stayFor(couple))
  }
  expect(await taxed({ amount: '20.00', currency: 'AED' })).toEqual([])
  expect(await taxed({ percent: '5.00' })).toEqual([])
  const [free] = await taxed({ amount: '0.00', currency: 'AED' })
  expect(free?.price.total).toEqual(eur(120))
  const [converted] = await taxed({ amount: '20.00', currency: 'AED', clientAmount: '5.00', clientCurrency: 'EUR' })
  expect(converted?.price.total).toEqual(eur(125))
  // Default according to the vendor's document.
  const [unsaid] = await taxed({ included: undefined, amount: '5.00', currency: 'EUR' })
  expect(unsaid?.price).toMatchObject({ total: eur(125), dueAtProperty: eur(5) })
})

test('the reference of an offer is plain JSON', async () => {
  const [offer] = await rooms(withBindingPrice(), BOUND, stayFor(couple), '2027-05-29T10:00:00Z')
  expect(JSON.parse(JSON.stringify(offer?.ref))).toEqual(offer?.ref)
  expect(offer?.expiresAt).toBe(Date.parse('2027-05-29T10:25:00Z'))
  expect(offer?.name).toBe('Double Standard')
})
