import { expect, test } from 'vitest'
import type { PropertyOffer } from '../../../src/domain/offer.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { createMerge } from '../../../src/search/merge-offers.ts'
import { cheapestByBoard, cheapestFreeOffer } from '../../../src/search/offer-kinds.ts'
import { createSellProperty } from '../../../src/search/sell-properties.ts'
import { makeSale } from '../../../src/selling/make-sale.ts'
import { NO_RULES, type Rule, toSaleTerms } from '../../../src/selling/rules.ts'
import { createSeller } from '../../../src/selling/seller.ts'
import { aPrice, START } from '../../support/booking/an-offer.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'
import { RATES } from './arbitrary-searches.ts'

const STAY = { checkIn: '2027-03-12', checkOut: '2027-03-15', occupancies: [{ adults: 2, childrenAges: [] }] }
const LOCATION = { id: 'loc_1', countryCode: 'FR', timezone: 'Europe/Paris' }
const FACTS = summarizeProperty('prp_1', aVendorProperty({ starRating: 4 }))
const euro = (minor: number) => ({ minor, currency: 'EUR' })

const anOffer = (minor: number, more: Partial<PropertyOffer> = {}): PropertyOffer => ({
  vendorPropertyId: '1',
  total: euro(minor),
  publicTotal: euro(minor),
  board: 'room_only',
  freeCancellation: true,
  freeCancellationUntil: '2027-03-01T18:00:00+01:00',
  boardOffers: [
    { board: 'room_only', total: euro(minor) },
    { board: 'breakfast', total: euro(minor + 1_000) },
  ],
  ...more,
})

function found(offers: Readonly<Record<string, PropertyOffer>>, currency = 'EUR') {
  const merge = createMerge(currency, RATES)
  const vendors = Object.keys(offers).map((vendorId) => ({ vendorId, vendorPropertyId: '1' }))
  const candidate = { propertyId: 'prp_1', point: { lat: 0, lon: 0 }, distanceKm: 1, vendors }
  merge.expect([candidate])
  for (const [vendorId, offer] of Object.entries(offers)) merge.add(vendorId, [offer])
  return merge.foundAmong([candidate])[0] ?? expect.fail('nothing was found')
}

function seller(rules: readonly Rule[], { currency = 'EUR', exchangePercent = 0 } = {}) {
  const pricing = { rules: rules.length === 0 ? NO_RULES : { version: 1, rules }, exchangePercent, rates: RATES }
  const search = { accountId: 'acc_1', at: START, location: LOCATION, stay: STAY, currency }
  return createSellProperty(createSeller(pricing, search), START)
}

test('without rules and bounds a property stays the same object', () => {
  const property = found({ alpha: anOffer(10_000) })
  expect(seller([])(property, FACTS)).toBe(property)
})

test('offers are sorted by selling price and include their net price', () => {
  const property = found({ alpha: anOffer(10_000), beta: anOffer(10_500) })
  const rules = [{ priority: 1, match: { vendor: ['alpha'] }, percent: 20 }]
  const sold = seller(rules)(property, FACTS)
  expect(sold?.offers.map(({ vendorId, total, net }) => [vendorId, total.minor, net?.minor])).toEqual([
    ['beta', 10_500, undefined],
    ['alpha', 12_000, 10_000],
  ])
  expect(cheapestFreeOffer(sold?.offers ?? [])?.total).toEqual(euro(10_500))
  expect(cheapestByBoard(sold?.offers ?? [])?.map(({ total }) => total.minor)).toEqual([10_500, 11_500])
})

test('the same offers are priced once, so that a stream detects changes by identity', () => {
  const property = found({ alpha: anOffer(10_000) })
  const sell = seller([{ priority: 1, match: {}, percent: 10 }])
  expect(sell(property, FACTS)?.offers).toBe(sell(property, FACTS)?.offers)
})

test('a vendor’s bound applies without a rule, to each kind of offer separately', () => {
  const offer = anOffer(10_000, {
    bounds: { min: euro(10_800) },
    boardOffers: [
      { board: 'room_only', total: euro(10_000), bounds: { min: euro(10_800) } },
      { board: 'breakfast', total: euro(11_000), bounds: { min: euro(11_880) } },
    ],
  })
  const [sold] = seller([])(found({ alpha: offer }), FACTS)?.offers ?? []
  expect([sold?.total, sold?.freeOffer?.total]).toEqual([euro(10_800), euro(10_800)])
  expect(sold?.boardOffers?.map(({ total }) => total.minor)).toEqual([10_800, 11_880])
})

