import type { OfferRef, RoomOffer } from '../../domain/offer.ts'
import { describeBeds, findBedType, parseBeds } from '../../domain/property/beds.ts'
import { joinNotices } from '../../domain/property/notices.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { PriceCheck, RoomsQuery } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import { mealNotice } from '../wire/meals.ts'
import { asEntries, asInteger, asRecord, asRecords, asText, asTexts, readId, type Wire } from '../wire/read.ts'
import { countGuests, listMealNames, readBoard } from './board.ts'
import { decodeTerms, packRules, readTermRules, type TermRules, unpackRules } from './cancel-terms.ts'
import { type RapidStay, readRoomsLeft, toRapidStay } from './decode-availability.ts'
import { malformed, RAPID } from './failure.ts'
import { rateNotices, taxesNotice, termsNotice, traderNotices } from './notices.ts'
import { decodePrice, isForSale, readBillable, readBounds, readRoomPrices } from './rate.ts'
import { readApiLink } from './wire.ts'

/** Lifetime of an offer whose link has no expiry. */
export const OFFER_TTL_MS = 10 * MINUTE_MS

type Frame = {
  readonly query: RoomsQuery
  readonly origin: string
  readonly termsUrl: string
  readonly taxesText: string
  readonly now: number
}

/** Each bed group of each rate is one offer: the price-check link belongs to the bed group. */
export function decodeRooms(properties: readonly unknown[], frame: Frame): RoomOffer[] {
  const property = asRecords(properties).find((entry) => readId(entry.property_id) === frame.query.vendorPropertyId)
  return asRecords(property?.rooms).flatMap((room) =>
    readId(room.id) === '' ? [] : asRecords(room.rates).flatMap((rate) => decodeRate(rate, room, frame)),
  )
}

function decodeRate(rate: Wire, room: Wire, { query, origin, termsUrl, taxesText, now }: Frame): RoomOffer[] {
  const { timezone } = query
  const stay = toRapidStay(query.stay, query.market.currency)
  const rooms = readRoomPrices(rate.occupancy_pricing, stay.occupancies, stay.currency)
  const rules = readTermRules(rate, timezone)
  if (!isForSale(rate) || rooms === undefined || rules === undefined) return []
  const board = readBoard(rate.amenities, countGuests(stay.occupancies))
  const shared = {
    roomId: readId(room.id),
    name: plainText(asText(room.room_name)),
    board,
    price: decodePrice(rooms, stay.currency),
    ...readBounds(rooms, stay.currency),
    cancel: decodeTerms(rules, { ...stay, rooms, timezone }, now),
    ...readRoomsLeft(rate),
    extras: asEntries(rate.amenities)
      .map(([, amenity]) => plainText(asText(asRecord(amenity)?.name)))
      .filter((name) => name !== ''),
    notices: joinNotices(rateNotices(rate), [
      mealNotice(board, listMealNames(rate.amenities)),
      taxesNotice(taxesText),
      termsNotice(termsUrl),
    ]),
  }
  const ref = buildRef(stay, rules, timezone)
  return asEntries(rate.bed_groups).flatMap(([key, value]) => {
    const bed = asRecord(value)
    const link = readApiLink(asRecord(bed?.links)?.price_check, origin)
    const bedId = readId(bed?.id) || readId(key)
    if (bed === undefined || bedId === '' || link === undefined) return []
    return {
      ...shared,
      beds: readBedGroup(bed),
      ref: { ...ref, check: link.path },
      visible: { bed_id: bedId },
      expiresAt: link.expiresAt ?? now + OFFER_TTL_MS,
    }
  })
}

/** In English, like other beds; Rapid describes them in the language of the search. */
function readBedGroup({ description, configuration }: Wire): string[] {
  const text = plainText(asText(description))
  const beds = asRecords(configuration).flatMap(({ type, quantity }) => {
    const known = findBedType(asText(type))
    return known === undefined ? [] : [{ type: known, count: asInteger(quantity) ?? 1 }]
  })
  const isCoded = beds.length > 0 && beds.length === asRecords(configuration).length
  return parseBeds(text).length === 0 && isCoded ? [describeBeds(beds)] : [text].filter((each) => each !== '')
}

