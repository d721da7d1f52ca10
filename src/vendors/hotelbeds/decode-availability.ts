import type { Board, ListedRate, PropertyOffer } from '../../domain/offer.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { asList, asRecord, asText, readCode, type Wire } from '../wire/read.ts'
import { readCurrency } from '../wire/read-money.ts'
import { summarizeRates } from '../wire/summarize-rates.ts'
import { readBoard } from './board.ts'
import { findFirstFee, isFreeNow } from './cancel-terms.ts'
import { type Combination, combine, minRoomsLeft, readBounds, readPayable } from './combine.ts'
import type { SizeLimit } from './encode.ts'
import { fail } from './failure.ts'
import type { Party } from './parties.ts'
import {
  findPartyIndex,
  isNotForUs,
  isPrescribed,
  isSellable,
  type Pricing,
  type Quote,
  readCharge,
  readQuote,
} from './rate.ts'

export type DecodeFrame = {
  readonly parties: readonly Party[]
  readonly pricing: Pricing
  readonly now: number
  readonly zone?: string
  /** Currencies of the account; hotels in others are not sold. Any by default. */
  readonly currencies?: readonly string[]
  /** Limit in the request; absent if there was none. */
  readonly sizeLimit?: SizeLimit
}

/** Also called on another thread, so the frame contains everything it needs. */
export const read = (body: unknown, frame: DecodeFrame): ListAnswer => decodeAvailability(readHotels(body), frame)

export const createReading = (frame: DecodeFrame): Reading<ListAnswer, DecodeFrame> => ({
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

/** `hidden`: hotels without a rate for us, perhaps because of the limit in the request. */
export type ListAnswer = AvailabilityAnswer & { readonly hidden: readonly string[] }

export function decodeAvailability(hotels: readonly unknown[], frame: DecodeFrame): ListAnswer {
  const offers: PropertyOffer[] = []
  const hidden: string[] = []
  let dropped = 0
  for (const item of hotels) {
    const hotel = asRecord(item)
    const offer = hotel && summarizeHotel(hotel, frame)
    if (offer !== undefined) offers.push(offer)
    else if (hotel === undefined || !isExplained(hotel, frame)) dropped += 1
    else if (isTruncated(hotel, frame.sizeLimit)) hidden.push(readCode(hotel.code))
  }
  return { offers, dropped, hidden }
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

/** The limit may have removed rooms or rates. */
function isTruncated(hotel: Wire, sizeLimit: SizeLimit | undefined): boolean {
  if (sizeLimit === undefined) return false
  const rooms = asList(hotel.rooms)
  return (
    rooms.length >= sizeLimit.maxRooms ||
    rooms.some((room) => asList(asRecord(room)?.rates).length >= sizeLimit.maxRatesPerRoom)
  )
}

function summarizeHotel(hotel: Wire, frame: DecodeFrame): PropertyOffer | undefined {
  const vendorPropertyId = readCode(hotel.code)
  const currency = readSoldCurrency(hotel, frame)
  if (vendorPropertyId === '' || currency === undefined) return undefined
  const priced = { ...frame, currency }
  const choices =
    frame.parties.length === 1
      ? usefulQuotes(hotel, priced)
      : combine(readQuotes(hotel, priced), frame.parties.length, frame.now)
  return summarizeRates(
    vendorPropertyId,
    choices.flatMap((choice) => toListedRate(choice, frame.now) ?? []),
  )
}

/** All rooms of a combination have one board. */
function toListedRate(choice: Combination, now: number): ListedRate | undefined {
  const { quotes, price } = choice
  const [first] = quotes
  if (first === undefined) return undefined
  const fees = quotes.map(({ fee }) => fee)
  const isFree = fees.every((fee) => isFreeNow(fee, now))
  const until = isFree ? findFirstFee(fees, now) : undefined
  const roomsLeft = minRoomsLeft(quotes)
  return {
    total: price.total,
    publicTotal: price.publicTotal,
    board: first.board,
    freeCancellation: isFree,
    ...(until !== undefined && { freeCancellationUntil: until }),
    ...(roomsLeft !== undefined && { roomsLeft }),
    ...readBounds(choice),
    ...readPayable(choice),
  }
}

type PricedFrame = DecodeFrame & { readonly currency: string }

/**
 * For one party: the rates that are the cheapest of their board or the cheapest with free cancellation, so far. Rates
 * with a prescribed price compete separately, because markup may make others dearer; dearer rates are skipped early,
 * because fees only add to the charge.
 */
function usefulQuotes(hotel: Wire, frame: PricedFrame): Combination[] {
  const useful: Combination[] = []
  const [prescribed, ours] = [createBest(), createBest()]
  for (const { rate, room } of listRates(hotel)) {
    if (!isSellable(rate) || findPartyIndex(rate, frame.parties) !== 0) continue
    const charge = readCharge(rate, frame)
    const board = readBoard(rate)
    if (charge === undefined || board === undefined) continue
    const best = isPrescribed(rate, frame) ? prescribed : ours
    const bestOfBoard = best.ofBoard.get(board) ?? Number.POSITIVE_INFINITY
    if (charge >= bestOfBoard && charge >= best.free) continue
    const quote = readQuote(rate, room, frame)
    if (quote === undefined) continue
    const total = quote.price.total.minor
    if (total < bestOfBoard) best.ofBoard.set(board, total)
    if (total < best.free && isFreeNow(quote.fee, frame.now)) best.free = total
    useful.push({ quotes: [quote], price: quote.price })
  }
  return useful
}

const createBest = () => ({ ofBoard: new Map<Board, number>(), free: Number.POSITIVE_INFINITY })

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
