import type { ConfirmationNumbers } from '../../domain/booking/booking.ts'
import { buildConfirmation } from '../../domain/booking/confirmation.ts'
import type { Money } from '../../domain/money/money.ts'
import type { CancelTerms, Notice } from '../../domain/offer.ts'
import { joinNotices } from '../../domain/property/notices.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { isPlainDate } from '../../lib/time/plain-date.ts'
import type { Guest, Receipt } from '../contract.ts'
import { asRecord, asRecords, asText, readCode, readGuestName, readId, type Wire } from '../wire/read.ts'
import { readMinor, sumMoney } from '../wire/read-money.ts'
import { decodeTerms, feeNow, readTermRules } from './cancel-terms.ts'
import { malformed } from './failure.ts'
import { rateNotices, traderNotices } from './notices.ts'
import { readCharge, readRoomPrices } from './rate.ts'
import { apiPath, readApiLink } from './wire.ts'

type BookedRoom = {
  readonly checkIn: string
  readonly checkOut: string
  readonly isCancelled: boolean
  readonly isBooked: boolean
  /** The id in this path is not the room's id, so the link must be followed and cannot be built. */
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
  /** Empty while Rapid has only assigned a number, or while the booking is on hold. */
  readonly rooms: readonly BookedRoom[]
  /** For a booking on hold, which has no rooms to cancel. */
  readonly cancelPath: string | undefined
  /** Cancellation fees over time; undefined unless they are known for every room. */
  readonly cancel: CancelTerms | undefined
  readonly notices: readonly Notice[]
}

export function readItinerary(value: unknown, origin: string, now: number): Itinerary | undefined {
  const itinerary = asRecord(value)
  const id = readId(itinerary?.itinerary_id)
  if (itinerary === undefined || id === '') return undefined
  return {
    id,
    reference: readId(itinerary.affiliate_reference_id),
    propertyId: readId(itinerary.property_id),
    rooms: asRecords(itinerary.rooms).map((room) => readBookedRoom(room, origin, now)),
    cancelPath: readApiLink(asRecord(itinerary.links)?.cancel, origin)?.path,
    cancel: readCancelTerms(asRecords(itinerary.rooms), now),
    notices: joinNotices(
      asRecords(itinerary.rooms).flatMap((room) => rateNotices(asRecord(room.rate) ?? {})),
      traderNotices(itinerary.trader_information),
    ),
  }
}

/**
 * Finds our booking in the response to a look-up by reference: a list by contract, but an object in one of the vendor's
 * examples. Skips bookings with another reference, except those without one, which are not ready yet; an empty
 * `reference` matches any.
 */
export function pickItinerary(body: unknown, reference: string, origin: string, now: number): Itinerary | undefined {
  const entries = Array.isArray(body) ? body : [body]
  const found = entries.flatMap((entry) => readItinerary(entry, origin, now) ?? [])
  if (found.length < entries.length) throw malformed('itineraries that cannot be read')
  const ours = found.filter(
    (itinerary) => reference === '' || itinerary.reference === reference || itinerary.reference === '',
  )
  if (ours.length === 0 && found.length > 0) throw malformed('itineraries under another reference')
  return ours.find((itinerary) => itinerary.reference === reference) ?? ours[0]
}

/** `isChallenged`: the payment still waits for the guest's bank. */
export function readCreated(body: unknown, origin: string) {
  const created = asRecord(body)
  const links = asRecord(created?.links)
  return {
    id: readId(created?.itinerary_id),
    retrievePath: readApiLink(links?.retrieve, origin)?.path,
    isChallenged: links?.complete_payment_session !== undefined && links.retrieve === undefined,
  }
}

export function toReceipt(itinerary: Itinerary): Receipt {
  const { id, propertyId, rooms, cancel, notices } = itinerary
  const guests = rooms.map((room) => room.guest)
  const total = sumMoney(rooms.filter((room) => !room.isCancelled).map((room) => room.total))
  const dates = stayDates(rooms)
  return {
    state: summarizeState(rooms),
    vendorReference: id,
    ...(propertyId !== '' && { property: { vendorPropertyId: propertyId } }),
    ...(dates && { dates }),
    ...(rooms.length > 0 && { rooms: rooms.length, roomStates: rooms.map(toRoomState) }),
    ...(guests.length > 0 && guests.every(({ familyName }) => familyName !== '') && { guests }),
    ...(cancel && { cancel }),
    ...(total && { total }),
    confirmation: buildConfirmation(
      id,
      rooms.map((room) => room.numbers),
    ),
    ...(notices.length > 0 && { notices }),
  }
}

const toRoomState = ({ isCancelled }: BookedRoom) => (isCancelled ? 'cancelled' : 'confirmed')

/** An itinerary has no state of its own. Without rooms it is pending. */
function summarizeState(rooms: readonly BookedRoom[]): Receipt['state'] {
  const cancelled = rooms.filter((room) => room.isCancelled).length
  if (cancelled > 0) return cancelled === rooms.length ? 'cancelled' : 'partly_cancelled'
  return rooms.length > 0 && rooms.every((room) => room.isBooked) ? 'confirmed' : 'pending'
}