/** Contains what the price-check link lacks: party, currency and terms. */
function buildRef(stay: RapidStay, rules: TermRules, timezone: string): OfferRef {
  return {
    timezone,
    currency: stay.currency,
    occupancies: stay.occupancies,
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    ...packTerms(rules),
  }
}

const packTerms = (rules: TermRules): OfferRef => ({
  refundable: rules.refundable === undefined ? 'unsaid' : rules.refundable ? 'yes' : 'no',
  penalties: packRules(rules),
  lostNights: rules.lostNights.map((range) => range.join('/')),
})

const unpackTerms = (ref: OfferRef): TermRules => ({
  refundable: ref.refundable === 'unsaid' ? undefined : ref.refundable === 'yes',
  rules: unpackRules(asTexts(ref.penalties)),
  lostNights: asTexts(ref.lostNights).map((range) => [range.slice(0, 10), range.slice(11)]),
})

/** `matched` is what version 2 of the API called `available`; some of the documentation still does. */
const FOR_SALE = new Set<unknown>(['available', 'price_changed', 'matched'])

export function decodePriceCheck(body: unknown, ref: OfferRef, origin: string, now: number): PriceCheck {
  const answer = asRecord(body)
  if (answer?.status === 'sold_out') return { status: 'sold_out' }
  if (!FOR_SALE.has(answer?.status)) throw malformed('price check without a known status')
  const book = readBookLink(answer?.links, origin)
  const { currency } = ref
  const occupancies = asTexts(ref.occupancies)
  if (typeof currency !== 'string' || occupancies.length === 0) throw malformed('an unknown offer reference')
  const rooms = readRoomPrices(answer?.occupancy_pricing, occupancies, currency, new Set(occupancies).size === 1)
  if (rooms === undefined) throw malformed('price check without a readable price')
  const [checkIn, checkOut] = [asText(ref.checkIn), asText(ref.checkOut)]
  const stay = { rooms, currency, checkIn, checkOut, timezone: asText(ref.timezone) || 'UTC' }
  const rules = checkedRules(answer ?? {}, ref, stay.timezone)
  const amenities = asRecord(answer?.amenities)
  const board = amenities && readBoard(amenities, countGuests(occupancies))
  const notices = joinNotices(rateNotices(answer ?? {}), traderNotices(answer?.trader_information), [
    mealNotice(board, listMealNames(amenities)),
  ])
  return {
    status: 'available',
    price: decodePrice(rooms, currency),
    ...readBounds(rooms, currency),
    ...readBillable(answer?.occupancy_pricing, occupancies, currency),
    cancel: decodeTerms(rules, stay, now),
    ...(board !== undefined && { board }),
    ...(notices.length > 0 && { notices }),
    ref: { ...ref, ...packTerms(rules), book: book.path },
    expiresAt: book.expiresAt ?? now + OFFER_TTL_MS,
  }
}

/** Rapid does not document terms in this response, so those of the offer apply unless new ones are sent. */
function checkedRules(answer: Wire, ref: OfferRef, timezone: string): TermRules {
  if (answer.refundable !== false && !Array.isArray(answer.cancel_penalties)) return unpackTerms(ref)
  const rules = readTermRules(answer, timezone)
  if (rules === undefined) throw malformed('price check with unreadable terms')
  return rules
}

function readBookLink(value: unknown, origin: string) {
  const links = asRecord(value)
  const book = readApiLink(links?.book, origin)
  if (book !== undefined) return book
  if (links?.payment_session === undefined) throw malformed('price check without a booking link')
  throw new VendorError(RAPID, 'refused', 'none', { detail: 'a card payment session is required' })
}
