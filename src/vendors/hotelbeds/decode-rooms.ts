import type { RoomOffer } from '../../domain/offer.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { PriceCheck } from '../contract.ts'
import { leastBoard } from '../wire/meals.ts'
import { codeOf, recordOf, recordsOf } from '../wire/read.ts'
import { currencyOf } from '../wire/read-money.ts'
import { boundsOf, type Combination, cancelOf, combine, payableOf, roomsLeftOf, sumPrices } from './combine.ts'
import { type DecodeFrame, ratesOf, readQuotes, soldCurrency } from './decode-availability.ts'
import { fail } from './failure.ts'
import { commentRefs, rateNotices } from './notices.ts'
import { encodeRef, type StayRef } from './offer-ref.ts'
import type { Party } from './parties.ts'
import { isPackaging, partyOf, type Quote, readQuote } from './rate.ts'
import { tidyName } from './wire.ts'

/** The vendor forgets a rate key after about 30 minutes; five are kept back for the way to the booking. */
export const RATE_KEY_TTL_MS = 25 * MINUTE_MS

/** Every choice in one property, cheapest first. */
export function decodeRooms(hotels: readonly unknown[], vendorPropertyId: string, frame: DecodeFrame): RoomOffer[] {
  const hotel = recordsOf(hotels).find(({ code }) => codeOf(code) === vendorPropertyId)
  const currency = hotel && soldCurrency(hotel, frame)
  if (hotel === undefined || currency === undefined) return []
  const combinations = combine(readQuotes(hotel, { ...frame, currency }), frame.parties.length, frame.now)
  return combinations
    .sort((a, b) => a.price.total.minor - b.price.total.minor)
    .map((combination) => roomOffer(combination, vendorPropertyId, frame))
}

function roomOffer(combination: Combination, hotel: string, frame: DecodeFrame): RoomOffer {
  const { quotes, price } = combination
  const { parties, zone, now } = frame
  const [first] = quotes
  if (first === undefined) throw new Error('a combination of nothing')
  const roomsLeft = roomsLeftOf(quotes)
  const roomIds = roomCodesOf(quotes, parties)
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
    cancel: cancelOf(quotes, now, zone),
    ...boundsOf(combination),
    ...payableOf(combination),
    ...(roomsLeft !== undefined && { roomsLeft }),
    extras: [...new Set(quotes.flatMap((quote) => quote.extras))],
    ...(notices.length > 0 && { notices }),
    ...(remarkRefs.length > 0 && { remarkRefs }),
    ref: encodeRef({ hotel, zone, currency: price.total.currency, parties, quotes, expiresAt }),
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
 * What the checked rates cost now. One that is missing from the answers, or that may now be sold only inside a package, is sold
 * out; one that is there and cannot be read is a failure, because nothing is known about it.
 */
export function decodePriceCheck(bodies: readonly unknown[], ref: StayRef, frame: DecodeFrame): PriceCheck {
  const rates = bodies.flatMap((body) => checkedRates(body, ref, frame))
  const chosen: Quote[] = []
  for (const wanted of ref.rates) {
    const found = pickRate(rates, wanted)
    if (found === undefined && rates.length >= ref.rates.length)
      return fail('malformed', 'none', 'other rates than asked for')
    if (found === undefined || isPackaging(found.rate)) return { status: 'sold_out' }
    const quote = readQuote(found.rate, found.room, { ...frame, currency: ref.currency })
    chosen.push(quote ?? fail('malformed', 'none', 'a checked rate that cannot be read'))
  }
  const { hotel, zone, currency } = ref
  const renewed = chosen.every((quote, index) => quote.rateKey !== ref.rates[index]?.rateKey)
  const expiresAt = renewed ? Math.max(ref.expiresAt, frame.now + RATE_KEY_TTL_MS) : ref.expiresAt
  const board = leastBoard(chosen.map((quote) => quote.board))
  const notices = rateNotices(chosen.map(({ wire }) => wire))
  const price = sumPrices(chosen.map((quote) => quote.price))
  return {
    status: 'available',
    price,
    ...boundsOf({ quotes: chosen, price }),
    ...payableOf({ quotes: chosen, price }),
    cancel: cancelOf(chosen, frame.now, zone),
    ...(board !== undefined && { board }),
    ...(notices.length > 0 && { notices }),
    ref: encodeRef({ hotel, zone, currency, parties: frame.parties, quotes: chosen, expiresAt }),
    expiresAt,
  }
}

type CheckedRate = ReturnType<typeof ratesOf>[number] & { readonly party: number }

function checkedRates(body: unknown, ref: StayRef, frame: DecodeFrame): CheckedRate[] {
  const check = recordOf(body)
  const hotel = recordOf(check?.hotel) ?? recordOf(check?.hotels)
  const currency = currencyOf(hotel?.currency)
  if (hotel === undefined || currency === undefined || currency !== ref.currency)
    return fail('malformed', 'none', 'no checked rates')
  if (hotel.paymentDataRequired === true) return fail('refused', 'none', 'wants card details')
  return ratesOf(hotel).map((each) => ({ ...each, party: partyOf(each.rate, frame.parties) }))
}

/**
 * Rates come back in an order of the vendor's. A key may have been replaced: then party, room and board tell, and where the
 * board has changed, party and room.
 */
function pickRate(rates: readonly CheckedRate[], wanted: StayRef['rates'][number]): CheckedRate | undefined {
  const byKey = rates.find(({ rate }) => rate.rateKey === wanted.rateKey)
  if (byKey !== undefined) return byKey
  const alike = rates.filter(({ party, room }) => party === wanted.party && room.code === wanted.roomCode)
  return alike.find(({ rate }) => rate.boardCode === wanted.boardCode) ?? (alike.length === 1 ? alike[0] : undefined)
}
