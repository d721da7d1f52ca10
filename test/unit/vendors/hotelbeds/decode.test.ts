import { expect, test } from 'vitest'
import type { Occupancy, Stay } from '../../../../src/domain/stay.ts'
import { context, fixture, scripted } from './scripted.ts'

const couple: Occupancy = { adults: 2, childrenAges: [] }
const withTwo: Occupancy = { adults: 1, childrenAges: [6, 5] }
const stayFor = (...occupancies: Occupancy[]): Stay => ({ checkIn: '2019-06-15', checkOut: '2019-06-16', occupancies })
const market = { currency: 'EUR', language: 'en', countryCode: 'ES' }
const NOW = '2018-11-16T08:00:00Z'
const eur = (major: number) => ({ minor: Math.round(major * 100), currency: 'EUR' })
const usd = (major: number) => ({ minor: Math.round(major * 100), currency: 'USD' })

type Json = Record<string, unknown>
type Hotels = { hotels: { hotels: { code: number; currency: string; rooms: { rates: Json[] }[] }[] } }

const sample = (name: string) => fixture(`availability.response.${name}`)
const codesIn = (body: Json) => (body as Hotels).hotels.hotels.map((hotel) => String(hotel.code))

async function availability(body: Json, stay: Stay, now = NOW, more = {}) {
  const { vendor } = scripted([{ body }], now, more)
  return vendor.availability({ vendorPropertyIds: ['1'], stay, market }, context)
}

async function rooms(body: Json, vendorPropertyId: string, stay: Stay, now = NOW, more = {}) {
  const { vendor } = scripted([{ body }], now, more)
  return vendor.rooms({ vendorPropertyId, stay, market, timezone: 'Europe/Madrid' }, context)
}

test('an empty answer, which leaves the inner list out, is no offers', async () => {
  expect(await availability(sample('empty'), stayFor(couple))).toEqual({ offers: [], dropped: 0 })
  expect(await rooms(sample('empty'), '77', stayFor(couple))).toEqual([])
})

test('the summary takes the cheapest rate that can be sold, city tax included', async () => {
  const { offers, dropped } = await availability(sample('taxes-promotions'), stayFor(couple))
  expect(dropped).toBe(0)
  expect(offers[0]).toEqual({
    vendorPropertyId: '297',
    total: eur(137.62 + 6.6),
    publicTotal: eur(137.62 + 6.6),
    board: 'half_board',
    // Sold as not refundable (promotion 073), although its own steps begin half a year later.
    freeCancellation: false,
    roomsLeft: 96,
  })
})

test('one key for two rooms has the price of both', async () => {
  const body = sample('same-room-x2')
  const { offers } = await availability(body, stayFor(couple, couple))
  expect(offers).toHaveLength(codesIn(body).length)
  expect(offers[0]).toMatchObject({ total: eur(357.9), board: 'room_only', freeCancellation: true })
  expect((await availability(body, stayFor(couple))).offers).toEqual([])
})

test('children’s ages are matched in any order', async () => {
  const body = sample('children-offers')
  const { offers } = await availability(body, stayFor(withTwo))
  expect(offers.map((offer) => offer.total)).toEqual([eur(217.64), eur(257.63), eur(106.09)].slice(0, offers.length))
  expect((await availability(body, stayFor({ adults: 1, childrenAges: [5, 7] }))).offers).toEqual([])
})

test('a discount shows in the public price, a child’s lower price does not', async () => {
  const body = sample('children-offers')
  const byCode = new Map<string, Awaited<ReturnType<typeof rooms>>>()
  for (const code of codesIn(body)) byCode.set(code, await rooms(body, code, stayFor(withTwo)))
  const all = [...byCode.values()].flat()
  const early = all.find((offer) => offer.price.total.minor === 10609)
  expect(early?.price.publicTotal).toEqual(eur(106.09 + 15.15))
  const child = all.find((offer) => offer.price.total.minor === 28625)
  expect(child?.price.publicTotal).toEqual(child?.price.total)
})

test('prices that the hotel itself collects are not sold', async () => {
  const body = sample('same-room-x2')
  const offers = await Promise.all(codesIn(body).map((code) => rooms(body, code, stayFor(couple, couple))))
  const prices = offers.flat().map((offer) => offer.price.total.minor)
  expect(prices).toContain(35790)
  expect(prices).not.toContain(44400)
  expect(prices).not.toContain(39960)
})

test('packaging rates and unknown boards are not sold', async () => {
  const body = sample('recheck-and-bookable') as Hotels
  const [first, second] = body.hotels.hotels[0]?.rooms[0]?.rates ?? []
  Object.assign(first ?? {}, { packaging: true })
  Object.assign(second ?? {}, { boardCode: 'ZZ' })
  expect(await availability(body, stayFor(couple))).toEqual({ offers: [], dropped: 1 })
})

