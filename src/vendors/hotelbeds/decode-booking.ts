import { type Money, parseMoney } from '../../domain/money.ts'
import type { Receipt } from '../contract.ts'
import { currencyOf, feesOf, type Pricing } from './decode-rate.ts'
import {
  isDecimal,
  listOf,
  objectOf,
  textOf,
  type Wire,
  type WireBookedHotel,
  type WireBookedRoom,
  type WireBooking,
  type WireRate,
} from './wire.ts'

/** What a status means; one we do not know is never taken for a confirmation. */
const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['CONFIRMED', 'confirmed'],
  ['CANCELLED', 'cancelled'],
])

/** The booking in an answer to create, read or cancel; undefined when it holds none that can be read. */
export function decodeReceipt(body: unknown, pricing: Pricing): Receipt | undefined {
  const booking = bookingOf(body)
  const vendorReference = textOf(booking?.reference)
  if (booking === undefined || vendorReference === '') return undefined
  const hotel = objectOf<WireBookedHotel>(booking.hotel)
  const currency = currencyOf(booking.currency) ?? currencyOf(hotel?.currency)
  const state = stateOf(booking, hotel)
  const total = currency && totalOf(booking, hotel, currency, pricing)
  const cancelFee = currency && state === 'cancelled' ? moneyOf(hotel?.cancellationAmount, currency) : undefined
  return {
    state,
    vendorReference,
    ...(total && state !== 'cancelled' && { total }),
    ...(cancelFee && { cancelFee }),
  }
}

export const bookingOf = (body: unknown): WireBooking | undefined =>
  objectOf<WireBooking>(objectOf<Wire<'booking'>>(body)?.booking)

/** References come back in capitals. */
export const isSameReference = (theirs: unknown, ours: string): boolean =>
  textOf(theirs).toUpperCase() === ours.toUpperCase()

/** A confirmed booking with a room that is not confirmed is not yet one to rely on. */
function stateOf(booking: WireBooking, hotel: WireBookedHotel | undefined): Receipt['state'] {
  const state = STATES.get(textOf(booking.status)) ?? 'pending'
  if (state !== 'confirmed') return state
  const rooms = listOf(hotel?.rooms).map((item) => objectOf<WireBookedRoom>(item))
  return rooms.every((room) => room?.status === undefined || room.status === 'CONFIRMED') ? 'confirmed' : 'pending'
}

/** What the stay costs, as far as the answer says: what is charged, and the taxes it lists as paid at the hotel. */
function totalOf(
  booking: WireBooking,
  hotel: WireBookedHotel | undefined,
  currency: string,
  pricing: Pricing,
): Money | undefined {
  const rates = listOf(hotel?.rooms)
    .flatMap((room) => listOf(objectOf<WireBookedRoom>(room)?.rates))
    .map((item) => objectOf<WireRate>(item))
  const bound = pricing === 'commissionable' || rates.some((rate) => rate?.hotelMandatory === true)
  const charged = (bound ? sellingOf(booking, rates, currency) : undefined) ?? moneyOf(booking.totalNet, currency)
  if (charged === undefined) return undefined
  let minor = charged.minor
  for (const rate of rates) {
    for (const fee of feesOf(rate?.taxes, currency) ?? []) if (fee.paidAt === 'property') minor += fee.amount.minor
  }
  return { minor, currency }
}

function sellingOf(
  booking: WireBooking,
  rates: readonly (WireRate | undefined)[],
  currency: string,
): Money | undefined {
  const total = moneyOf(booking.totalSellingRate, currency)
  if (total !== undefined) return total
  let minor = 0
  for (const rate of rates) {
    const amount = rate?.hotelMandatory === true ? (rate.sellingRate ?? rate.net) : rate?.net
    const money = moneyOf(amount, currency)
    if (money === undefined) return undefined
    minor += money.minor
  }
  return { minor, currency }
}

/** What cancelling costs, in a real or simulated cancellation. The same amount comes as number or as text. */
export function decodeCancelFee(body: unknown): Money | undefined {
  const booking = bookingOf(body)
  const hotel = objectOf<WireBookedHotel>(booking?.hotel)
  const currency = currencyOf(booking?.currency) ?? currencyOf(hotel?.currency)
  return currency === undefined ? undefined : moneyOf(hotel?.cancellationAmount, currency)
}

function moneyOf(amount: unknown, currency: string): Money | undefined {
  const money = isDecimal(amount) ? parseMoney(amount, currency) : undefined
  return money !== undefined && money.minor >= 0 ? money : undefined
}

/**
 * The vendor's reference of the booking made under ours. Should there ever be several, the confirmed one counts:
 * it is the one that costs money. Undefined when the list has none; `unreadable` when it is no list.
 */
export function decodeFound(body: unknown, reference: string): string | undefined | 'unreadable' {
  const bookings = objectOf<Wire<'bookings' | 'total'>>(objectOf<Wire<'bookings'>>(body)?.bookings)
  if (bookings === undefined || (bookings.bookings !== undefined && !Array.isArray(bookings.bookings)))
    return 'unreadable'
  const ours = listOf(bookings.bookings)
    .map((item) => objectOf<WireBooking>(item))
    .filter((booking) => booking !== undefined && isSameReference(booking.clientReference, reference))
  const found = ours.find((booking) => booking?.status === 'CONFIRMED') ?? ours[0]
  return found === undefined ? undefined : textOf(found.reference) || 'unreadable'
}
