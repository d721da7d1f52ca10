import { type Conditions, meetsConditions, type Offer } from '../../domain/offer.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { asList, asRecord, asRecords, asText, type Wire } from '../wire/read.ts'
import { selectUsefulRates } from '../wire/useful-rates.ts'
import { readFreeCancellation } from './cancel-terms.ts'
import { isEmpty, malformed, VENDOR } from './failure.ts'
import { isNotForUs, type Quote, type RateFrame, readCharge, readQuote, roomRates } from './rate.ts'
import { isLiteapiId, readMoney } from './wire.ts'

/** Plain data, because it is sent to a thread. */
export type ListFrame = RateFrame & { readonly conditions?: Conditions }

export const read = (body: unknown, frame: ListFrame): AvailabilityAnswer =>
  decodeAvailability(readProperties(body), frame)

export const createReading = (frame: ListFrame): Reading<AvailabilityAnswer, ListFrame> => ({
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

export function decodeAvailability(properties: readonly Wire[], frame: ListFrame): AvailabilityAnswer {
  const offers: Offer[] = []
  let dropped = 0
  for (const property of properties) {
    const id = asText(property.hotelId)
    const { quotes, stubs } = readQuotes(property, frame)
    dropped += stubs
    if (!isLiteapiId(id)) dropped += 1
    else {
      const rates = quotes.map((quote) => toOffer(quote, id, frame))
      offers.push(...selectUsefulRates(rates.filter((rate) => meetsConditions(rate, frame.conditions))))
    }
  }
  return { offers, dropped }
}

const toOffer = ({ price, board, terms, bounds }: Quote, vendorPropertyId: string, frame: ListFrame): Offer => ({
  vendorId: VENDOR,
  vendorPropertyId,
  total: price.total,
  publicTotal: price.publicTotal,
  board,
  ...readFreeCancellation(terms, frame.now, frame.zone),
  ...(bounds !== undefined && { bounds }),
})

function readQuotes(property: Wire, frame: ListFrame) {
  const quotes: Quote[] = []
  let stubs = 0
  for (const item of asList(property.roomTypes)) {
    const offer = asRecord(item)
    const head = offer && readHead(offer, frame)
    if (head === 'for_others') continue
    const quote = head && readQuote(head, frame)
    if (quote !== undefined) quotes.push(quote)
    else stubs += 1
  }
  return { quotes, stubs }
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
