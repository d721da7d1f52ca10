import type { Money } from '../../domain/money/money.ts'
import type { Fee, Price, SellingBounds } from '../../domain/offer.ts'
import { asEntries, asList, asRecord, asText, type Wire } from '../wire/read.ts'
import { readMinor } from '../wire/read-money.ts'

/** Price of one room, in minor units of the requested currency. */
export type RoomPrice = {
  /** Includes fees collected by the property. */
  readonly total: number
  /** Without fees collected by the property. */
  readonly billed: number
  readonly base: number
  /** Undiscounted total; never below `total`. */
  readonly strikethrough: number
  /** Minimum selling price including property fees; never below `total`. */
  readonly floor: number
  /** Source of the details that are decoded on demand. */
  readonly wire: Wire
}

/**
 * A package rate must not be sold as a hotel alone, and a rate that the property collects needs a card. Rapid should
 * send neither, but marks them.
 */
export const isForSale = ({ status, sale_scenario, merchant_of_record }: Wire): boolean =>
  status !== 'sold_out' && asRecord(sale_scenario)?.package !== true && merchant_of_record !== 'property'

/**
 * Prices of the requested rooms, in order; undefined if one is missing, invalid or in another currency. Rapid lists
 * repeated occupancies once; with `acceptSoleEntry`, a single price is accepted under any key, because the price-check
 * token determines the party.
 */
export function readRoomPrices(
  pricing: unknown,
  occupancies: readonly string[],
  currency: string,
  acceptSoleEntry = false,
): readonly RoomPrice[] | undefined {
  const pricesByOccupancy = asRecord(pricing)
  if (pricesByOccupancy === undefined) return undefined
  const prices = new Map<string, RoomPrice>()
  const rooms: RoomPrice[] = []
  for (const key of occupancies) {
    const wire = Object.hasOwn(pricesByOccupancy, key)
      ? pricesByOccupancy[key]
      : findRespelled(pricesByOccupancy, key, acceptSoleEntry)
    const price = prices.get(key) ?? readRoomPrice(wire, currency)
    if (price === undefined) return undefined
    prices.set(key, price)
    rooms.push(price)
  }
  return rooms.length === 0 ? undefined : rooms
}

/** Finds the same party with another spelling (children in another order). */
function findRespelled(pricesByOccupancy: object, key: string, acceptSoleEntry: boolean): unknown {
  const entries = asEntries(pricesByOccupancy)
  if (acceptSoleEntry && entries.length === 1) return entries[0]?.[1]
  const wanted = canonical(key)
  return entries.find(([other]) => canonical(other) === wanted)?.[1]
}

function canonical(key: string): string {
  const [adults = '', ages = ''] = key.split('-')
  return `${adults}-${ages.split(',').sort().join(',')}`
}

function readRoomPrice(value: unknown, currency: string): RoomPrice | undefined {
  const wire = asRecord(value)
  const totals = asRecord(wire?.totals)
  if (wire === undefined || totals === undefined) return undefined
  const inclusive = readCharge(totals.inclusive, currency)
  const allIn = readCharge(totals.property_inclusive, currency)
  const propertyFees =
    allIn === undefined || inclusive === undefined ? sumPropertyFees(totals, wire, currency) : undefined
  const billed = inclusive ?? (allIn === undefined ? undefined : allIn - (propertyFees ?? 0))
  const total = allIn ?? (billed === undefined || propertyFees === undefined ? undefined : billed + propertyFees)
  // Fees in another currency cannot be added, and a total without them would be wrong.
  if (billed === undefined || total === undefined || billed <= 0 || total < billed) return undefined
  const base = Math.min(readCharge(totals.exclusive, currency) ?? billed, billed)
  if (base < 0) return undefined
  const strikethrough = Math.max(total, undiscountedTotal(totals, currency, { total, billed, base }))
  // The minimum selling price excludes property fees, like `inclusive`.
  const floor = Math.max(total, (readCharge(totals.minimum_selling_price, currency) ?? 0) + total - billed)
  return { total, billed, base, strikethrough, floor, wire }
}

const sumPropertyFees = (totals: Wire, wire: Wire, currency: string): number | undefined =>
  readCharge(totals.property_fees, currency) ?? sumFees(wire.fees, currency)

/** Uses the most complete strikethrough total and adds missing taxes and fees. */
function undiscountedTotal(
  totals: Wire,
  currency: string,
  current: { total: number; billed: number; base: number },
): number {
  const allIn = readCharge(totals.property_inclusive_strikethrough, currency)
  if (allIn !== undefined) return allIn
  const inclusive = readCharge(totals.inclusive_strikethrough, currency)
  if (inclusive !== undefined) return inclusive + current.total - current.billed
  const exclusive = readCharge(totals.strikethrough, currency)
  return exclusive === undefined ? current.total : exclusive + current.total - current.base
}

/** Charge in minor units; undefined if it is missing, invalid, or only in other currencies. */
export function readCharge(charge: unknown, currency: string): number | undefined {
  const charges = asRecord(charge)
  if (charges === undefined) return undefined
  return readAmount(charges.request_currency, currency) ?? readAmount(charges.billable_currency, currency)
}