test('a vendor’s cheapest rate to sell becomes its offer, with the cheapest of each kind', () => {
  const {
    vendorPropertyId: _,
    boardOffers: _boards,
    ...other
  } = anOffer(10_400, {
    board: 'breakfast',
    bounds: { fixed: euro(10_400) },
    payable: euro(9_000),
  })
  const property = found({ alpha: anOffer(10_000, { freeCancellation: false, freeOffer: null, others: [other] }) })
  const [plain] = seller([])(property, FACTS)?.offers ?? []
  expect(plain).toMatchObject({ total: euro(10_000), board: 'room_only', freeOffer: { total: euro(10_400) } })
  expect(plain?.boardOffers?.map(({ board, total }) => [board, total.minor])).toEqual([
    ['room_only', 10_000],
    ['breakfast', 10_400],
  ])
  const sold = seller([{ priority: 1, match: {}, percent: 10 }])(property, FACTS)?.offers ?? []
  expect(sold).toMatchObject([{ total: euro(10_400), net: euro(9_000), board: 'breakfast', freeCancellation: true }])
  expect(sold[0]).not.toHaveProperty('others')
  expect(sold[0]?.freeOffer).toEqual({ total: euro(10_400), until: '2027-03-01T18:00:00+01:00' })
  expect(sold[0]?.boardOffers?.map(({ board, total }) => [board, total.minor])).toEqual([
    ['breakfast', 10_400],
    ['room_only', 11_000],
  ])
})

test('a bound of one kind applies even if the cheapest offer has none', () => {
  const breakfast = { board: 'breakfast', total: euro(11_000), bounds: { min: euro(11_880) } } as const
  const [sold] = seller([])(found({ alpha: anOffer(10_000, { boardOffers: [breakfast] }) }), FACTS)?.offers ?? []
  expect(sold?.boardOffers).toEqual([{ board: 'breakfast', total: euro(11_880) }])
})

test('free cancellation ends earlier by the buffer and is not offered after that', () => {
  const property = found({ alpha: anOffer(10_000) })
  const within = (hours: number) =>
    seller([{ priority: 1, match: {}, cancelBufferHours: hours }])(property, FACTS)?.offers[0]
  expect(within(24)).toMatchObject({
    freeCancellation: true,
    freeCancellationUntil: '2027-02-28T18:00:00+01:00',
    freeOffer: { until: '2027-02-28T18:00:00+01:00' },
  })
  const over = within(24 * 60)
  expect([over?.freeCancellation, over?.freeCancellationUntil, over?.freeOffer]).toEqual([false, undefined, undefined])
})

test('the list and the room have the same price with currency conversion, rounding and exchange margin', () => {
  const rule: Rule = { priority: 1, match: {}, percent: 7.3, rounding: { step: 5, mode: 'up', minus: 0.01 } }
  for (let minor = 5_000; minor < 60_000; minor += 777) {
    const property = found({ alpha: anOffer(minor) }, 'USD')
    const [sold] = seller([rule], { currency: 'USD', exchangePercent: 1.5 })(property, FACTS)?.offers ?? []
    const frame = { stay: STAY, currency: 'USD', rates: RATES }
    const sale = makeSale({ price: aPrice(minor), cancel: undefined }, toSaleTerms(1, rule, 1.5), frame)
    expect(sale).toMatchObject({ price: { total: sold?.total }, net: sold?.net })
    expect(sold?.converted).toBe(false)
  }
})

test('an offer that cannot be priced is not sold', () => {
  const property = found({ alpha: anOffer(10_000), beta: anOffer(11_000) })
  const perStay = { minor: 100, currency: 'XPF' }
  const rules = [{ priority: 1, match: { vendor: ['alpha'] }, perStay }]
  expect(seller(rules)(property, FACTS)?.offers.map(({ vendorId }) => vendorId)).toEqual(['beta'])
  expect(seller([{ priority: 1, match: {}, perStay }])(property, FACTS)).toBeUndefined()
})
