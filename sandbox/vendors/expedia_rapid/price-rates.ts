import { toDecimal } from '../../../src/domain/money/money.ts'
import type { Occupancy } from '../../../src/domain/stay.ts'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import { listNights } from '../../server/stay-dates.ts'
import type { Allotment, VendorView, VendorWorld, WorldProperty, WorldRate, WorldRoom } from '../../world/contract.ts'
import { hashText } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'
import { parseOccupancy, type ShopQuery } from './shop-query.ts'

/** One room type under one plan, priced for every room party that was asked for. */
export type PricedRate = {
  readonly room: WorldRoom
  readonly plan: string
  /** One for each distinct party, by its spelling. */
  readonly byOccupancy: ReadonlyMap<string, WorldRate>
  readonly left: number
  /** All rooms, in minor units of the property's own currency; only to compare rates. */
  readonly total: number
}

export type Shop = { readonly world: VendorWorld; readonly allotment: Allotment }

/**
 * Multi-room means: the same room type and the same plan for all rooms, and enough of them left. Prices are those of
 * `today`: they rise as the stay comes near.
 */
export function pricedRates(
  shop: Shop,
  property: WorldProperty,
  query: ShopQuery,
  today: PlainDate,
  isWanted: (rate: WorldRate) => boolean = () => true,
): PricedRate[] {
  const nights = listNights(query)
  const rates = new Map<string, Map<string, WorldRate>>()
  const parties = [...new Set(query.occupancies)]
  for (const party of parties) {
    for (const rate of ratesFor(shop.world, property, query, parseOccupancy(party), today)) {
      if (!isWanted(rate)) continue
      const key = `${rate.room.number}/${rate.plan}`
      const found = rates.get(key) ?? new Map<string, WorldRate>()
      rates.set(key, found.set(party, rate))
    }
  }
  const left = new Map<number, number>()
  return [...rates.values()].flatMap((byOccupancy): PricedRate[] => {
    const [first] = byOccupancy.values()
    if (first === undefined || byOccupancy.size < parties.length) return []
    const { room, plan } = first
    const free = left.get(room.number) ?? shop.allotment.left(property.key, room, nights)
    left.set(room.number, free)
    if (free < query.occupancies.length) return []
    return [{ room, plan, byOccupancy, left: free, total: totalOf(byOccupancy, query.occupancies) }]
  })
}

function ratesFor(
  world: VendorWorld,
  property: WorldProperty,
  { checkIn, checkOut }: ShopQuery,
  occupancy: Occupancy | undefined,
  today: PlainDate,
): WorldRate[] {
  return occupancy === undefined ? [] : world.rates(property, checkIn, checkOut, occupancy, today)
}

function totalOf(byOccupancy: ReadonlyMap<string, WorldRate>, occupancies: readonly string[]): number {
  return occupancies.reduce((sum, party) => {
    const rate = byOccupancy.get(party)
    if (rate === undefined) return sum
    return sum + sumOf(rate.nightlyMinor) + rate.taxMinor + rate.cityTaxMinor + rate.resortFeeMinor
  }, 0)
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

export const roomIdOf = (view: VendorView, room: WorldRoom): string =>
  `${view.vendorPropertyId}${String(room.number).padStart(2, '0')}`

export const rateIdOf = (view: VendorView, rate: { room: WorldRoom; plan: string }): string =>
  `${roomIdOf(view, rate.room)}${100 + (hashText(rate.plan) % 900)}`

type Charge = { billable_currency: Amount; request_currency?: Amount }
type Amount = { value: string; currency: string }

/**
 * Rapid's price of one room: nights in the billable currency (the property's own), totals and fees in both. Sums are made
 * after conversion, so that they add up in each currency. `markUp` is what the vendor, and a raised price, add;
 * with `moved`, half of the taxes are to be paid at the property instead.
 */
export function presentPricing(rate: WorldRate, markUp: number, request: string | undefined, moved = false) {
  const { currency } = rate
  const nightly = rate.nightlyMinor.map((minor) => Math.round(minor * markUp))
  const before = rate.nightlyBeforeMinor?.map((minor) => Math.round(minor * markUp))
  const tax = Math.round(rate.taxMinor * markUp)
  const whole = [sumOf(nightly), tax, rate.resortFeeMinor, rate.cityTaxMinor]
  const parts = moved ? moveTax(whole) : whole
  const converted = request === undefined ? undefined : whole.map((minor) => convertMinor(minor, currency, request))
  const asked = moved && converted !== undefined ? moveTax(converted) : converted
  const amount = (minor: number, of: string): Amount => ({ value: toDecimal({ minor, currency: of }), currency: of })
  const charge = (of: readonly number[], more = 0): Charge => {
    const billable = amount(
      of.reduce((sum, part) => sum + (parts[part] ?? 0), more),
      currency,
    )
    if (asked === undefined || request === undefined) return { billable_currency: billable }
    const extra = more === 0 ? 0 : convertMinor(more, currency, request)
    return {
      billable_currency: billable,
      request_currency: amount(
        of.reduce((sum, part) => sum + (asked[part] ?? 0), extra),
        request,
      ),
    }
  }
  const saved = before === undefined ? undefined : sumOf(before) - sumOf(nightly)
  const [, now = 0, resortFee = 0] = parts
  const hasFees = resortFee + rate.cityTaxMinor > 0
  return {
    nightly: nightly.map((minor, night) => [
      { type: 'base_rate', ...amount(minor, currency) },
      { type: 'tax_and_service_fee', ...amount(nightShare(now, night, nightly.length), currency) },
    ]),
    totals: {
      inclusive: charge([0, 1]),
      exclusive: charge([0]),
      property_inclusive: charge([0, 1, 2, 3]),
      ...(saved === undefined
        ? {}
        : { strikethrough: charge([0], saved), property_inclusive_strikethrough: charge([0, 1, 2, 3], saved) }),
      ...(hasFees ? { property_fees: charge([2, 3]) } : {}),
    },
    ...(hasFees
      ? {
          fees: {
            ...(resortFee > 0 ? { resort_fee: charge([2]) } : {}),
            ...(rate.cityTaxMinor > 0 ? { mandatory_tax: charge([3]) } : {}),
          },
        }
      : {}),
  }
}

/** Half of the taxes, now among what the property collects. */
function moveTax([nights = 0, tax = 0, resortFee = 0, cityTax = 0]: readonly number[]): number[] {
  const half = Math.floor(tax / 2)
  return [nights, tax - half, resortFee + half, cityTax]
}

/** The share of one night, in whole minor units; all nights add up to the whole. */
const nightShare = (minor: number, night: number, nights: number): number =>
  Math.floor((minor * (night + 1)) / nights) - Math.floor((minor * night) / nights)

/** What each night costs, taxes included: what Expedia bills, and what penalties are counted in. */
export function billedNights(rate: WorldRate, markUp: number, moved = false): number[] {
  const whole = Math.round(rate.taxMinor * markUp)
  const tax = moved ? whole - Math.floor(whole / 2) : whole
  const nights = rate.nightlyMinor.length
  return rate.nightlyMinor.map((minor, night) => Math.round(minor * markUp) + nightShare(tax, night, nights))
}
