import { toDecimal } from '../../../src/domain/money/money.ts'
import type { Occupancy } from '../../../src/domain/stay.ts'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import { listNights } from '../../server/stay-dates.ts'
import type { Allotment, VendorView, VendorWorld, WorldProperty, WorldRate, WorldRoom } from '../../world/contract.ts'
import { hashText } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'
import { parseOccupancy, type ShopQuery } from './shop-query.ts'

/** One room type under one plan, priced for every requested room party. */
export type PricedRate = {
  readonly room: WorldRoom
  readonly plan: string
  /** One rate per distinct party, keyed by its text form. */
  readonly byOccupancy: ReadonlyMap<string, WorldRate>
  readonly left: number
  /** All rooms, in minor units of the property's own currency; only to compare rates. */
  readonly total: number
}

export type Shop = { readonly world: VendorWorld; readonly allotment: Allotment }

/**
 * All rooms of a stay have the same room type and plan, and enough of them must be available. Prices are those of
 * `today`, because they rise as the stay approaches.
 */
export function priceRates(
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
    return [{ room, plan, byOccupancy, left: free, total: computeTotal(byOccupancy, query.occupancies) }]
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

function computeTotal(byOccupancy: ReadonlyMap<string, WorldRate>, occupancies: readonly string[]): number {
  return occupancies.reduce((sum, party) => {
    const rate = byOccupancy.get(party)
    if (rate === undefined) return sum
    return sum + addUp(rate.nightlyMinor) + rate.taxMinor + rate.cityTaxMinor + rate.resortFeeMinor
  }, 0)
}

const addUp = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

export const toRoomId = (view: VendorView, room: WorldRoom): string =>
  `${view.vendorPropertyId}${String(room.number).padStart(2, '0')}`

export const toRateId = (view: VendorView, rate: { room: WorldRoom; plan: string }): string =>
  `${toRoomId(view, rate.room)}${100 + (hashText(rate.plan) % 900)}`

type Charge = { billable_currency: Amount; request_currency?: Amount }
type Amount = { value: string; currency: string }

/**
 * Price of one room in Rapid's format: nights in the billable (the property's own) currency, totals and fees in both.
 * Amounts are added after conversion, so that they add up in each currency. `markUp` contains the vendor's markup and
 * price increases; with `moved`, half of the taxes are payable at the property.
 */
export function presentPricing(rate: WorldRate, markUp: number, request: string | undefined, moved = false) {
  const { currency } = rate
  const nightly = rate.nightlyMinor.map((minor) => Math.round(minor * markUp))
  const before = rate.nightlyBeforeMinor?.map((minor) => Math.round(minor * markUp))
  const tax = Math.round(rate.taxMinor * markUp)
  const whole = [addUp(nightly), tax, rate.resortFeeMinor, rate.cityTaxMinor]
  const parts = moved ? moveTax(whole) : whole
  const converted = request === undefined ? undefined : whole.map((minor) => convertMinor(minor, currency, request))
  const requested = moved && converted !== undefined ? moveTax(converted) : converted
  const amount = (minor: number, unit: string): Amount => ({
    value: toDecimal({ minor, currency: unit }),
    currency: unit,
  })
  const charge = (indexes: readonly number[], more = 0): Charge => {
    const billable = amount(
      indexes.reduce((sum, index) => sum + (parts[index] ?? 0), more),
      currency,
    )
    if (requested === undefined || request === undefined) return { billable_currency: billable }
    const extra = more === 0 ? 0 : convertMinor(more, currency, request)
    return {
      billable_currency: billable,
      request_currency: amount(
        indexes.reduce((sum, index) => sum + (requested[index] ?? 0), extra),
        request,
      ),
    }
  }
  const saved = before === undefined ? undefined : addUp(before) - addUp(nightly)
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

/** Moves half of the taxes to the fees that the property collects. */
function moveTax([nights = 0, tax = 0, resortFee = 0, cityTax = 0]: readonly number[]): number[] {
  const half = Math.floor(tax / 2)
  return [nights, tax - half, resortFee + half, cityTax]
}

/** Share of one night in whole minor units; all nights add up to the total. */
const nightShare = (minor: number, night: number, nights: number): number =>
  Math.floor((minor * (night + 1)) / nights) - Math.floor((minor * night) / nights)

/** Price of each night including taxes, as billed by Expedia and used for penalties. */
export function billedNights(rate: WorldRate, markUp: number, moved = false): number[] {
  const whole = Math.round(rate.taxMinor * markUp)
  const tax = moved ? whole - Math.floor(whole / 2) : whole
  const nights = rate.nightlyMinor.length
  return rate.nightlyMinor.map((minor, night) => Math.round(minor * markUp) + nightShare(tax, night, nights))
}
