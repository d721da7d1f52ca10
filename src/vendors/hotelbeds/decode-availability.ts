import type { Board, ListedRate, PropertyOffer } from '../../domain/offer.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { listedOffer } from '../wire/list-rates.ts'
import { codeOf, listOf, recordOf, textOf, type Wire } from '../wire/read.ts'
import { currencyOf } from '../wire/read-money.ts'
import { boardOf } from './board.ts'
import { freeUntil, isFreeNow } from './cancel-terms.ts'
import { boundsOf, type Combination, combine, payableOf, roomsLeftOf } from './combine.ts'
import type { Cut } from './encode.ts'
import { fail } from './failure.ts'
import type { Party } from './parties.ts'
import {
  chargeOf,
  isForOthers,
  isPrescribed,
  isSellable,
  type Pricing,
  partyOf,
  type Quote,
  readQuote,
} from './rate.ts'

/** What is needed beside an answer to decode it. */
export type DecodeFrame = {
  readonly parties: readonly Party[]
  readonly pricing: Pricing
  readonly now: number
  readonly zone?: string
  /** The account's currencies; an answer in another one is not sold. Absent means any. */
  readonly currencies?: readonly string[]
  /** How much of each hotel was asked for; absent means all of it. */
  readonly cut?: Cut
}

/** Also called on another thread, so the frame holds everything it needs. */
export const read = (body: unknown, frame: DecodeFrame): ListAnswer => decodeAvailability(hotelsOf(body), frame)

export const readingOf = (frame: DecodeFrame): Reading<ListAnswer, DecodeFrame> => ({
  module: import.meta.url,
  read,
  frame,
})

/** The hotels of an availability answer, which leaves the inner list out when it is empty. */
export function hotelsOf(body: unknown): readonly unknown[] {
  const envelope = recordOf(recordOf(body)?.hotels)
  // An error beside the list is for `failureOf` to read.
  if (recordOf(body)?.error !== undefined) return fail('malformed', 'none', 'an error with the list')
  if (Array.isArray(envelope?.hotels)) return envelope.hotels
  const hasCount = envelope?.total === undefined || typeof envelope.total === 'number'
  if (envelope !== undefined && envelope.hotels === undefined && hasCount) return []
  return fail('malformed', 'none', 'no list of hotels')
}

/** `hidden`: hotels of which only rates for others came, perhaps because the rest was cut off. */
export type ListAnswer = AvailabilityAnswer & { readonly hidden: readonly string[] }

export function decodeAvailability(hotels: readonly unknown[], frame: DecodeFrame): ListAnswer {
  const offers: PropertyOffer[] = []
  const hidden: string[] = []
  let dropped = 0
  for (const item of hotels) {
    const hotel = recordOf(item)
    const offer = hotel && cheapestOf(hotel, frame)
    if (offer !== undefined) offers.push(offer)
    else if (hotel === undefined || !isUnderstood(hotel, frame)) dropped += 1
    else if (isCut(hotel, frame.cut)) hidden.push(codeOf(hotel.code))
  }
  return { offers, dropped, hidden }
}

/** Nothing in it is for sale to us, and we know why. */
function isUnderstood(hotel: Wire, frame: DecodeFrame): boolean {
  const currency = soldCurrency(hotel, frame)
  const rates = ratesOf(hotel)
  if (codeOf(hotel.code) === '' || currency === undefined || rates.length === 0) return false
  return rates.every(
    ({ rate, room }) => isForOthers(rate) || readQuote(rate, room, { ...frame, currency }) !== undefined,
  )
}

/** Whether there may be more of it than was sent. */
function isCut(hotel: Wire, cut: Cut | undefined): boolean {
  if (cut === undefined) return false
  const rooms = listOf(hotel.rooms)
  return (
    rooms.length >= cut.maxRooms || rooms.some((room) => listOf(recordOf(room)?.rates).length >= cut.maxRatesPerRoom)
  )
}

function cheapestOf(hotel: Wire, frame: DecodeFrame): PropertyOffer | undefined {
  const vendorPropertyId = codeOf(hotel.code)
  const currency = soldCurrency(hotel, frame)
  if (vendorPropertyId === '' || currency === undefined) return undefined
  const priced = { ...frame, currency }
  const choices =
    frame.parties.length === 1
      ? usefulQuotes(hotel, priced)
      : combine(readQuotes(hotel, priced), frame.parties.length, frame.now)
  return listedOffer(
    vendorPropertyId,
    choices.flatMap((choice) => listedRate(choice, frame.now) ?? []),
  )
}

/** All rooms of a combination have one board. */
function listedRate(choice: Combination, now: number): ListedRate | undefined {
  const { quotes, price } = choice
  const [first] = quotes
  if (first === undefined) return undefined
  const fees = quotes.map(({ fee }) => fee)
  const isFree = fees.every((fee) => isFreeNow(fee, now))
  const until = isFree ? freeUntil(fees, now) : undefined
  const roomsLeft = roomsLeftOf(quotes)
  return {
    total: price.total,
    publicTotal: price.publicTotal,
    board: first.board,
    freeCancellation: isFree,
    ...(until !== undefined && { freeCancellationUntil: until }),
    ...(roomsLeft !== undefined && { roomsLeft }),
    ...boundsOf(choice),
    ...payableOf(choice),
  }
}

type PricedFrame = DecodeFrame & { readonly currency: string }

/**
 * One party: the rates that are the cheapest of their board, or the cheapest to cancel for free, so far; those with a prescribed
 * price by themselves, because others may sell for more. No other is read in full: what its charge lacks can only add to it.
 */
function usefulQuotes(hotel: Wire, frame: PricedFrame): Combination[] {
  const useful: Combination[] = []
  const [prescribed, ours] = [createBest(), createBest()]
  for (const { rate, room } of ratesOf(hotel)) {
    if (!isSellable(rate) || partyOf(rate, frame.parties) !== 0) continue
    const charge = chargeOf(rate, frame)
    const board = boardOf(rate)
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

/** Every rate of a hotel that may be sold and that we can read. */
export function readQuotes(hotel: Wire, frame: PricedFrame): Quote[] {
  const quotes: Quote[] = []
  for (const { rate, room } of ratesOf(hotel)) {
    const quote = isSellable(rate) ? readQuote(rate, room, frame) : undefined
    if (quote !== undefined) quotes.push(quote)
  }
  return quotes
}

export function ratesOf(hotel: Wire) {
  const rates: { readonly rate: Wire; readonly room: { readonly code: string; readonly name: string } }[] = []
  for (const item of listOf(hotel.rooms)) {
    const wire = recordOf(item)
    const room = { code: codeOf(wire?.code), name: textOf(wire?.name) }
    for (const entry of listOf(wire?.rates)) {
      const rate = recordOf(entry)
      if (rate !== undefined) rates.push({ rate, room })
    }
  }
  return rates
}

export function soldCurrency(hotel: Wire, { currencies }: DecodeFrame): string | undefined {
  const currency = currencyOf(hotel.currency)
  return currency !== undefined && (currencies === undefined || currencies.includes(currency)) ? currency : undefined
}
