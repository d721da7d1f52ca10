import type { Money } from '../../domain/money/money.ts'
import type { Fee, Price, SellingBounds } from '../../domain/offer.ts'
import { entriesOf, listOf, recordOf, textOf, type Wire } from '../wire/read.ts'
import { minorOf } from '../wire/read-money.ts'

/** What one room of the stay costs, in minor units of the asked currency. */
export type RoomPrice = {
  /** Everything, property-collected fees included. */
  readonly total: number
  /** Without what the property collects on the spot. */
  readonly billed: number
  readonly base: number
  /** The undiscounted total; never below `total`. */
  readonly struck: number
  /** The least it may be sold for, as much of it as `total`; never below `total`. */
  readonly floor: number
  /** For the details below, read only where they are shown. */
  readonly wire: Wire
}

/**
 * A rate for packages may not be sold as a hotel alone, and one that the property collects wants a card, of which we have none.
 * Rapid should send neither, but says which they are.
 */
export const isForSale = ({ status, sale_scenario, merchant_of_record }: Wire): boolean =>
  status !== 'sold_out' && recordOf(sale_scenario)?.package !== true && merchant_of_record !== 'property'

/**
 * The price of each asked room, in the order asked; undefined when one is missing, is not in the asked currency or
 * makes no sense. Rapid names an occupancy that was asked twice only once. With `soleIsMine`, a single price stands
 * for a single room party whatever its key: after a price check the token alone decides for whom it is.
 */
export function readRoomPrices(
  pricing: unknown,
  occupancies: readonly string[],
  currency: string,
  soleIsMine = false,
): readonly RoomPrice[] | undefined {
  const map = recordOf(pricing)
  if (map === undefined) return undefined
  const prices = new Map<string, RoomPrice>()
  const rooms: RoomPrice[] = []
  for (const key of occupancies) {
    const wire = Object.hasOwn(map, key) ? map[key] : respelled(map, key, soleIsMine)
    const price = prices.get(key) ?? readRoomPrice(wire, currency)
    if (price === undefined) return undefined
    prices.set(key, price)
    rooms.push(price)
  }
  return rooms.length === 0 ? undefined : rooms
}

/** The same party under another spelling (children in another order). */
function respelled(map: object, key: string, soleIsMine: boolean): unknown {
  const entries = entriesOf(map)
  if (soleIsMine && entries.length === 1) return entries[0]?.[1]
  const wanted = canonical(key)
  return entries.find(([other]) => canonical(other) === wanted)?.[1]
}

function canonical(key: string): string {
  const [adults = '', ages = ''] = key.split('-')
  return `${adults}-${ages.split(',').sort().join(',')}`
}

function readRoomPrice(value: unknown, currency: string): RoomPrice | undefined {
  const wire = recordOf(value)
  const totals = recordOf(wire?.totals)
  if (wire === undefined || totals === undefined) return undefined
  const inclusive = chargeIn(totals.inclusive, currency)
  const allIn = chargeIn(totals.property_inclusive, currency)
  const onSpot = allIn === undefined || inclusive === undefined ? onSpotOf(totals, wire, currency) : undefined
  const billed = inclusive ?? (allIn === undefined ? undefined : allIn - (onSpot ?? 0))
  const total = allIn ?? (billed === undefined || onSpot === undefined ? undefined : billed + onSpot)
  // Fees in a currency nobody asked for cannot be added; a total without them would be a lie.
  if (billed === undefined || total === undefined || billed <= 0 || total < billed) return undefined
  const base = Math.min(chargeIn(totals.exclusive, currency) ?? billed, billed)
  if (base < 0) return undefined
  const struck = Math.max(total, struckOf(totals, currency, { total, billed, base }))
  // It counts what `inclusive` does: what the property collects comes on top.
  const floor = Math.max(total, (chargeIn(totals.minimum_selling_price, currency) ?? 0) + total - billed)
  return { total, billed, base, struck, floor, wire }
}

const onSpotOf = (totals: Wire, wire: Wire, currency: string): number | undefined =>
  chargeIn(totals.property_fees, currency) ?? sumFees(wire.fees, currency)

/** The most complete undiscounted total there is, with the taxes and fees it leaves out put back. */
function struckOf(totals: Wire, currency: string, now: { total: number; billed: number; base: number }): number {
  const allIn = chargeIn(totals.property_inclusive_strikethrough, currency)
  if (allIn !== undefined) return allIn
  const inclusive = chargeIn(totals.inclusive_strikethrough, currency)
  if (inclusive !== undefined) return inclusive + now.total - now.billed
  const exclusive = chargeIn(totals.strikethrough, currency)
  return exclusive === undefined ? now.total : exclusive + now.total - now.base
}

