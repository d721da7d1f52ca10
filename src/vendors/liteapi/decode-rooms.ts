import type { RoomOffer } from '../../domain/offer.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { PriceCheck, RoomsQuery } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import { asInteger, asRecord, asRecords, asText, asTexts, readCode, type Wire } from '../wire/read.ts'
import { sumMoney } from '../wire/read-money.ts'
import { buildTerms, nonRefundableFrom } from './cancel-terms.ts'
import type { LiteapiConfig } from './config.ts'
import { readHead } from './decode-availability.ts'
import { malformed, VENDOR } from './failure.ts'
import { rateNotices } from './notices.ts'
import { encodeParties, encodeRef, type StayRef } from './offer-ref.ts'
import {
  isNotForUs,
  listExtras,
  type Quote,
  type RateFrame,
  readCharge,
  readQuote,
  readRateName,
  readRoomId,
  sortByRoom,
} from './rate.ts'
import { floorMinor, readMoney, toMoney } from './wire.ts'

/** No lifetime is published; offers expired within minutes in practice. */
export const OFFER_TTL_MS = 10 * MINUTE_MS

/** Sorted by price. */
export function decodeRooms(properties: readonly Wire[], query: RoomsQuery, frame: RateFrame): RoomOffer[] {
  const property = properties.find(({ hotelId }) => hotelId === query.vendorPropertyId)
  return asRecords(property?.roomTypes)
    .flatMap((offer): RoomOffer[] => {
      const head = readHead(offer, frame)
      const quote = head === undefined || head === 'for_others' ? undefined : readQuote(head, frame)
      return quote === undefined ? [] : [toRoomOffer(offer, quote, query, frame)]
    })
    .sort((a, b) => a.price.total.minor - b.price.total.minor)
}

function toRoomOffer(offer: Wire, quote: Quote, query: RoomsQuery, { now }: RateFrame): RoomOffer {
  const { rates, price, board, bounds } = quote
  const roomIds = rates.map((rate) => readRoomId(rate, offer))
  const [roomId = ''] = roomIds
  const notices = rateNotices(rates)
  const expiresAt = now + OFFER_TTL_MS
  const ref: StayRef = {
    hotel: query.vendorPropertyId,
    offerId: asText(offer.offerId),
    currency: price.total.currency,
    zone: query.timezone,
    checkIn: query.stay.checkIn,
    checkOut: query.stay.checkOut,
    parties: encodeParties(query.stay),
    roomIds,
    fees: price.fees,
    prebookId: '',
    dueMinor: price.dueAtProperty.minor,
  }
  return {
    roomId,
    ...(roomIds.some((id) => id !== roomId) && { roomIds }),
    name: [...new Set(rates.map(readRateName))].filter((name) => name !== '').join(' + '),
    ...sumSleeps(rates),
    beds: [],
    board,
    price,
    cancel: buildTerms(quote.terms, quote.charge, now, query.timezone),
    ...(bounds !== undefined && { bounds }),
    ...(notices.length > 0 && { notices }),
    extras: listExtras(rates, board),
    ref: encodeRef(ref),
    visible: {},
    expiresAt,
  }
}

/** Absent unless every rate has a value. */
function sumSleeps(rates: readonly Wire[]): { sleeps?: number } {
  const perRoom = rates.map(({ maxOccupancy }) => asInteger(maxOccupancy) ?? 0)
  return perRoom.every((sleeps) => sleeps > 0) ? { sleeps: perRoom.reduce((sum, sleeps) => sum + sleeps, 0) } : {}
}

/**
 * Current price and terms from a prebook. The vendor may substitute another offer: one for another room, or one that we
 * may not sell or cannot pay, is sold out.
 */
