import type { ConfirmationNumbers } from '../../domain/booking/booking.ts'
import { confirmationOf } from '../../domain/booking/confirmation.ts'
import type { Money } from '../../domain/money/money.ts'
import type { CancelTerms, Notice } from '../../domain/offer.ts'
import { joinNotices } from '../../domain/property/notices.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { isPlainDate } from '../../lib/time/plain-date.ts'
import type { Guest, Receipt } from '../contract.ts'
import { codeOf, guestNameOf, idOf, recordOf, recordsOf, textOf, type Wire } from '../wire/read.ts'
import { minorOf, sumMoney } from '../wire/read-money.ts'
import { decodeTerms, feeNow, readRules } from './cancel-terms.ts'
import { malformed } from './failure.ts'
import { rateNotices, traderNotices } from './notices.ts'
import { chargeIn, readRoomPrices } from './rate.ts'
import { apiPath, linkOf } from './wire.ts'

type BookedRoom = {
  readonly checkIn: string
  readonly checkOut: string
  readonly isCancelled: boolean
  readonly isBooked: boolean
  /** The id inside this address is not the room's id, so it is always followed and never built. */
  readonly cancelPath: string | undefined
  readonly changePath: string | undefined
  readonly guest: Guest
  readonly total: Money | undefined
  readonly cancelFee: Money | undefined
  readonly numbers: ConfirmationNumbers
}

export type Itinerary = {
  readonly id: string
  readonly reference: string
  readonly propertyId: string
  /** Empty while Rapid has only the number of the booking, or holds it for us. */
  readonly rooms: readonly BookedRoom[]
  /** For a booking on hold, which has no rooms to cancel one by one. */
  readonly cancelPath: string | undefined
  /** What cancelling costs from when on; undefined where that is not told of every room. */
  readonly cancel: CancelTerms | undefined
  /** What must be shown of it. */
  readonly notices: readonly Notice[]
}

export function readItinerary(value: unknown, origin: string, now: number): Itinerary | undefined {
  const itinerary = recordOf(value)
  const id = idOf(itinerary?.itinerary_id)
  if (itinerary === undefined || id === '') return undefined
  return {
    id,
    reference: idOf(itinerary.affiliate_reference_id),
    propertyId: idOf(itinerary.property_id),
    rooms: recordsOf(itinerary.rooms).map((room) => readBookedRoom(room, origin, now)),
    cancelPath: linkOf(recordOf(itinerary.links)?.cancel, origin)?.path,
    cancel: cancelTermsOf(recordsOf(itinerary.rooms), now),
    notices: joinNotices(
      recordsOf(itinerary.rooms).flatMap((room) => rateNotices(recordOf(room.rate) ?? {})),
      traderNotices(itinerary.trader_information),
    ),
  }
}

/**
 * The booking out of a look-up by reference: a list by contract, but an object in one of the vendor's examples. Only
 * an empty list says that there is none. A booking under another reference is never taken for ours; one that is not ready yet
 * names none. An empty `reference` takes any.
 */
export function pickItinerary(body: unknown, reference: string, origin: string, now: number): Itinerary | undefined {
  const entries = Array.isArray(body) ? body : [body]
  const found = entries.flatMap((entry) => readItinerary(entry, origin, now) ?? [])
  if (found.length < entries.length) throw malformed('itineraries that cannot be read')
  const ours = found.filter((one) => reference === '' || one.reference === reference || one.reference === '')
  if (ours.length === 0 && found.length > 0) throw malformed('itineraries under another reference')
  return ours.find((itinerary) => itinerary.reference === reference) ?? ours[0]
}

/** Where a fresh booking can be read, and whether its payment still waits for the guest's bank. */
export function readCreated(body: unknown, origin: string) {
  const created = recordOf(body)
  const links = recordOf(created?.links)
  return {
    id: idOf(created?.itinerary_id),
    retrievePath: linkOf(links?.retrieve, origin)?.path,
    isChallenged: links?.complete_payment_session !== undefined && links.retrieve === undefined,
  }
}

/** What the vendor says is booked, and how it stands. */
export function receiptOf(itinerary: Itinerary): Receipt {
  const { id, propertyId, rooms, cancel, notices } = itinerary
  const guests = rooms.map((room) => room.guest)
  const total = sumMoney(rooms.filter((room) => !room.isCancelled).map((room) => room.total))
  const dates = datesOf(rooms)
  return {
    state: stateOf(rooms),
    vendorReference: id,
    ...(propertyId !== '' && { property: { vendorPropertyId: propertyId } }),
    ...(dates && { dates }),
    ...(rooms.length > 0 && { rooms: rooms.length, roomStates: rooms.map(roomStateOf) }),
    ...(guests.length > 0 && guests.every(({ familyName }) => familyName !== '') && { guests }),
    ...(cancel && { cancel }),
    ...(total && { total }),
    confirmation: confirmationOf(
      id,
      rooms.map((room) => room.numbers),
    ),
    ...(notices.length > 0 && { notices }),
  }
}

const roomStateOf = ({ isCancelled }: BookedRoom) => (isCancelled ? 'cancelled' : 'confirmed')

/** An itinerary has no state of its own: its rooms have. Without rooms it is pending. */
function stateOf(rooms: readonly BookedRoom[]): Receipt['state'] {
  const cancelled = rooms.filter((room) => room.isCancelled).length
  if (cancelled > 0) return cancelled === rooms.length ? 'cancelled' : 'partly_cancelled'
  return rooms.length > 0 && rooms.every((room) => room.isBooked) ? 'confirmed' : 'pending'
}

