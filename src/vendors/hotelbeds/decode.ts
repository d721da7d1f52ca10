import type { PropertyOffer, RoomOffer } from '../../domain/offer.ts'
import type { AvailabilityAnswer, PriceCheck } from '../contract.ts'
import { freeUntil, isFreeNow } from './cancel-terms.ts'
import { type Combination, cancelOf, combine, roomsLeftOf, sumPrices } from './combine.ts'
import { chargeOf, currencyOf, isSellable, type Pricing, partyOf, type Quote, readQuote } from './decode-rate.ts'
import { encodeRef, type StayRef } from './offer-ref.ts'
import type { Party } from './parties.ts'
import { tidyName } from './tidy-name.ts'
import {
  codeOf,
  listOf,
  objectOf,
  textOf,
  type WireAvailability,
  type WireCheck,
  type WireHotel,
  type WireHotels,
  type WireRate,
  type WireRoom,
} from './wire.ts'

export type DecodeFrame = {
  readonly parties: readonly Party[]
  readonly pricing: Pricing
  readonly now: number
  readonly zone?: string
  /** The account's currencies; an answer in another one is not sold. Absent means any. */
  readonly currencies?: readonly string[]
}

/** The hotels of an availability answer, which leaves the inner list out when empty; undefined when it is none. */
export function hotelsOf(body: unknown): readonly unknown[] | undefined {
  const hotels = objectOf<WireHotels>(objectOf<WireAvailability>(body)?.hotels)
  if (hotels === undefined) return undefined
  if (hotels.hotels === undefined)
    return typeof hotels.total === 'number' || hotels.total === undefined ? [] : undefined
  return Array.isArray(hotels.hotels) ? hotels.hotels : undefined
}

export function decodeAvailability(hotels: Iterable<unknown>, frame: DecodeFrame): AvailabilityAnswer {
  const offers: PropertyOffer[] = []
  let dropped = 0
  for (const item of hotels) {
    const hotel = objectOf<WireHotel>(item)
    const offer = hotel && cheapestOf(hotel, frame)
    if (offer === undefined) dropped += 1
    else offers.push(offer)
  }
  return { offers, dropped }
}

function cheapestOf(hotel: WireHotel, frame: DecodeFrame): PropertyOffer | undefined {
  const vendorPropertyId = codeOf(hotel.code)
  const currency = soldCurrency(hotel, frame)
  if (vendorPropertyId === '' || currency === undefined) return undefined
  const best =
    frame.parties.length === 1
      ? cheapestQuote(hotel, { ...frame, currency })
      : cheapestCombination(readQuotes(hotel, { ...frame, currency }), frame)
  if (best === undefined) return undefined
  const [quote] = best.quotes
  if (quote === undefined) return undefined
  const roomsLeft = roomsLeftOf(best.quotes)
  const fees = best.quotes.map(({ fee }) => fee)
  const isFree = fees.every((fee) => isFreeNow(fee, frame.now))
  const until = isFree ? freeUntil(fees, frame.now) : undefined
  return {
    vendorPropertyId,
    total: best.price.total,
    publicTotal: best.price.publicTotal,
    board: quote.board,
    freeCancellation: isFree,
    ...(until !== undefined && { freeCancellationUntil: until }),
    ...(roomsLeft !== undefined && { roomsLeft }),
  }
}

type PricedFrame = DecodeFrame & { readonly currency: string }

/** One party: only a rate that may beat the best so far is read whole, because what a charge lacks only adds to it. */
function cheapestQuote(hotel: WireHotel, frame: PricedFrame): Combination | undefined {
  let best: Quote | undefined
  for (const item of listOf(hotel.rooms)) {
    const room = objectOf<WireRoom>(item)
    for (const entry of listOf(room?.rates)) {
      const rate = objectOf<WireRate>(entry)
      if (rate === undefined || !isSellable(rate) || partyOf(rate, frame.parties) !== 0) continue
      const charge = chargeOf(rate, frame)
      if (charge === undefined || (best !== undefined && charge >= best.price.total.minor)) continue
      const quote = readQuote(rate, roomOf(room), frame)
      if (quote !== undefined && (best === undefined || quote.price.total.minor < best.price.total.minor)) best = quote
    }
  }
  return best && { quotes: [best], price: best.price }
}

function cheapestCombination(quotes: readonly Quote[], frame: DecodeFrame): Combination | undefined {
  let best: Combination | undefined
  for (const combination of combine(quotes, frame.parties.length, frame.now)) {
    if (best === undefined || combination.price.total.minor < best.price.total.minor) best = combination
  }
  return best
}

/** Every rate of a hotel that we can read and that `isWanted`. */
function readQuotes(hotel: WireHotel, frame: PricedFrame, isWanted: (rate: WireRate) => boolean = isSellable): Quote[] {
  const quotes: Quote[] = []
  for (const item of listOf(hotel.rooms)) {
    const room = objectOf<WireRoom>(item)
    for (const entry of listOf(room?.rates)) {
      const rate = objectOf<WireRate>(entry)
      const quote = rate && isWanted(rate) ? readQuote(rate, roomOf(room), frame) : undefined
      if (quote !== undefined) quotes.push(quote)
    }
  }
  return quotes
}