/** From the first arrival to the last departure of all rooms. */
function stayDates(rooms: readonly BookedRoom[]): Receipt['dates'] {
  const [checkIn] = rooms.map((room) => room.checkIn).sort()
  const checkOut = rooms
    .map((room) => room.checkOut)
    .sort()
    .at(-1)
  return isPlainDate(checkIn ?? '') && isPlainDate(checkOut ?? '')
    ? { checkIn: checkIn ?? '', checkOut: checkOut ?? '' }
    : undefined
}

/** Undefined if the fee of a room that is not cancelled is unknown. */
export const sumCancelFees = ({ rooms }: Itinerary): Money | undefined =>
  sumMoney(rooms.filter((room) => !room.isCancelled).map((room) => room.cancelFee))

function readBookedRoom(room: Wire, origin: string, now: number): BookedRoom {
  const rate = asRecord(room.rate)
  const pricing = asRecord(rate?.pricing)
  const currency = billableCurrency(pricing)
  const [price] = readRoomPrices({ room: pricing }, ['room'], currency) ?? []
  const links = asRecord(room.links)
  return {
    isCancelled: room.status === 'canceled' || room.status === 'cancelled',
    isBooked: room.status === 'booked',
    checkIn: asText(room.checkin).slice(0, 10),
    checkOut: asText(room.checkout).slice(0, 10),
    cancelPath: apiPath(asRecord(links?.cancel)?.href, origin),
    changePath: apiPath(asRecord(links?.change)?.href, origin),
    guest: { givenName: readGuestName(room.given_name), familyName: readGuestName(room.family_name) },
    total: price === undefined ? undefined : { minor: price.total, currency },
    cancelFee: rate === undefined ? undefined : readCancelFee(room, rate, currency, now),
    numbers: readConfirmationNumbers(asRecord(room.confirmation_id)),
  }
}

/** All rooms of an itinerary have the same rate, so the rules of the first apply to all. */
function readCancelTerms(rooms: readonly Wire[], now: number): CancelTerms | undefined {
  const rates = rooms.map((room) => asRecord(room.rate))
  const [first] = rates
  // A degraded response (206) omits penalties: missing is not free.
  if (first === undefined || rates.some((rate) => rate?.cancel_penalties === undefined)) return undefined
  const currency = billableCurrency(asRecord(first.pricing))
  const prices = rates.flatMap((rate) => readRoomPrices({ room: rate?.pricing }, ['room'], currency) ?? [])
  const rules = readTermRules(first, 'UTC')
  if (rules === undefined || prices.length < rooms.length) return undefined
  const [checkIn, checkOut] = [asText(rooms[0]?.checkin), asText(rooms[0]?.checkout)]
  return decodeTerms(rules, { rooms: prices, currency, checkIn, checkOut, timezone: 'UTC' }, now)
}

/** The property's number is often assigned later than Expedia's. */
function readConfirmationNumbers(numbers: Wire | undefined): ConfirmationNumbers {
  const [vendor, property] = [plainText(readCode(numbers?.expedia)), plainText(readCode(numbers?.property))]
  return { ...(vendor !== '' && { vendor }), ...(property !== '' && { property }) }
}

/** Refund and penalties may contradict each other; the higher fee is used until the booking is cancelled. */
function readCancelFee(room: Wire, rate: Wire, currency: string, now: number): Money | undefined {
  const fees = [feeByRefund(rate, currency), feeByPenalties(room, rate, currency, now)].filter(
    (fee) => fee !== undefined,
  )
  return fees.length === 0 ? undefined : { minor: Math.max(...fees), currency }
}

function feeByRefund(rate: Wire, currency: string): number | undefined {
  const billed = readCharge(asRecord(asRecord(rate.pricing)?.totals)?.inclusive, currency)
  const refund = readRefund(rate.cancel_refund, currency)
  return billed !== undefined && refund !== undefined && refund <= billed ? billed - refund : undefined
}

function feeByPenalties(room: Wire, rate: Wire, currency: string, now: number): number | undefined {
  // A degraded response (206) omits penalties: missing is not free.
  if (rate.cancel_penalties === undefined) return undefined
  const rooms = readRoomPrices({ room: asRecord(rate.pricing) }, ['room'], currency)
  const rules = readTermRules(rate, 'UTC')
  if (rooms === undefined || rules === undefined) return undefined
  const stay = { rooms, currency, checkIn: asText(room.checkin), checkOut: asText(room.checkout), timezone: 'UTC' }
  const terms = decodeTerms(rules, stay, now)
  return terms && feeNow(terms.penalties, now)
}

/** Rapid writes refunds as negative amounts, as text or number. */
function readRefund(value: unknown, currency: string): number | undefined {
  const refund = asRecord(value)
  const minor = refund?.currency === currency ? readMinor(refund.amount, currency) : undefined
  return minor === undefined ? undefined : Math.abs(minor)
}

/** A booked room is priced in the billable currency only, whatever currency was requested. */
function billableCurrency(pricing: Wire | undefined): string {
  const inclusive = asRecord(asRecord(pricing?.totals)?.inclusive)
  return asText(asRecord(inclusive?.billable_currency)?.currency)
}
