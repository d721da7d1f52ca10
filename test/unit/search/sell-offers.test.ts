import { describe, expect, test } from 'vitest'
import type { Conditions, Offer } from '../../../src/domain/offer.ts'
import { createSellOffers } from '../../../src/search/sell-offers.ts'
import { makeSale } from '../../../src/selling/make-sale.ts'
import { NO_RULES, type Rule, toSaleTerms } from '../../../src/selling/rules.ts'
import { createSeller } from '../../../src/selling/seller.ts'
import { aPrice, START } from '../../support/booking/an-offer.ts'
import { RATES, startMerge } from './arbitrary-searches.ts'

const STAY = { checkIn: '2027-03-12', checkOut: '2027-03-15', occupancies: [{ adults: 2, childrenAges: [] }] }
const LOCATION = { id: 'loc_1', countryCode: 'FR', timezone: 'Europe/Paris' }
const UNTIL = '2027-03-01T18:00:00+01:00'
const euro = (minor: number) => ({ minor, currency: 'EUR' })

const anOffer = (vendorId: string, minor: number, more: Partial<Offer> = {}): Offer => ({
  ...{ vendorId, vendorPropertyId: '1', total: euro(minor), publicTotal: euro(minor), board: 'room_only' },
  ...more,
})
const free = (until: string = UNTIL) => ({ freeCancellation: { until } })

type Options = { readonly currency?: string; readonly exchangePercent?: number; readonly conditions?: Conditions }

function sell(rules: readonly Rule[], offers: readonly Offer[], options: Options = {}): readonly Offer[] {
  const { currency = 'EUR', exchangePercent = 0, conditions } = options
  const pricing = { rules: rules.length === 0 ? NO_RULES : { version: 1, rules }, exchangePercent, rates: RATES }
  const search = { accountId: 'acc_1', at: START, location: LOCATION, stay: STAY, currency }
  return createSellOffers(createSeller(pricing, search), START, conditions)('prp_1', offers, 4)
}
const totals = (offers: readonly Offer[]) => offers.map(({ vendorId, total }) => [vendorId, total.minor])

test('without rules and bounds an offer stays the same object', () => {
  const offer = anOffer('alpha', 10_000)
  expect(sell([], [offer])[0]).toBe(offer)
})

test('offers are sorted by selling price and include their net price', () => {
  const rules = [{ priority: 1, match: { vendor: ['alpha'] }, percent: 20 }]
  const sold = sell(rules, [anOffer('alpha', 10_000), anOffer('beta', 10_500)])
  expect(sold.map(({ vendorId, total, net }) => [vendorId, total.minor, net?.minor])).toEqual([
    ['beta', 10_500, undefined],
    ['alpha', 12_000, 10_000],
  ])
})

test('of each vendor, the cheapest offer and the cheapest with free cancellation are kept', () => {
  const offers = [
    anOffer('alpha', 10_000),
    anOffer('alpha', 11_000),
    anOffer('alpha', 12_000, free()),
    anOffer('alpha', 13_000, free()),
    anOffer('beta', 10_500, free()),
    anOffer('beta', 10_600),
  ]
  const expected = [
    ['alpha', 10_000],
    ['beta', 10_500],
    ['alpha', 12_000],
  ]
  expect(totals(sell([], offers))).toEqual(expected)
  expect(totals(sell([], offers.toReversed()))).toEqual(expected)
})

test('of two offers of a vendor with the same price, the one with free cancellation is kept', () => {
  const offers = [anOffer('alpha', 10_000), anOffer('alpha', 10_000, free())]
  for (const order of [offers, offers.toReversed()]) expect(sell([], order)).toEqual([offers[1]])
})

test('a vendor’s bound applies without a rule', () => {
  const [sold] = sell([], [anOffer('alpha', 10_000, { bounds: { min: euro(10_800) } })])
  expect(sold).toEqual(anOffer('alpha', 10_800, { net: euro(10_000) }))
})

