import fc from 'fast-check'
import { expect, test } from 'vitest'
import { penaltyAt } from '../../../src/domain/booking/cancel-policy.ts'
import type { Rounding } from '../../../src/domain/booking/sale.ts'
import { convertPrice } from '../../../src/domain/money/convert-price.ts'
import { convertMoney } from '../../../src/domain/money/exchange.ts'
import type { Offer, RoomOffer } from '../../../src/domain/offer.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import type { Stay } from '../../../src/domain/stay.ts'
import { createSellOffers } from '../../../src/search/sell-offers.ts'
import type { Rule } from '../../../src/selling/rules.ts'
import { createSeller } from '../../../src/selling/seller.ts'
import * as hotelbeds from '../../../src/vendors/hotelbeds/decode-availability.ts'
import { decodeRooms as hotelbedsRooms } from '../../../src/vendors/hotelbeds/decode-rooms.ts'
import { groupParties } from '../../../src/vendors/hotelbeds/parties.ts'
import * as liteapi from '../../../src/vendors/liteapi/decode-availability.ts'
import { decodeRooms as liteapiRooms } from '../../../src/vendors/liteapi/decode-rooms.ts'
import { HOTEL, type Json, ladder, money, offer, rate, ratesAnswer } from '../../support/vendors/liteapi.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'
import { RATES, startMerge } from './arbitrary-searches.ts'

const NOW = Date.parse('2027-01-15T12:00:00Z')
const [PAST, LATER] = ['2027-01-01', '2027-03-01']
const LOCATION = { id: 'loc_1', countryCode: 'FR', timezone: 'Europe/Paris' }
const FACTS = summarizeProperty('prp_1', aVendorProperty({ starRating: 4 }))
const createStay = (rooms: number): Stay => ({
  checkIn: '2027-03-12',
  checkOut: '2027-03-15',
  occupancies: [
    { adults: 2, childrenAges: [] },
    { adults: 1, childrenAges: [3] },
  ].slice(0, rooms),
})

/** One vendor's offers for a property in a list, and its rooms in the detail. */
type VendorOffers = {
  readonly offers: readonly Offer[]
  readonly rooms: readonly RoomOffer[]
  readonly stay: Stay
}

const amount = fc.integer({ min: 5_000, max: 20_000 })
const perRoom = { board: fc.constantFrom('RO', 'BB', 'HB'), isFree: fc.boolean() }
const roomCount = fc.constantFrom(1, 2)

/** Some rates have a price set by the hotel, and some a tax that the hotel collects. */
const hotelbedsOffers = fc
  .record({
    count: roomCount,
    rates: fc.array(
      fc.record({
        ...perRoom,
        room: fc.constantFrom('DBL', 'SUI'),
        party: fc.constantFrom(0, 1),
        net: amount,
        more: fc.option(fc.integer({ min: 0, max: 3_000 })),
        tax: fc.constantFrom(0, 700),
      }),
      { maxLength: 10 },
    ),
  })
  .map(({ count, rates }): VendorOffers => {
    const decimal = (minor: number) => (minor / 100).toFixed(2)
    const rooms = ['DBL', 'SUI'].map((code) => ({
      code,
      name: code,
      rates: rates
        .filter(({ room }) => room === code)
        .map(({ party, net, more, tax, board, isFree }, index) => ({
          rateKey: `${code}|${index}`,
          rateType: 'BOOKABLE',
          net: decimal(net),
          ...(more !== null && { hotelMandatory: true, sellingRate: decimal(net + more) }),
          boardCode: board,
          cancellationPolicies: [{ amount: decimal(net), from: `${isFree ? LATER : PAST}T23:59:00+01:00` }],
          taxes: { taxes: [{ included: false, amount: decimal(tax), currency: 'EUR' }] },
          rooms: 1,
          ...(party === 0 ? { adults: 2, children: 0 } : { adults: 1, children: 1, childrenAges: '3' }),
        })),
    }))
    const body = { hotels: { hotels: [{ code: 7, currency: 'EUR', rooms }] } }
    const stay = createStay(count)
    const frame = { parties: groupParties(stay), pricing: 'net' as const, now: NOW }
    const { offers } = hotelbeds.read(body, frame)
    return { offers, rooms: hotelbedsRooms(hotelbeds.readHotels(body), '7', frame), stay }
  })