function readAmount(amount: unknown, currency: string): number | undefined {
  const money = asRecord(amount)
  return money?.currency === currency ? readMinor(money.value, currency) : undefined
}

const FEE_LABELS = [
  ['mandatory_fee', 'Mandatory fee'],
  ['resort_fee', 'Resort fee'],
  ['mandatory_tax', 'Mandatory tax'],
] as const satisfies readonly (readonly [keyof Wire, string])[]

/** 0 if there are no fees; undefined if a fee cannot be read in this currency. */
function sumFees(fees: unknown, currency: string): number | undefined {
  let sum = 0
  for (const [name] of FEE_LABELS) {
    const charge = asRecord(fees)?.[name]
    if (charge === undefined || charge === null) continue
    const minor = readCharge(charge, currency)
    if (minor === undefined) return undefined
    sum += minor
  }
  return sum
}

/** Total in the currency that Rapid bills, if that is another one; a booking is later priced in that one only. */
export function readBillable(
  pricing: unknown,
  occupancies: readonly string[],
  currency: string,
): { readonly billable?: Money } {
  const [first] = asEntries(pricing)
  const totals = asRecord(asRecord(first?.[1])?.totals)
  const billed = asText(asRecord(asRecord(totals?.inclusive)?.billable_currency)?.currency)
  if (billed === '' || billed === currency) return {}
  const rooms = readRoomPrices(pricing, occupancies, billed, new Set(occupancies).size === 1)
  return rooms === undefined
    ? {}
    : { billable: { minor: rooms.reduce((sum, { total }) => sum + total, 0), currency: billed } }
}

/** Empty unless the minimum selling price exceeds the price. */
export function readBounds(rooms: readonly RoomPrice[], currency: string): { readonly bounds?: SellingBounds } {
  const sum = (selectAmount: (room: RoomPrice) => number): number =>
    rooms.reduce((all, room) => all + selectAmount(room), 0)
  const minor = sum((room) => room.floor)
  return minor > sum((room) => room.total) ? { bounds: { min: { minor, currency } } } : {}
}

export function decodePrice(rooms: readonly RoomPrice[], currency: string): Price {
  const sum = (selectAmount: (room: RoomPrice) => number): number =>
    rooms.reduce((all, room) => all + selectAmount(room), 0)
  const money = (minor: number): Money => ({ minor, currency })
  const [total, billed, base] = [sum((room) => room.total), sum((room) => room.billed), sum((room) => room.base)]
  const taxes: Fee = { label: 'Taxes and fees', amount: money(billed - base), paidAt: 'booking' }
  return {
    total: money(total),
    base: money(base),
    taxesFees: money(total - base),
    fees: [...(billed > base ? [taxes] : []), ...itemizePropertyFees(rooms, total - billed, currency)],
    dueAtProperty: money(total - billed),
    publicTotal: money(sum((room) => room.strikethrough)),
  }
}

/** Itemized if the items add up to the total, else one line. */
function itemizePropertyFees(rooms: readonly RoomPrice[], propertyFees: number, currency: string): Fee[] {
  if (propertyFees <= 0) return []
  const items = FEE_LABELS.map(([name, label]): Fee => {
    const minor = rooms.reduce((all, { wire }) => all + (readCharge(asRecord(wire.fees)?.[name], currency) ?? 0), 0)
    return { label, amount: { minor, currency }, paidAt: 'property' }
  }).filter((fee) => fee.amount.minor > 0)
  const combined: Fee = {
    label: 'Collected by the property',
    amount: { minor: propertyFees, currency },
    paidAt: 'property',
  }
  return items.reduce((all, fee) => all + fee.amount.minor, 0) === propertyFees ? items : [combined]
}

/**
 * Relative price of each night; empty if they cannot be read. Rapid sends nights in the billable currency only, so
 * these are weights and not amounts.
 */
export function nightWeights({ wire }: Pick<RoomPrice, 'wire'>): readonly number[] {
  const nights = asList(wire.nightly).map((night) =>
    asList(night).reduce((sum: number, charge) => {
      const amount = asRecord(charge)
      return sum + (readMinor(amount?.value, asText(amount?.currency)) ?? Number.NaN)
    }, 0),
  )
  return nights.every((weight) => weight >= 0) ? nights : []
}

/** Converts from the billable currency at the vendor's own rate in this price. */
export function convertFromBillable(
  { wire }: Pick<RoomPrice, 'wire'>,
  amount: Money,
  currency: string,
): number | undefined {
  if (amount.currency === currency) return amount.minor
  const inclusive = asRecord(asRecord(wire.totals)?.inclusive)
  const billable = readAmount(inclusive?.billable_currency, amount.currency)
  const requested = readAmount(inclusive?.request_currency, currency)
  if (billable === undefined || requested === undefined || billable <= 0) return undefined
  return Math.round((amount.minor * requested) / billable)
}
