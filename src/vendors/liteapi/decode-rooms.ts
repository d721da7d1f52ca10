import type { RoomOffer } from '../../domain/offer.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { PriceCheck, RoomsQuery } from '../contract.ts'
import { codeOf, recordOf, recordsOf, textOf, textsOf, type Wire, wholeOf } from '../wire/read.ts'
import { sumMoney } from '../wire/read-money.ts'
import { lostFrom, termsOf } from './cancel-terms.ts'
import type { LiteapiConfig } from './config.ts'
import { headOf } from './decode-availability.ts'
import { malformed } from './failure.ts'
import { rateNotices } from './notices.ts'
import { encodeRef, partiesOf, type StayRef } from './offer-ref.ts'
import {
  byNumber,
  chargeOf,
  extrasOf,
  isForOthers,
  nameOf,
  type Quote,
  type RateFrame,
  readQuote,
  roomIdOf,
} from './rate.ts'
import { floorMinor, moneyFrom, moneyOf } from './wire.ts'

/** No lifetime is published, and offers have been seen to go stale within minutes. */
export const OFFER_TTL_MS = 10 * MINUTE_MS

/** Every offer of one property that can be sold, cheapest first. */
export function decodeRooms(properties: readonly Wire[], query: RoomsQuery, frame: RateFrame): RoomOffer[] {
  const property = properties.find(({ hotelId }) => hotelId === query.vendorPropertyId)
  return recordsOf(property?.roomTypes)
    .flatMap((offer): RoomOffer[] => {
      const head = headOf(offer, frame)
      const quote = head === undefined || head === 'for_others' ? undefined : readQuote(head, frame)
      return quote === undefined ? [] : [roomOffer(offer, quote, query, frame)]
    })
    .sort((a, b) => a.price.total.minor - b.price.total.minor)
}

function roomOffer(offer: Wire, quote: Quote, query: RoomsQuery, { now }: RateFrame): RoomOffer {
  const { rates, price, board, bounds } = quote
  const roomIds = rates.map((rate) => roomIdOf(rate, offer))
  const [roomId = ''] = roomIds
  const notices = rateNotices(rates)
  const expiresAt = now + OFFER_TTL_MS
  const ref: StayRef = {
    hotel: query.vendorPropertyId,
    offerId: textOf(offer.offerId),
    currency: price.total.currency,
    zone: query.timezone,
    checkIn: query.stay.checkIn,
    checkOut: query.stay.checkOut,
    parties: partiesOf(query.stay),
    roomIds,
    fees: price.fees,
    prebookId: '',
    dueMinor: price.dueAtProperty.minor,
  }
  return {
    roomId,
    ...(roomIds.some((id) => id !== roomId) && { roomIds }),
    name: [...new Set(rates.map(nameOf))].filter((name) => name !== '').join(' + '),
    ...sleepsOf(rates),
    beds: [],
    board,
    price,
    cancel: termsOf(quote.terms, quote.charge, now, query.timezone),
    ...(bounds !== undefined && { bounds }),
    ...(notices.length > 0 && { notices }),
    extras: extrasOf(rates, board),
    ref: encodeRef(ref),
    visible: {},
    expiresAt,
  }
}

/** Nothing unless each rate says so. */
function sleepsOf(rates: readonly Wire[]): { sleeps?: number } {
  const each = rates.map(({ maxOccupancy }) => wholeOf(maxOccupancy) ?? 0)
  return each.every((sleeps) => sleeps > 0) ? { sleeps: each.reduce((sum, sleeps) => sum + sleeps, 0) } : {}
}

/**
 * What a prebook says the offer costs and means now. It may be another offer, put in the place of one that is gone: one for
 * another room, or one that we may not sell or cannot pay for, is sold out.
 */