/** Some rates have a minimum selling price that does not depend on the net price. */
const liteapiOffers = fc
  .record({
    count: roomCount,
    offers: fc.array(fc.record({ ...perRoom, retail: amount, suggested: fc.option(amount) }), { maxLength: 10 }),
  })
  .map(({ count, offers: sketches }): VendorOffers => {
    const stay = createStay(count)
    const types = sketches.map(({ board, isFree, retail, suggested }): Json => {
      const policies = ladder([`${isFree ? LATER : PAST} 02:00:00`, retail / 100])
      const rates = stay.occupancies.map((_, room) =>
        rate({ retail: retail / 100, policies, more: { boardType: board, occupancyNumber: room + 1 } }),
      )
      return offer(rates, { suggestedSellingPrice: suggested === null ? null : money((suggested * count) / 100) })
    })
    const frame = { rooms: count, now: NOW, exchange: RATES }
    const body = ratesAnswer(...types)
    const query = {
      vendorPropertyId: HOTEL,
      stay,
      market: { currency: 'EUR', language: 'en', countryCode: 'FR' },
      timezone: 'UTC',
    }
    const rooms = liteapiRooms(liteapi.readProperties(body), query, frame)
    return { offers: liteapi.read(body, frame).offers, rooms, stay }
  })

const rounding = fc.record({
  step: fc.constantFrom(0.5, 1, 25),
  mode: fc.constantFrom<Rounding['mode']>('up', 'down', 'nearest'),
})
const selling = fc.record({
  rule: fc.record(
    {
      priority: fc.constant(1),
      match: fc.constant({}),
      percent: fc.integer({ min: 0, max: 30 }),
      perStay: fc.constant({ minor: 500, currency: 'EUR' }),
      rounding,
    },
    { requiredKeys: ['priority', 'match'] },
  ) satisfies fc.Arbitrary<Rule>,
  hasRule: fc.boolean(),
  exchangePercent: fc.constantFrom(0, 2),
  currency: fc.constantFrom('EUR', 'USD'),
})

test.each([
  ['Hotelbeds', hotelbedsOffers],
  ['LiteAPI', liteapiOffers],
])('the list has the prices of the detail, whatever the rule and the bounds: %s', (_, vendorOffers) => {
  fc.assert(
    fc.property(
      vendorOffers,
      selling,
      ({ offers: listed, rooms, stay }, { rule, hasRule, exchangePercent, currency }) => {
        const rules = { version: hasRule ? 1 : 0, rules: hasRule ? [rule] : [] }
        const search = { accountId: 'acc_1', at: NOW, location: LOCATION, stay, currency }
        const seller = createSeller({ rules, exchangePercent, rates: RATES }, search)
        const sold = rooms.map((room) => {
          const sale = seller.forOffer({ vendorId: 'v', propertyId: 'prp_1', stars: 4 }).makeSale(room)
          if (sale === 'unpriced') return expect.fail('a room without a price')
          const { minor } = (sale?.price ?? convertPrice(room.price, currency, RATES) ?? expect.fail('no rate')).total
          const net = (room.payable && convertMoney(room.payable, currency, RATES)) ?? sale?.net
          const isFree = penaltyAt(room.cancel, room.price.total, NOW).minor === 0
          return { minor, net: net?.minor ?? minor, board: room.board, isFree }
        })

        const [{ vendorId, vendorPropertyId } = { vendorId: 'v', vendorPropertyId: '' }] = listed
        const candidate = {
          ...{ propertyId: 'prp_1', point: { lat: 0, lon: 0 }, distanceKm: 1 },
          vendors: [{ vendorId, vendorPropertyId }],
        }
        const merge = startMerge([candidate], { currency, sell: createSellOffers(seller, NOW) })
        merge.add(vendorId, listed)
        const offers = merge.results(['prp_1'], new Map([['prp_1', FACTS]]), 10)[0]?.offers ?? []

        const cheapest = Math.min(...sold.map(({ minor }) => minor))
        const [best] = offers
        expect(best?.total.minor).toBe(rooms.length === 0 ? undefined : cheapest)
        if (best === undefined) return
        const nets = sold.filter(({ minor }) => minor === cheapest).map(({ net }) => net)
        expect(nets).toContain((best.net ?? best.total).minor)
        const free = sold.filter(({ isFree }) => isFree).map(({ minor }) => minor)
        const listedFree = offers.find(({ freeCancellation }) => freeCancellation !== undefined)
        expect(listedFree?.total.minor).toBe(free.length === 0 ? undefined : Math.min(...free))
      },
    ),
    { numRuns: 500 },
  )
})