/** From the first arrival to the last departure of all rooms. */
function datesOf(rooms: readonly BookedRoom[]): Receipt['dates'] {
  const [checkIn] = rooms.map((room) => room.checkIn).sort()
  const checkOut = rooms
    .map((room) => room.checkOut)
    .sort()
    .at(-1)
  return isPlainDate(checkIn ?? '') && isPlainDate(checkOut ?? '')
    ? { checkIn: checkIn ?? '', checkOut: checkOut ?? '' }
    : undefined
}

/** What cancelling every room that still stands would cost; undefined when one of them is unknown. */
export const cancelFeeOf = ({ rooms }: Itinerary): Money | undefined =>
  sumMoney(rooms.filter((room) => !room.isCancelled).map((room) => room.cancelFee))

function readBookedRoom(room: Wire, origin: string, now: number): BookedRoom {
  const rate = recordOf(room.rate)
  const pricing = recordOf(rate?.pricing)
  const currency = billableCurrency(pricing)
  const [price] = readRoomPrices({ room: pricing }, ['room'], currency) ?? []
  const links = recordOf(room.links)
  return {
    isCancelled: room.status === 'canceled' || room.status === 'cancelled',
    isBooked: room.status === 'booked',
    checkIn: textOf(room.checkin).slice(0, 10),
    checkOut: textOf(room.checkout).slice(0, 10),
    cancelPath: apiPath(recordOf(links?.cancel)?.href, origin),
    changePath: apiPath(recordOf(links?.change)?.href, origin),
    guest: { givenName: guestNameOf(room.given_name), familyName: guestNameOf(room.family_name) },
    total: price === undefined ? undefined : { minor: price.total, currency },
    cancelFee: rate === undefined ? undefined : cancelFee(room, rate, currency, now),
    numbers: numbersOf(recordOf(room.confirmation_id)),
  }
}

/** All rooms of an itinerary have the same rate, so the rules of one count for the prices of all. */
function cancelTermsOf(rooms: readonly Wire[], now: number): CancelTerms | undefined {
  const rates = rooms.map((room) => recordOf(room.rate))
  const [first] = rates
  // A degraded answer (206) leaves penalties out: missing is not free.
  if (first === undefined || rates.some((rate) => rate?.cancel_penalties === undefined)) return undefined
  const currency = billableCurrency(recordOf(first.pricing))
  const prices = rates.flatMap((rate) => readRoomPrices({ room: rate?.pricing }, ['room'], currency) ?? [])
  const rules = readRules(first, 'UTC')
  if (rules === undefined || prices.length < rooms.length) return undefined
  const [checkIn, checkOut] = [textOf(rooms[0]?.checkin), textOf(rooms[0]?.checkout)]
  return decodeTerms(rules, { rooms: prices, currency, checkIn, checkOut, timezone: 'UTC' }, now)
}

/** The property's own number often comes later than Expedia's. */
function numbersOf(given: Wire | undefined): ConfirmationNumbers {
  const [vendor, property] = [plainText(codeOf(given?.expedia)), plainText(codeOf(given?.property))]
  return { ...(vendor !== '' && { vendor }), ...(property !== '' && { property }) }
}

/** The refund and the penalties may contradict each other: until it has happened, the more expensive of the two counts. */
function cancelFee(room: Wire, rate: Wire, currency: string, now: number): Money | undefined {
  const fees = [feeByRefund(rate, currency), feeByPenalties(room, rate, currency, now)].filter(
    (fee) => fee !== undefined,
  )
  return fees.length === 0 ? undefined : { minor: Math.max(...fees), currency }
}

function feeByRefund(rate: Wire, currency: string): number | undefined {
  const billed = chargeIn(recordOf(recordOf(rate.pricing)?.totals)?.inclusive, currency)
  const refund = refundIn(rate.cancel_refund, currency)
  return billed !== undefined && refund !== undefined && refund <= billed ? billed - refund : undefined
}

function feeByPenalties(room: Wire, rate: Wire, currency: string, now: number): number | undefined {
  // A degraded answer (206) leaves penalties out: missing is not free.
  if (rate.cancel_penalties === undefined) return undefined
  const rooms = readRoomPrices({ room: recordOf(rate.pricing) }, ['room'], currency)
  const rules = readRules(rate, 'UTC')
  if (rooms === undefined || rules === undefined) return undefined
  const stay = { rooms, currency, checkIn: textOf(room.checkin), checkOut: textOf(room.checkout), timezone: 'UTC' }
  const terms = decodeTerms(rules, stay, now)
  return terms && feeNow(terms.penalties, now)
}

/** Rapid writes what it gives back as a negative amount, as text or as a number. */
function refundIn(value: unknown, currency: string): number | undefined {
  const refund = recordOf(value)
  const minor = refund?.currency === currency ? minorOf(refund.amount, currency) : undefined
  return minor === undefined ? undefined : Math.abs(minor)
}

/** A booked room is priced in the billable currency only, whatever was asked for when it was found. */
function billableCurrency(pricing: Wire | undefined): string {
  const inclusive = recordOf(recordOf(pricing?.totals)?.inclusive)
  return textOf(recordOf(inclusive?.billable_currency)?.currency)
}
