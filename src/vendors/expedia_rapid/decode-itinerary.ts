import type { Money } from '../../domain/money.ts'
import { parseMoney } from '../../domain/money.ts'
import type { Receipt } from '../contract.ts'
import { minorOf, readRoomPrices } from './decode-price.ts'
import { decodeTerms, feeNow, readRules } from './decode-terms.ts'
import { malformed } from './failure.ts'
import { apiPath, linkOf } from './link.ts'
import {
  idOf,
  listOf,
  recordOf,
  textOf,
  type WireAmount,
  type WireBookedRate,
  type WireBookedRoom,
  type WireCharge,
  type WireItinerary,
  type WireLinks,
  type WirePricing,
  type WireRefund,
  type WireTotals,
} from './wire.ts'

export type BookedRoom = {
  readonly isCancelled: boolean
  readonly isBooked: boolean
  /** The id inside this address is not the room's id, so it is always followed and never built. */
  readonly cancelPath: string | undefined
  readonly total: Money | undefined
  readonly cancelFee: Money | undefined
}

export type Itinerary = {
  readonly id: string
  readonly reference: string
  /** Empty while Rapid has only the number of the booking, or holds it for us. */
  readonly rooms: readonly BookedRoom[]
  /** For a booking on hold, which has no rooms to cancel one by one. */
  readonly cancelPath: string | undefined
}

export function readItinerary(value: unknown, origin: string, now: number): Itinerary | undefined {
  const itinerary = recordOf<WireItinerary>(value)
  const id = idOf(itinerary?.itinerary_id)
  if (itinerary === undefined || id === '') return undefined
  return {
    id,
    reference: idOf(itinerary.affiliate_reference_id),
    rooms: listOf(itinerary.rooms).flatMap((entry) => {
      const room = recordOf<WireBookedRoom>(entry)
      return room === undefined ? [] : readBookedRoom(room, origin, now)
    }),
    cancelPath: linkOf(recordOf<WireLinks>(itinerary.links)?.cancel, origin)?.path,
  }
}

/**
 * The booking out of a look-up by reference: a list by contract, but an object in one of the vendor's examples. Only
 * an empty list says that there is none.
 */
export function pickItinerary(body: unknown, reference: string, origin: string, now: number): Itinerary | undefined {
  const entries = Array.isArray(body) ? body : [body]
  const found = entries.flatMap((entry) => readItinerary(entry, origin, now) ?? [])
  if (found.length < entries.length) throw malformed('itineraries that cannot be read')
  return found.find((itinerary) => itinerary.reference === reference) ?? found[0]
}

/** Where a fresh booking can be read, and whether its payment still waits for the guest's bank. */
export function readCreated(body: unknown, origin: string) {
  const created = recordOf<WireItinerary>(body)
  const links = recordOf<WireLinks>(created?.links)
  return {
    id: idOf(created?.itinerary_id),
    retrievePath: linkOf(links?.retrieve, origin)?.path,
    isChallenged: links?.complete_payment_session !== undefined && links.retrieve === undefined,
  }
}

/** An itinerary has no state of its own: its rooms have. Without rooms Rapid is not ready to say. */
export function receiptOf(itinerary: Itinerary): Receipt {
  const { id, rooms } = itinerary
  const total = sumMoney(rooms.filter((room) => !room.isCancelled).map((room) => room.total))
  const known = total === undefined ? {} : { total }
  if (rooms.length > 0 && rooms.every((room) => room.isCancelled)) return { state: 'cancelled', vendorReference: id }
  const settled = rooms.length > 0 && rooms.every((room) => room.isBooked || room.isCancelled)
  return { state: settled ? 'confirmed' : 'pending', vendorReference: id, ...known }
}

/** What cancelling every room that still stands would cost; undefined when one of them does not say. */
export const cancelFeeOf = ({ rooms }: Itinerary): Money | undefined =>
  sumMoney(rooms.filter((room) => !room.isCancelled).map((room) => room.cancelFee))

function readBookedRoom(room: WireBookedRoom, origin: string, now: number): BookedRoom {
  const rate = recordOf<WireBookedRate>(room.rate)
  const pricing = recordOf<WirePricing>(rate?.pricing)
  const currency = billableCurrency(pricing)
  const [price] = readRoomPrices({ room: pricing }, ['room'], currency) ?? []
  const links = recordOf<WireLinks>(room.links)
  return {
    isCancelled: room.status === 'canceled' || room.status === 'cancelled',
    isBooked: room.status === 'booked',
    cancelPath: apiPath(recordOf<{ href?: unknown }>(links?.cancel)?.href, origin),
    total: price === undefined ? undefined : { minor: price.total, currency },
    cancelFee: rate === undefined ? undefined : cancelFee(room, rate, currency, now),
  }
}

/** What comes back is said outright; where it is not, the penalties in force say it. */
function cancelFee(room: WireBookedRoom, rate: WireBookedRate, currency: string, now: number): Money | undefined {
  const pricing = recordOf<WirePricing>(rate.pricing)
  const billed = minorOf(recordOf<WireTotals>(pricing?.totals)?.inclusive, currency)
  const refund = refundIn(rate.cancel_refund, currency)
  if (billed !== undefined && refund !== undefined && refund <= billed) return { minor: billed - refund, currency }
  // Without penalties in a degraded answer (206) nothing is said about them: missing is not free.
  if (rate.cancel_penalties === undefined) return undefined
  const rooms = readRoomPrices({ room: pricing }, ['room'], currency)
  const rules = readRules(rate, 'UTC')
  if (rooms === undefined || rules === undefined) return undefined
  const terms = decodeTerms(
    rules,
    { rooms, currency, checkIn: textOf(room.checkin), checkOut: textOf(room.checkout), timezone: 'UTC' },
    now,
  )
  return terms === undefined ? undefined : { minor: feeNow(terms.penalties, now), currency }
}

/** Rapid writes what it gives back as a negative amount, as text or as a number. */
function refundIn(value: unknown, currency: string): number | undefined {
  const refund = recordOf<WireRefund>(value)
  if (refund?.currency !== currency) return undefined
  if (typeof refund.amount !== 'string' && typeof refund.amount !== 'number') return undefined
  const minor = parseMoney(refund.amount, currency)?.minor
  return minor === undefined ? undefined : Math.abs(minor)
}

/** A booked room is priced in the billable currency only, whatever was asked for when it was found. */
function billableCurrency(pricing: WirePricing | undefined): string {
  const inclusive = recordOf<WireCharge>(recordOf<WireTotals>(pricing?.totals)?.inclusive)
  return textOf(recordOf<WireAmount>(inclusive?.billable_currency)?.currency)
}

function sumMoney(amounts: readonly (Money | undefined)[]): Money | undefined {
  const [first] = amounts
  if (first === undefined) return undefined
  let minor = 0
  for (const amount of amounts) {
    if (amount?.currency !== first.currency) return undefined
    minor += amount.minor
  }
  return { minor, currency: first.currency }
}
