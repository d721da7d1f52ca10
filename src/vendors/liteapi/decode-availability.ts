import type { ListedRate, PropertyOffer } from '../../domain/offer.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { asList, asRecord, asRecords, asText, type Wire } from '../wire/read.ts'
import { summarizeRates } from '../wire/summarize-rates.ts'
import { readFreeCancellation } from './cancel-terms.ts'
import { isEmpty, malformed } from './failure.ts'
import { isNotForUs, type Quote, type RateFrame, readCharge, readQuote, roomRates } from './rate.ts'
import { isLiteapiId, readMoney } from './wire.ts'

/** Plain data, because it is sent to a thread. */
export type ListFrame = RateFrame & {
  /** Limit of rates per property in the request; absent means all. */
  readonly ratesMax?: number
}

/** `hidden`: properties without a rate for us, perhaps because of the limit in the request. */
export type ListAnswer = AvailabilityAnswer & { readonly hidden: readonly string[] }

export const read = (body: unknown, frame: ListFrame): ListAnswer => decodeAvailability(readProperties(body), frame)

export const createReading = (frame: ListFrame): Reading<ListAnswer, ListFrame> => ({
  module: import.meta.url,
  read,
  frame,
})

/**
 * Properties in `data`, or in the `rates` of a stream's events, where one property may come in several parts. The
 * vendor reports "nothing for sale" as an error.
 */
export function readProperties(body: unknown): Wire[] {
  if (isEmpty(body)) return []
  if (Array.isArray(body)) return mergeEvents(asRecords(body))
  const data = asRecord(body)?.data
  if (Array.isArray(data)) return asRecords(data)
  throw malformed('the response has no list of rates')
}

function mergeEvents(events: readonly Wire[]): Wire[] {
  const properties = new Map<string, Wire>()
  for (const event of events) {
    if (isEmpty(event)) continue
    if (event.error !== undefined) throw malformed('the stream contains an error')
    for (const property of asRecords(event.rates)) {
      const id = asText(property.hotelId)
      const known = properties.get(id)
      const roomTypes = known && [...asList(known.roomTypes), ...asList(property.roomTypes)]
      properties.set(id, roomTypes === undefined ? property : { ...property, roomTypes })
    }
  }
  return [...properties.values()]
}

export function decodeAvailability(properties: readonly Wire[], frame: ListFrame): ListAnswer {
  const offers: PropertyOffer[] = []
  const hidden: string[] = []
  let dropped = 0
  for (const property of properties) {
    const id = asText(property.hotelId)
    const { quotes, notForUs, count, stubs } = readOffers(property, frame)
    const offer = summarizeRates(
      id,
      quotes.map((quote) => toListedRate(quote, frame)),
    )
    dropped += stubs
    if (!isLiteapiId(id)) dropped += 1
    else if (offer !== undefined) offers.push(offer)
    else if (notForUs + stubs > 0 && frame.ratesMax !== undefined && count * frame.rooms >= frame.ratesMax)
      hidden.push(id)
  }
  return { offers, dropped, hidden }
}

function toListedRate({ price, board, terms, bounds }: Quote, frame: ListFrame): ListedRate {
  return {
    total: price.total,
    publicTotal: price.publicTotal,
    board,
    ...readFreeCancellation(terms, frame.now, frame.zone),
    ...(bounds !== undefined && { bounds }),
  }
}

function readOffers(property: Wire, frame: ListFrame) {
  const quotes: Quote[] = []
  let notForUs = 0
  let stubs = 0
  const roomTypes = asList(property.roomTypes)
  for (const item of roomTypes) {
    const offer = asRecord(item)
    const head = offer && readHead(offer, frame)
    const quote = head === undefined || head === 'for_others' ? undefined : readQuote(head, frame)
    if (quote !== undefined) quotes.push(quote)
    else if (head === 'for_others') notForUs += 1
    else stubs += 1
  }
  return { quotes, notForUs, stubs, count: roomTypes.length }
}

/** Price of an offer without its terms; undefined if it is a stub. */
export function readHead(offer: Wire, { rooms }: RateFrame) {
  const rates = roomRates(offer.rates, rooms)
  const total = readMoney(offer.offerRetailRate)
  if (asText(offer.offerId) === '' || rates === undefined || total === undefined) return undefined
  if (isNotForUs(offer) || rates.some(isNotForUs)) return 'for_others'
  const charge = readCharge(total, rates)
  const initial = readMoney(offer.offerInitialPrice)
  const undiscounted = initial?.currency === total.currency ? initial : undefined
  return charge && { total, charge, rates, initial: undiscounted, suggested: offer.suggestedSellingPrice }
}