test('a binding selling price is the price; the rest is sold at net', async () => {
  const offers = await rooms(sample('recheck-and-bookable'), '3424', stayFor(couple), '2020-05-29T10:00:00Z')
  expect(offers.map((offer) => offer.price.total)).toEqual([usd(118.27), usd(150)])
  expect(offers[0]?.price).toMatchObject({ base: usd(118.27 - 6.69), taxesFees: usd(6.69), dueAtProperty: usd(0) })
  expect(offers[0]?.price.fees).toEqual([{ label: 'Taxes and fees', amount: usd(6.69), paidAt: 'booking' }])
})

test('a commissionable account sells at the selling price', async () => {
  const body = sample('recheck-and-bookable') as Hotels
  const rate = body.hotels.hotels[0]?.rooms[0]?.rates[1]
  delete rate?.hotelMandatory
  const prices = async (pricing: string) =>
    (await rooms(body, '3424', stayFor(couple), NOW, { pricing })).map((offer) => offer.price.total)
  expect(await prices('commissionable')).toEqual([usd(118.27), usd(150)])
  expect(await prices('net')).toEqual([usd(118.27), usd(129.39)])
})

test('a rate to be rechecked without policies has unknown terms, never free ones', async () => {
  const body = sample('recheck-without-cancellation')
  const stay = stayFor(couple, couple)
  const [offer] = await rooms(body, '1026762', stay)
  expect(offer).toMatchObject({ cancel: undefined, board: 'room_only', price: { total: usd(380.09) } })
  expect((await availability(body, stay)).offers[0]?.freeCancellation).toBe(false)
})

test('entries that only point at other dates are passed over', async () => {
  expect((await availability(sample('shift-days'), stayFor({ adults: 2, childrenAges: [8] }))).offers).toEqual([])
})

test('penalties keep the property’s offset and follow each other', async () => {
  const offers = await rooms(sample('taxes-promotions'), '297', stayFor(couple))
  const twoSteps = offers.find((offer) => offer.price.base.minor === 14619 - 1462)
  expect(twoSteps?.cancel).toEqual({
    refundable: true,
    penalties: [
      { from: '2019-06-07T21:59:00Z', until: '2019-06-13T21:59:00Z', amount: eur(73.09) },
      { from: '2019-06-13T21:59:00Z', amount: eur(146.19) },
    ],
  })
  expect(twoSteps?.price).toMatchObject({ total: eur(146.19 + 6.6), dueAtProperty: eur(6.6) })
})

test('a step that costs everything and has begun is not refundable', async () => {
  const body = sample('same-room-x2')
  const [code = ''] = codesIn(body).filter((_, index) => index === 1)
  const offers = await rooms(body, code, stayFor(couple, couple))
  const strict = offers.find((offer) => offer.price.total.minor === 38412)
  expect(strict?.cancel).toEqual({
    refundable: false,
    penalties: [{ from: '2018-11-15T23:59:00+01:00', amount: eur(384.12) }],
  })
})

test('an account’s own currencies can be insisted on', async () => {
  const body = sample('recheck-and-bookable')
  expect((await availability(body, stayFor(couple), NOW, { currencies: ['EUR'] })).offers).toEqual([])
  expect((await availability(body, stayFor(couple), NOW, { currencies: ['EUR', 'USD'] })).offers).toHaveLength(1)
})

test('a tax at the hotel that cannot be put in the price’s currency makes the rate unsellable', async () => {
  const body = sample('taxes-promotions') as Hotels
  const taxed = (tax: Json) => {
    const copy = structuredClone(body)
    for (const room of copy.hotels.hotels[0]?.rooms ?? []) {
      for (const rate of room.rates) rate.taxes = { taxes: [{ included: false, ...tax }], allIncluded: false }
    }
    return rooms(copy, '297', stayFor(couple))
  }
  expect(await taxed({ amount: '20.00', currency: 'AED' })).toEqual([])
  expect(await taxed({ percent: '5.00' })).toEqual([])
  const [free] = await taxed({ amount: '0.00', currency: 'AED' })
  expect(free?.price.total).toEqual(eur(137.62))
  const [converted] = await taxed({ amount: '20.00', currency: 'AED', clientAmount: '5.00', clientCurrency: 'EUR' })
  expect(converted?.price.total).toEqual(eur(142.62))
})

test('one offer holds everything that booking it needs, as plain JSON', async () => {
  const [offer] = await rooms(sample('recheck-and-bookable'), '3424', stayFor(couple), '2020-05-29T10:00:00Z')
  expect(JSON.parse(JSON.stringify(offer?.ref))).toEqual(offer?.ref)
  expect(offer?.expiresAt).toBe(Date.parse('2020-05-29T10:25:00Z'))
  expect(offer?.name).toBe('Double Standard')
})