export function decodePriceCheck(body: unknown, ref: StayRef, frame: RateFrame, payment: Payment): PriceCheck {
  const data = asRecord(asRecord(body)?.data)
  const prebookId = readCode(data?.prebookId)
  const [offer] = asRecords(data?.roomTypes)
  if (data === undefined || prebookId === '' || offer === undefined) throw malformed('the response has no prebook')
  checkStay(data, ref)
  const listedRates = asRecords(offer.rates)
  if (listedRates.length !== ref.parties.length) throw malformed('the prebook is for other rooms')
  const rates = sortByRoom(listedRates) ?? listedRates
  const isSameRoom = rates.every((rate, room) => isRoom(rate, offer, ref.roomIds[room] ?? ''))
  if (!isSameRoom || [data, offer, ...rates].some(isNotForUs)) return SOLD_OUT
  requirePayment(data, payment)
  const quote = readPrebookQuote(data, rates, ref, frame)
  const fees = quote.price.fees
  const notices = rateNotices(rates, [data.termsAndConditions])
  const terms = buildTerms(quote.terms, quote.charge, frame.now, ref.zone)
  const fallback = data.cancellationChanged === true ? nonRefundableFrom(frame.now, quote.charge, ref.zone) : undefined
  return {
    status: 'available',
    price: quote.price,
    cancel: terms ?? fallback,
    board: quote.board,
    ...(quote.bounds !== undefined && { bounds: quote.bounds }),
    ...(notices.length > 0 && { notices }),
    ref: encodeRef({ ...ref, fees, prebookId, dueMinor: quote.price.dueAtProperty.minor }),
    expiresAt: frame.now + OFFER_TTL_MS,
  }
}

const SOLD_OUT: PriceCheck = { status: 'sold_out' }

type Payment = LiteapiConfig['payment']

/**
 * The list of a prebook is binding. The vendor does not document how it names credit (`NONE` is an old name), so for
 * credit a list proves nothing.
 */
function requirePayment({ paymentTypes }: Wire, payment: Payment): void {
  const types = asTexts(paymentTypes)
  if (payment === 'CREDIT' || types.length === 0 || types.includes(payment)) return
  const detail = `the prebook can be paid by ${types.join(', ')}, but SERAI_LITEAPI_PAYMENT is ${payment}`
  throw new VendorError(VENDOR, 'misconfigured', 'none', { detail })
}

function checkStay(data: Wire, ref: StayRef): void {
  const isDifferent = (actual: unknown, expected: string) => asText(actual) !== '' && actual !== expected
  if (
    isDifferent(data.hotelId, ref.hotel) ||
    isDifferent(data.checkin, ref.checkIn) ||
    isDifferent(data.checkout, ref.checkOut)
  ) {
    throw malformed('the prebook is for another stay')
  }
}

/** Names of a room differ between search and prebook, so only the vendor's ids are compared. */
function isRoom(rate: Wire, offer: Wire, shown: string): boolean {
  const mapped = readCode(rate.mappedRoomId) || readCode(offer.mappedRoomId)
  return mapped === '' || mapped === '0' || !/^\d+$/.test(shown) || mapped === shown
}

/**
 * `price` is for all rooms; the commission comes per room, for all rooms, or both. The higher charge is used, unless
 * they differ only by rounding; then the one for all rooms, as in the booking.
 */
function readPrebookQuote(data: Wire, rates: readonly Wire[], ref: StayRef, frame: RateFrame): Quote {
  const total = toMoney(data.price, data.currency)
  if (total === undefined || total.minor === 0) throw malformed('the prebook has no price')
  const { minor, currency } = total
  const byRoom = readCharge(total, rates)
  if (byRoom === undefined) throw malformed('the rates of the prebook do not add up to its price')
  const whole = minor - floorMinor(data.commission, currency)
  const isByRoom = rates.some(({ commission }) => commission !== undefined && commission !== null)
  const wholeOrZero = data.commission === undefined || data.commission === null ? 0 : whole
  const isRounded = Math.abs(byRoom.minor - wholeOrZero) < rates.length
  const charge = { minor: isByRoom && !isRounded ? Math.max(byRoom.minor, wholeOrZero) : whole, currency }
  const undiscounted = sumMoney(rates.map((rate) => readMoney(asRecord(rate.retailRate)?.initialPrice)))
  const initial = undiscounted?.currency === currency ? undiscounted : undefined
  const quote = readQuote({ total, charge, rates, initial, suggested: data.suggestedSellingPrice }, frame, ref.fees)
  if (quote === undefined) throw malformed('the terms of the prebook are unreadable')
  return quote
}