/** A charge in minor units of this currency; undefined when it is missing, in others only, or no amount. */
export function chargeIn(charge: unknown, currency: string): number | undefined {
  const both = recordOf(charge)
  if (both === undefined) return undefined
  return amountIn(both.request_currency, currency) ?? amountIn(both.billable_currency, currency)
}

function amountIn(amount: unknown, currency: string): number | undefined {
  const read = recordOf(amount)
  return read?.currency === currency ? minorOf(read.value, currency) : undefined
}

const FEE_LABELS = [
  ['mandatory_fee', 'Mandatory fee'],
  ['resort_fee', 'Resort fee'],
  ['mandatory_tax', 'Mandatory tax'],
] as const satisfies readonly (readonly [keyof Wire, string])[]

/** 0 where there are no fees; undefined where there is one that cannot be read in this currency. */
function sumFees(fees: unknown, currency: string): number | undefined {
  let sum = 0
  for (const [name] of FEE_LABELS) {
    const charge = recordOf(fees)?.[name]
    if (charge === undefined || charge === null) continue
    const minor = chargeIn(charge, currency)
    if (minor === undefined) return undefined
    sum += minor
  }
  return sum
}

/** Only where it may not be sold for its price. */
export function boundsOf(rooms: readonly RoomPrice[], currency: string): { readonly bounds?: SellingBounds } {
  const sum = (of: (room: RoomPrice) => number): number => rooms.reduce((all, room) => all + of(room), 0)
  const minor = sum((room) => room.floor)
  return minor > sum((room) => room.total) ? { bounds: { min: { minor, currency } } } : {}
}

/** The price of the whole stay. */
export function decodePrice(rooms: readonly RoomPrice[], currency: string): Price {
  const sum = (of: (room: RoomPrice) => number): number => rooms.reduce((all, room) => all + of(room), 0)
  const money = (minor: number): Money => ({ minor, currency })
  const [total, billed, base] = [sum((room) => room.total), sum((room) => room.billed), sum((room) => room.base)]
  const taxes: Fee = { label: 'Taxes and fees', amount: money(billed - base), paidAt: 'booking' }
  return {
    total: money(total),
    base: money(base),
    taxesFees: money(total - base),
    fees: [...(billed > base ? [taxes] : []), ...onSpotFees(rooms, total - billed, currency)],
    dueAtProperty: money(total - billed),
    publicTotal: money(sum((room) => room.struck)),
  }
}

/** Itemised where the items add up to what the totals say, else in one line. */
function onSpotFees(rooms: readonly RoomPrice[], onSpot: number, currency: string): Fee[] {
  if (onSpot <= 0) return []
  const items = FEE_LABELS.map(([name, label]): Fee => {
    const minor = rooms.reduce((all, { wire }) => all + (chargeIn(recordOf(wire.fees)?.[name], currency) ?? 0), 0)
    return { label, amount: { minor, currency }, paidAt: 'property' }
  }).filter((fee) => fee.amount.minor > 0)
  const whole: Fee = { label: 'Collected by the property', amount: { minor: onSpot, currency }, paidAt: 'property' }
  return items.reduce((all, fee) => all + fee.amount.minor, 0) === onSpot ? items : [whole]
}

/**
 * What each night weighs in the room's price. Rapid gives nights in the billable currency only, so they serve as
 * shares of the price and never as amounts. Empty when they cannot be read.
 */
export function nightWeights({ wire }: Pick<RoomPrice, 'wire'>): readonly number[] {
  const nights = listOf(wire.nightly).map((night) =>
    listOf(night).reduce((sum: number, charge) => {
      const amount = recordOf(charge)
      return sum + (minorOf(amount?.value, textOf(amount?.currency)) ?? Number.NaN)
    }, 0),
  )
  return nights.every((weight) => weight >= 0) ? nights : []
}

/** An amount in the billable currency, put into the asked one at the rate the vendor itself used in this price. */
export function fromBillable({ wire }: Pick<RoomPrice, 'wire'>, amount: Money, currency: string): number | undefined {
  if (amount.currency === currency) return amount.minor
  const inclusive = recordOf(recordOf(wire.totals)?.inclusive)
  const billable = amountIn(inclusive?.billable_currency, amount.currency)
  const asked = amountIn(inclusive?.request_currency, currency)
  if (billable === undefined || asked === undefined || billable <= 0) return undefined
  return Math.round((amount.minor * asked) / billable)
}
