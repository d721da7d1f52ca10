import { type Conditions, meetsConditions, type Offer } from '../../domain/offer.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { leastBoard } from '../wire/meals.ts'
import { asList, asRecord, asText, readCode, type Wire } from '../wire/read.ts'
import { readCurrency } from '../wire/read-money.ts'
import { selectUsefulRates } from '../wire/useful-rates.ts'
import { findFirstFee, isFreeNow } from './cancel-terms.ts'
import { type Combination, combine, minRoomsLeft, readBounds, readPayable } from './combine.ts'
import { fail } from './failure.ts'
import type { Party } from './parties.ts'
import { isNotForUs, isPrescribed, isSellable, type Pricing, type Quote, readCharge, readQuote } from './rate.ts'

export type DecodeFrame = {
  readonly parties: readonly Party[]
  readonly pricing: Pricing
  readonly now: number
  readonly zone?: string
  /** Currencies of the account; hotels in others are not sold. Any by default. */
  readonly currencies?: readonly string[]
  readonly conditions?: Conditions
}

/** Also called on another thread, so the frame contains everything it needs. */
export const read = (body: unknown, frame: DecodeFrame): AvailabilityAnswer =>
  decodeAvailability(readHotels(body), frame)

export const createReading = (frame: DecodeFrame): Reading<AvailabilityAnswer, DecodeFrame> => ({
  module: import.meta.url,
  read,
  frame,
})

/** The inner list is absent if it is empty. */
export function readHotels(body: unknown): readonly unknown[] {
  const envelope = asRecord(asRecord(body)?.hotels)
  // An error beside the list is reported by `readFailure`.
  if (asRecord(body)?.error !== undefined) return fail('malformed', 'none', 'the list contains an error')
  if (Array.isArray(envelope?.hotels)) return envelope.hotels
  const hasCount = envelope?.total === undefined || typeof envelope.total === 'number'
  if (envelope !== undefined && envelope.hotels === undefined && hasCount) return []
  return fail('malformed', 'none', 'the response has no list of hotels')
}

export function decodeAvailability(hotels: readonly unknown[], frame: DecodeFrame): AvailabilityAnswer {
  const offers: Offer[] = []
  let dropped = 0
  for (const item of hotels) {
    const hotel = asRecord(item)
    const rates = hotel === undefined ? [] : readOffers(hotel, frame)
    if (rates.length === 0 && (hotel === undefined || !isExplained(hotel, frame))) dropped += 1
    offers.push(...selectUsefulRates(rates.filter((rate) => meetsConditions(rate, frame.conditions))))
  }
  return { offers, dropped }
}

/** No rate is for sale to us, for a known reason. */
function isExplained(hotel: Wire, frame: DecodeFrame): boolean {
  const currency = readSoldCurrency(hotel, frame)
  const rates = listRates(hotel)
  if (readCode(hotel.code) === '' || currency === undefined || rates.length === 0) return false
  return rates.every(
    ({ rate, room }) => isNotForUs(rate) || readQuote(rate, room, { ...frame, currency }) !== undefined,
  )
}

function readOffers(hotel: Wire, frame: DecodeFrame): Offer[] {
  const vendorPropertyId = readCode(hotel.code)
  const currency = readSoldCurrency(hotel, frame)
  if (vendorPropertyId === '' || currency === undefined) return []
  const priced = { ...frame, currency }
  const quotes = frame.parties.length === 1 ? readCheapestQuotes(hotel, priced) : readQuotes(hotel, priced)
  return combine(quotes, frame.parties.length, frame.now).map((choice) => toOffer(choice, vendorPropertyId, frame.now))
}

/** All rooms of a combination have one board. */
function toOffer(choice: Combination, vendorPropertyId: string, now: number): Offer {
  const { quotes, price } = choice
  const fees = quotes.map(({ fee }) => fee)
  const isFree = fees.every((fee) => isFreeNow(fee, now))
  const until = isFree ? findFirstFee(fees, now) : undefined
  const roomsLeft = minRoomsLeft(quotes)
  const { payable: net } = readPayable(choice)
  return {
    vendorId: 'hotelbeds',
    vendorPropertyId,
    total: price.total,
    publicTotal: price.publicTotal,
    board: leastBoard(quotes.map(({ board }) => board)) ?? 'room_only',
    ...(isFree && { freeCancellation: until === undefined ? {} : { until } }),
    ...(roomsLeft !== undefined && { roomsLeft }),
    ...readBounds(choice),
    ...(net !== undefined && { net }),
  }
}

type PricedFrame = DecodeFrame & { readonly currency: string }

/**
 * For one party: rates that are cheaper than those before, free to cancel or not. Dearer rates are skipped before they
 * are decoded, because fees only add to the charge. Rates with a prescribed price compete separately, because markup
 * may make others dearer.
 */
function readCheapestQuotes(hotel: Wire, frame: PricedFrame): Quote[] {
  const quotes: Quote[] = []
  const [prescribed, ours] = [createBest(), createBest()]
  for (const { rate, room } of listRates(hotel)) {
    const charge = readCharge(rate, frame)
    const best = isPrescribed(rate, frame) ? prescribed : ours
    if (charge === undefined || (charge >= best.total && charge >= best.free) || !isSellable(rate)) continue
    const quote = readQuote(rate, room, frame)
    if (quote === undefined || frame.conditions?.boards?.includes(quote.board) === false) continue
    const total = quote.price.total.minor
    best.total = Math.min(best.total, total)
    if (isFreeNow(quote.fee, frame.now)) best.free = Math.min(best.free, total)
    quotes.push(quote)
  }
  return quotes
}

const createBest = () => ({ total: Number.POSITIVE_INFINITY, free: Number.POSITIVE_INFINITY })

export function readQuotes(hotel: Wire, frame: PricedFrame): Quote[] {
  const quotes: Quote[] = []
  for (const { rate, room } of listRates(hotel)) {
    const quote = isSellable(rate) ? readQuote(rate, room, frame) : undefined
    if (quote !== undefined) quotes.push(quote)
  }
  return quotes
}

export function listRates(hotel: Wire) {
  const rates: { readonly rate: Wire; readonly room: { readonly code: string; readonly name: string } }[] = []
  for (const item of asList(hotel.rooms)) {
    const wire = asRecord(item)
    const room = { code: readCode(wire?.code), name: asText(wire?.name) }
    for (const entry of asList(wire?.rates)) {
      const rate = asRecord(entry)
      if (rate !== undefined) rates.push({ rate, room })
    }
  }
  return rates
}

export function readSoldCurrency(hotel: Wire, { currencies }: DecodeFrame): string | undefined {
  const currency = readCurrency(hotel.currency)
  return currency !== undefined && (currencies === undefined || currencies.includes(currency)) ? currency : undefined
}