const roomOf = (room: WireRoom | undefined) => ({ code: codeOf(room?.code), name: textOf(room?.name) })

function soldCurrency(hotel: WireHotel, { currencies }: DecodeFrame): string | undefined {
  const currency = currencyOf(hotel.currency)
  return currency !== undefined && (currencies === undefined || currencies.includes(currency)) ? currency : undefined
}

/** Every choice in one property, cheapest first. */
export function decodeRooms(
  hotels: readonly unknown[],
  vendorPropertyId: string,
  frame: DecodeFrame,
  expiresAt: number,
): RoomOffer[] {
  const hotel = hotels.map((item) => objectOf<WireHotel>(item)).find((item) => codeOf(item?.code) === vendorPropertyId)
  const currency = hotel && soldCurrency(hotel, frame)
  if (hotel === undefined || currency === undefined) return []
  const combinations = combine(readQuotes(hotel, { ...frame, currency }), frame.parties.length, frame.now)
  return combinations
    .sort((a, b) => a.price.total.minor - b.price.total.minor)
    .map((combination) => roomOffer(combination, vendorPropertyId, frame, expiresAt))
}

function roomOffer(combination: Combination, hotel: string, frame: DecodeFrame, expiresAt: number): RoomOffer {
  const { quotes, price } = combination
  const [first] = quotes
  if (first === undefined) throw new Error('a combination of nothing')
  const roomsLeft = roomsLeftOf(quotes)
  const roomIds = roomCodesOf(quotes, frame.parties)
  const ref = { hotel, zone: frame.zone, currency: price.total.currency, parties: frame.parties, quotes, expiresAt }
  return {
    roomId: first.roomCode,
    ...(roomIds.some((code) => code !== first.roomCode) && { roomIds }),
    name: [...new Set(quotes.map((quote) => tidyName(quote.roomName)))].join(' + '),
    beds: [],
    board: first.board,
    price,
    cancel: cancelOf(quotes, frame.now, frame.zone),
    ...(roomsLeft !== undefined && { roomsLeft }),
    extras: [...new Set(quotes.flatMap((quote) => quote.extras))],
    ref: encodeRef(ref),
    visible: {},
    expiresAt,
  }
}

/** In the order of the stay's rooms. */
function roomCodesOf(quotes: readonly Quote[], parties: readonly Party[]): string[] {
  const codes: string[] = []
  for (const { party, roomCode } of quotes) for (const room of parties[party]?.rooms ?? []) codes[room] = roomCode
  return codes
}

/**
 * What the checked rates cost now. Several keys come back grouped by room, in an order of the vendor's; a key may have
 * been replaced, so a rate is known by its key or else by room, board and party. One that is missing is sold out.
 */
export function decodePriceCheck(bodies: readonly unknown[], ref: StayRef, frame: DecodeFrame): PriceCheck | undefined {
  const quotes: Quote[] = []
  for (const body of bodies) {
    const check = objectOf<WireCheck>(body)
    const hotel = objectOf<WireHotel>(check?.hotel) ?? objectOf<WireHotel>(check?.hotels)
    const currency = hotel && currencyOf(hotel.currency)
    if (hotel === undefined || currency !== ref.currency) return undefined
    // A rate that was offered stays one, under the key it was offered with.
    const offered = (rate: WireRate) => isSellable(rate) || ref.rates.some(({ rateKey }) => rateKey === rate.rateKey)
    quotes.push(...readQuotes(hotel, { ...frame, currency }, offered))
  }
  const chosen: Quote[] = []
  for (const wanted of ref.rates) {
    const quote =
      quotes.find((candidate) => candidate.rateKey === wanted.rateKey) ??
      quotes.find(
        (candidate) =>
          candidate.party === wanted.party &&
          candidate.roomCode === wanted.roomCode &&
          candidate.boardCode === wanted.boardCode,
      )
    if (quote === undefined) return { status: 'sold_out' }
    chosen.push(quote)
  }
  const { hotel, zone, currency } = ref
  const renewed = chosen.every((quote, index) => quote.rateKey !== ref.rates[index]?.rateKey)
  const expiresAt = renewed ? Math.max(ref.expiresAt, frame.now + RATE_KEY_TTL_MS) : ref.expiresAt
  return {
    status: 'available',
    price: sumPrices(chosen.map((quote) => quote.price)),
    cancel: cancelOf(chosen, frame.now, zone),
    ref: encodeRef({ hotel, zone, currency, parties: frame.parties, quotes: chosen, expiresAt }),
    expiresAt,
  }
}

/** The vendor forgets a rate key after about 30 minutes; five are kept back for the way to the booking. */
export const RATE_KEY_TTL_MS = 25 * 60_000