test('the rate that is cheapest to sell is shown, even if another one has a lower net price', () => {
  const fixed = anOffer('alpha', 10_400, { ...free(), bounds: { fixed: euro(10_400) }, net: euro(9_000) })
  const offers = [anOffer('alpha', 10_000), fixed]
  expect(totals(sell([], offers))).toEqual([
    ['alpha', 10_000],
    ['alpha', 10_400],
  ])
  const { bounds: _, ...sold } = fixed
  expect(sell([{ priority: 1, match: {}, percent: 10 }], offers)).toEqual([sold])
})

test('an offer that is not on sale at the vendor is not on sale after pricing', () => {
  const offer = anOffer('alpha', 10_000, { publicTotal: euro(10_000), bounds: { max: euro(10_300) } })
  const [sold] = sell([{ priority: 1, match: {}, percent: 10 }], [offer])
  expect(sold).toMatchObject({ total: euro(10_300), publicTotal: euro(10_300) })
})

describe('with conditions', () => {
  test('only offers that meet all of them are kept', () => {
    const offers = [
      anOffer('alpha', 10_000),
      anOffer('alpha', 11_000, free()),
      anOffer('alpha', 12_000, { board: 'breakfast' }),
      anOffer('alpha', 13_000, { ...free(), board: 'half_board' }),
    ]
    const meet = (conditions: Conditions) => totals(sell([], offers, { conditions })).map(([, minor]) => minor)
    expect(meet({ freeCancellation: true })).toEqual([11_000])
    expect(meet({ boards: ['breakfast', 'half_board'] })).toEqual([12_000, 13_000])
    expect(meet({ freeCancellation: true, boards: ['breakfast', 'half_board'] })).toEqual([13_000])
    expect(meet({ boards: ['all_inclusive'] })).toEqual([])
  })

  test('an offer whose free cancellation ends with the buffer of a rule no longer meets them', () => {
    const soon = new Date(START + 10 * 3_600_000).toISOString()
    const rules = [{ priority: 1, match: {}, cancelBufferHours: 24 }]
    const offers = [anOffer('alpha', 10_000, free(soon)), anOffer('alpha', 11_000, free('2027-12-01T18:00:00+01:00'))]
    const conditions = { freeCancellation: true } as const
    expect(totals(sell([], offers, { conditions }))).toEqual([['alpha', 10_000]])
    const sold = sell(rules, offers, { conditions })
    expect(sold).toMatchObject([{ total: euro(11_000), freeCancellation: { until: '2027-11-30T18:00:00+01:00' } }])
    expect(sell(rules, offers)[0]).not.toHaveProperty('freeCancellation')
  })
})

test('the list and the room have the same price with currency conversion, rounding and exchange margin', () => {
  const rule: Rule = { priority: 1, match: {}, percent: 7.3, rounding: { step: 5, mode: 'up', minus: 0.01 } }
  const candidate = {
    ...{ propertyId: 'prp_1', point: { lat: 0, lon: 0 }, distanceKm: 1 },
    vendors: [{ vendorId: 'alpha', vendorPropertyId: '1' }],
  }
  for (let minor = 5_000; minor < 60_000; minor += 777) {
    const merge = startMerge([candidate], {
      currency: 'USD',
      sell: (_id, offers) => sell([rule], offers, { currency: 'USD', exchangePercent: 1.5 }),
    })
    merge.add('alpha', [anOffer('alpha', minor)])
    const facts = new Map([['prp_1', { starRating: 4, guestRatings: {} } as never]])
    const sold = merge.results(['prp_1'], facts, 10)[0]?.offers[0]
    const frame = { stay: STAY, currency: 'USD', rates: RATES }
    const sale = makeSale({ price: aPrice(minor), cancel: undefined }, toSaleTerms(1, rule, 1.5), frame)
    expect(sale).toMatchObject({ price: { total: sold?.total }, net: sold?.net })
    expect(sold).not.toHaveProperty('converted')
  }
})

test('an offer that cannot be priced is not sold', () => {
  const offers = [anOffer('alpha', 10_000), anOffer('beta', 11_000)]
  const perStay = { minor: 100, currency: 'XPF' }
  const rules = [{ priority: 1, match: { vendor: ['alpha'] }, perStay }]
  expect(totals(sell(rules, offers))).toEqual([['beta', 11_000]])
  expect(sell([{ priority: 1, match: {}, perStay }], offers)).toEqual([])
})