export function decodePriceCheck(body: unknown, ref: StayRef, frame: RateFrame, payment: Payment): PriceCheck {
  const data = recordOf(recordOf(body)?.data)
  const prebookId = codeOf(data?.prebookId)
  const [offer] = recordsOf(data?.roomTypes)
  if (data === undefined || prebookId === '' || offer === undefined) throw malformed('no prebook in the answer')
  refuseOther(data, ref)
  const given = recordsOf(offer.rates)
  if (given.length !== ref.parties.length) throw malformed('a prebook for other rooms')
  const rates = byNumber(given) ?? given
  const isSameRoom = rates.every((rate, room) => isRoom(rate, offer, ref.roomIds[room] ?? ''))
  if (!isSameRoom || [data, offer, ...rates].some(isForOthers) || !canBePaid(data, payment)) return SOLD_OUT
  const quote = quoteOf(data, rates, ref, frame)
  const fees = quote.price.fees
  const notices = rateNotices(rates, [data.termsAndConditions])
  const terms = termsOf(quote.terms, quote.charge, frame.now, ref.zone)
  const unknown = data.cancellationChanged === true ? lostFrom(frame.now, quote.charge, ref.zone) : undefined
  return {
    status: 'available',
    price: quote.price,
    cancel: terms ?? unknown,
    board: quote.board,
    ...(quote.bounds !== undefined && { bounds: quote.bounds }),
    ...(notices.length > 0 && { notices }),
    ref: encodeRef({ ...ref, fees, prebookId, dueMinor: quote.price.dueAtProperty.minor }),
    expiresAt: frame.now + OFFER_TTL_MS,
  }
}

const SOLD_OUT: PriceCheck = { status: 'sold_out' }

type Payment = LiteapiConfig['payment']

/** Names of what an account pays from; `NONE` is an old one for credit. */
const OF_ACCOUNT = new Set(['ACC_CREDIT_CARD', 'WALLET', 'CREDIT', 'NONE'])

/**
 * A list that names other ways of the account and not the wallet does without it. How credit is listed is not documented, so
 * its absence says nothing.
 */
function canBePaid({ paymentTypes }: Wire, payment: Payment): boolean {
  const ways = textsOf(paymentTypes).filter((way) => OF_ACCOUNT.has(way))
  return payment === 'CREDIT' || ways.length === 0 || ways.includes(payment)
}

function refuseOther(data: Wire, ref: StayRef): void {
  const isOther = (told: unknown, asked: string) => textOf(told) !== '' && told !== asked
  if (isOther(data.hotelId, ref.hotel) || isOther(data.checkin, ref.checkIn) || isOther(data.checkout, ref.checkOut)) {
    throw malformed('a prebook for another stay')
  }
}

/** Names differ between search and prebook for the same room, so only the vendor's own numbers are compared. */
function isRoom(rate: Wire, offer: Wire, shown: string): boolean {
  const mapped = codeOf(rate.mappedRoomId) || codeOf(offer.mappedRoomId)
  return mapped === '' || mapped === '0' || !/^\d+$/.test(shown) || mapped === shown
}

/**
 * `price` is for all rooms. The commission is given for each room, for all rooms together, or both; the higher charge counts, unless
 * the two differ only by rounding. Then the one for all rooms counts, which a booking repeats.
 */
function quoteOf(data: Wire, rates: readonly Wire[], ref: StayRef, frame: RateFrame): Quote {
  const total = moneyFrom(data.price, data.currency)
  if (total === undefined || total.minor === 0) throw malformed('a prebook without a price')
  const { minor, currency } = total
  const byRoom = chargeOf(total, rates)
  if (byRoom === undefined) throw malformed('a prebook whose rates do not make its price')
  const whole = minor - floorMinor(data.commission, currency)
  const isByRoom = rates.some(({ commission }) => commission !== undefined && commission !== null)
  const told = data.commission === undefined || data.commission === null ? 0 : whole
  const isRounded = Math.abs(byRoom.minor - told) < rates.length
  const charge = { minor: isByRoom && !isRounded ? Math.max(byRoom.minor, told) : whole, currency }
  const before = sumMoney(rates.map((rate) => moneyOf(recordOf(rate.retailRate)?.initialPrice)))
  const initial = before?.currency === currency ? before : undefined
  const quote = readQuote({ total, charge, rates, initial, suggested: data.suggestedSellingPrice }, frame, ref.fees)
  if (quote === undefined) throw malformed('a prebook whose terms cannot be read')
  return quote
}
