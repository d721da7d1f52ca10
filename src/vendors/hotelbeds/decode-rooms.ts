import type { RoomOffer } from '../../domain/offer.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { PriceCheck } from '../contract.ts'
import { leastBoard } from '../wire/meals.ts'
import { asRecord, asRecords, readCode } from '../wire/read.ts'
import { readCurrency } from '../wire/read-money.ts'
import { type Combination, combine, combineTerms, minRoomsLeft, readBounds, readPayable, sumPrices } from './combine.ts'
import { type DecodeFrame, listRates, readQuotes, readSoldCurrency } from './decode-availability.ts'
import { fail } from './failure.ts'
import { commentRefs, rateNotices } from './notices.ts'
import { encodeRef, type StayRef } from './offer-ref.ts'
import type { Party } from './parties.ts'
import { findPartyIndex, isPackaging, listExtras, type Quote, readQuote } from './rate.ts'
import { tidyName } from './wire.ts'

/** A rate key expires after about 30 minutes; five are reserved for the booking itself. */
export const RATE_KEY_TTL_MS = 25 * MINUTE_MS

export function decodeRooms(
  hotels: readonly unknown[],
  vendorPropertyId: string,
  frame: DecodeFrame,
  language?: string,
): RoomOffer[] {
  const hotel = asRecords(hotels).find(({ code }) => readCode(code) === vendorPropertyId)
  const currency = hotel && readSoldCurrency(hotel, frame)
  if (hotel === undefined || currency === undefined) return []
  const combinations = combine(readQuotes(hotel, { ...frame, currency }), frame.parties.length, frame.now)
  return combinations
    .sort((a, b) => a.price.total.minor - b.price.total.minor)
    .map((combination) => toRoomOffer(combination, vendorPropertyId, frame, language))
}

function toRoomOffer(combination: Combination, hotel: string, frame: DecodeFrame, language?: string): RoomOffer {
  const { quotes, price } = combination
  const { parties, zone, now } = frame
  const [first] = quotes
  if (first === undefined) throw new Error('empty combination')
  const roomsLeft = minRoomsLeft(quotes)
  const roomIds = listRoomCodes(quotes, parties)
  const expiresAt = now + RATE_KEY_TTL_MS
  const notices = rateNotices(quotes.map(({ wire }) => wire))
  const remarkRefs = commentRefs(quotes.map(({ wire }) => wire))
  return {
    roomId: first.roomCode,
    ...(roomIds.some((code) => code !== first.roomCode) && { roomIds }),
    name: [...new Set(quotes.map((quote) => tidyName(quote.roomName)))].join(' + '),
    beds: [],
    board: first.board,
    price,
    cancel: combineTerms(quotes, now, zone),
    ...readBounds(combination),
    ...readPayable(combination),
    ...(roomsLeft !== undefined && { roomsLeft }),
    extras: [...new Set(quotes.flatMap(listExtras))],
    ...(notices.length > 0 && { notices }),
    ...(remarkRefs.length > 0 && { remarkRefs }),
    ref: encodeRef({ hotel, zone, currency: price.total.currency, parties, quotes, expiresAt, language }),
    visible: {},
    expiresAt,
  }
}

/** In the order of the stay's rooms. */
function listRoomCodes(quotes: readonly Quote[], parties: readonly Party[]): string[] {
  const codes: string[] = []
  for (const { party, roomCode } of quotes) for (const room of parties[party]?.rooms ?? []) codes[room] = roomCode
  return codes
}

/**
 * Current price of the checked rates. A rate that is missing or is now sold only in packages is sold out; an unreadable
 * rate is a failure.
 */
export function decodePriceCheck(bodies: readonly unknown[], ref: StayRef, frame: DecodeFrame): PriceCheck {
  const rates = bodies.flatMap((body) => checkedRates(body, ref, frame))
  const chosen: Quote[] = []
  for (const wanted of ref.rates) {
    const found = pickRate(rates, wanted)
    if (found === undefined && rates.length >= ref.rates.length)
      return fail('malformed', 'none', 'the response contains other rates')
    if (found === undefined || isPackaging(found.rate)) return { status: 'sold_out' }
    const quote = readQuote(found.rate, found.room, { ...frame, currency: ref.currency })
    chosen.push(quote ?? fail('malformed', 'none', 'a checked rate is unreadable'))
  }
  const { hotel, zone, currency, language } = ref
  const isRenewed = chosen.every((quote, index) => quote.rateKey !== ref.rates[index]?.rateKey)
  const expiresAt = isRenewed ? Math.max(ref.expiresAt, frame.now + RATE_KEY_TTL_MS) : ref.expiresAt
  const board = leastBoard(chosen.map((quote) => quote.board))
  const notices = rateNotices(chosen.map(({ wire }) => wire))
  const price = sumPrices(chosen.map((quote) => quote.price))
  return {
    status: 'available',
    price,
    ...readBounds({ quotes: chosen, price }),
    ...readPayable({ quotes: chosen, price }),
    cancel: combineTerms(chosen, frame.now, zone),
    ...(board !== undefined && { board }),
    ...(notices.length > 0 && { notices }),
    ref: encodeRef({ hotel, zone, currency, parties: frame.parties, quotes: chosen, expiresAt, language }),
    expiresAt,
  }
}

type CheckedRate = ReturnType<typeof listRates>[number] & { readonly party: number }

function checkedRates(body: unknown, ref: StayRef, frame: DecodeFrame): CheckedRate[] {
  const check = asRecord(body)
  const hotel = asRecord(check?.hotel) ?? asRecord(check?.hotels)
  const currency = readCurrency(hotel?.currency)
  if (hotel === undefined || currency === undefined || currency !== ref.currency)
    return fail('malformed', 'none', 'the response has no checked rates')
  if (hotel.paymentDataRequired === true) return fail('refused', 'none', 'card details are required')
  return listRates(hotel).map((entry) => ({ ...entry, party: findPartyIndex(entry.rate, frame.parties) }))
}

/**
 * Matches by rate key. If the key was replaced: by party, room and board, or by party and room, if that is unique. Of
 * several, none is chosen, because they may have other prices and terms. The same key at two prices is as ambiguous.
 */
function pickRate(rates: readonly CheckedRate[], wanted: StayRef['rates'][number]): CheckedRate | undefined {
  const byKey = rates.filter(({ rate }) => rate.rateKey === wanted.rateKey)
  if (byKey.length > 0) return byKey.every(({ rate }) => rate.net === byKey[0]?.rate.net) ? byKey[0] : undefined
  const candidates = rates.filter(({ party, room }) => party === wanted.party && room.code === wanted.roomCode)
  const sameBoard = candidates.filter(({ rate }) => rate.boardCode === wanted.boardCode)
  const [only, ...others] = sameBoard.length > 0 ? sameBoard : candidates
  return others.length === 0 ? only : undefined
}
