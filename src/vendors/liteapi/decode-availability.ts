import type { ListedRate, PropertyOffer } from '../../domain/offer.ts'
import type { AvailabilityAnswer } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { listedOffer } from '../wire/list-rates.ts'
import { listOf, recordOf, recordsOf, textOf, type Wire } from '../wire/read.ts'
import { freedomOf } from './cancel-terms.ts'
import { isEmpty, malformed } from './failure.ts'
import { chargeOf, isForOthers, type Quote, type RateFrame, readQuote, roomRates } from './rate.ts'
import { isPropertyId, moneyOf } from './wire.ts'

/** Also goes to the reading thread, so it is plain data. */
export type ListFrame = RateFrame & {
  /** So many rates of each property were asked for; absent means all of them. */
  readonly ratesMax?: number
}

/** `hidden`: properties of which only stubs and offers for others came, perhaps because the rest was cut off. */
export type ListAnswer = AvailabilityAnswer & { readonly hidden: readonly string[] }

export const read = (body: unknown, frame: ListFrame): ListAnswer => decodeAvailability(propertiesOf(body), frame)

export const readingOf = (frame: ListFrame): Reading<ListAnswer, ListFrame> => ({
  module: import.meta.url,
  read,
  frame,
})

/**
 * The properties of an answer: `data` of a whole one, or the `rates` of the events of a stream, in which one property may
 * come in several parts. Nothing for sale is told as an error.
 */
export function propertiesOf(body: unknown): Wire[] {
  if (isEmpty(body)) return []
  if (Array.isArray(body)) return joined(recordsOf(body))
  const data = recordOf(body)?.data
  if (Array.isArray(data)) return recordsOf(data)
  throw malformed('no list of rates')
}

function joined(events: readonly Wire[]): Wire[] {
  const properties = new Map<string, Wire>()
  for (const event of events) {
    if (isEmpty(event)) continue
    if (event.error !== undefined) throw malformed('an error in the stream')
    for (const property of recordsOf(event.rates)) {
      const id = textOf(property.hotelId)
      const before = properties.get(id)
      const roomTypes = before && [...listOf(before.roomTypes), ...listOf(property.roomTypes)]
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
    const id = textOf(property.hotelId)
    const { quotes, others, count, stubs } = readOffers(property, frame)
    const offer = listedOffer(
      id,
      quotes.map((quote) => listedRate(quote, frame)),
    )
    dropped += stubs
    if (!isPropertyId(id)) dropped += 1
    else if (offer !== undefined) offers.push(offer)
    else if (others + stubs > 0 && frame.ratesMax !== undefined && count * frame.rooms >= frame.ratesMax)
      hidden.push(id)
  }
  return { offers, dropped, hidden }
}

function listedRate({ price, board, terms, bounds }: Quote, frame: ListFrame): ListedRate {
  return {
    total: price.total,
    publicTotal: price.publicTotal,
    board,
    ...freedomOf(terms, frame.now, frame.zone),
    ...(bounds !== undefined && { bounds }),
  }
}

/** What can be sold. */
function readOffers(property: Wire, frame: ListFrame) {
  const quotes: Quote[] = []
  let others = 0
  let stubs = 0
  const all = listOf(property.roomTypes)
  for (const item of all) {
    const offer = recordOf(item)
    const head = offer && headOf(offer, frame)
    const quote = head === undefined || head === 'for_others' ? undefined : readQuote(head, frame)
    if (quote !== undefined) quotes.push(quote)
    else if (head === 'for_others') others += 1
    else stubs += 1
  }
  return { quotes, others, stubs, count: all.length }
}

/** What an offer is and costs, before its terms are looked at; undefined for one that cannot be sold by anybody. */
export function headOf(offer: Wire, { rooms }: RateFrame) {
  const rates = roomRates(offer.rates, rooms)
  const total = moneyOf(offer.offerRetailRate)
  if (textOf(offer.offerId) === '' || rates === undefined || total === undefined) return undefined
  if (isForOthers(offer) || rates.some(isForOthers)) return 'for_others'
  const charge = chargeOf(total, rates)
  const initial = moneyOf(offer.offerInitialPrice)
  const undiscounted = initial?.currency === total.currency ? initial : undefined
  return charge && { total, charge, rates, initial: undiscounted, suggested: offer.suggestedSellingPrice }
}
