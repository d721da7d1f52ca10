import type { OfferRef, PropertyOffer, RoomOffer } from '../../domain/offer.ts'
import { occupancyKey, type Stay } from '../../domain/stay.ts'
import { plainText } from '../../lib/clean-markup.ts'
import type { Reply } from '../call.ts'
import type { AvailabilityAnswer, AvailabilityQuery, PriceCheck, RoomsQuery } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import { boardOf } from './board.ts'
import { decodePrice, type RoomPrice, readRoomPrices } from './decode-price.ts'
import {
  decodeTerms,
  firstPenaltyStart,
  isFreeNow,
  packRules,
  readRules,
  type TermRules,
  unpackRules,
} from './decode-terms.ts'
import { malformed, RAPID } from './failure.ts'
import { linkOf } from './link.ts'
import {
  entriesOf,
  idOf,
  listOf,
  recordOf,
  textOf,
  type WireAmenity,
  type WireAvailability,
  type WireBedGroup,
  type WireLinks,
  type WirePriceCheck,
  type WireRate,
  type WireRoom,
} from './wire.ts'

/** How long an offer lives when its link does not say. */
export const OFFER_TTL_MS = 10 * 60_000
/** What Rapid says when it cannot count the rooms that are left. */
const UNCOUNTED = 2_147_483_647

/** The properties of an availability answer, as many as there are. */
export function propertiesOf({ body, items }: Pick<Reply, 'body' | 'items'>): Iterable<unknown> {
  if (!Array.isArray(body)) throw malformed('availability is not a list')
  return items ?? body
}

/** The cheapest readable rate of each property that was asked for. A bad rate costs itself, not its neighbours. */
export function decodeAvailability(
  properties: Iterable<unknown>,
  query: AvailabilityQuery,
  now: number,
): AvailabilityAnswer {
  const asked = new Set(query.vendorPropertyIds)
  const stay = readableStay(query.stay, query.market.currency)
  const offers: PropertyOffer[] = []
  let dropped = 0
  for (const entry of properties) {
    const property = recordOf<WireAvailability>(entry)
    const id = idOf(property?.property_id)
    // Asked for, and not answered before.
    if (property === undefined || !asked.delete(id)) {
      dropped += 1
      continue
    }
    const { cheapest, unreadable } = cheapestRate(property, stay, now)
    dropped += unreadable
    if (cheapest !== undefined) offers.push({ vendorPropertyId: id, ...cheapest })
  }
  return { offers, dropped }
}

type ReadableStay = Pick<Stay, 'checkIn' | 'checkOut'> & {
  readonly occupancies: readonly string[]
  readonly currency: string
}

const readableStay = (stay: Stay, currency: string): ReadableStay => ({
  checkIn: stay.checkIn,
  checkOut: stay.checkOut,
  occupancies: stay.occupancies.map(occupancyKey),
  currency,
})

type Cheapest = { cheapest: Omit<PropertyOffer, 'vendorPropertyId'> | undefined; unreadable: number }

function cheapestRate(property: WireAvailability, stay: ReadableStay, now: number): Cheapest {
  let best: { rate: WireRate; rooms: readonly RoomPrice[]; isFree: boolean; total: number } | undefined
  let unreadable = property.rooms === undefined || Array.isArray(property.rooms) ? 0 : 1
  for (const entry of listOf(property.rooms)) {
    for (const given of listOf(recordOf<WireRoom>(entry)?.rates)) {
      const rate = recordOf<WireRate>(given)
      if (rate?.status === 'sold_out') continue
      const rooms = rate && readRoomPrices(rate.occupancy_pricing, stay.occupancies, stay.currency)
      const isFree = rooms && isFreeNow(rate, stay, now)
      if (rate === undefined || rooms === undefined || isFree === undefined) {
        unreadable += 1
        continue
      }
      const total = rooms.reduce((sum, room) => sum + room.total, 0)
      if (best === undefined || total < best.total) best = { rate, rooms, isFree, total }
    }
  }
  if (best === undefined) return { cheapest: undefined, unreadable }
  const { currency } = stay
  const publicTotal = best.rooms.reduce((sum, room) => sum + room.struck, 0)
  const until = best.isFree ? firstPenaltyStart(best.rate) : undefined
  const cheapest = {
    total: { minor: best.total, currency },
    publicTotal: { minor: publicTotal, currency },
    board: boardOf(best.rate.amenities),
    freeCancellation: best.isFree,
    ...(until !== undefined && { freeCancellationUntil: until }),
    ...roomsLeftOf(best.rate),
  }
  return { cheapest, unreadable }
}

function roomsLeftOf(rate: WireRate): { roomsLeft?: number } {
  const left = rate.available_rooms
  return typeof left === 'number' && Number.isInteger(left) && left > 0 && left < UNCOUNTED ? { roomsLeft: left } : {}
}

/** Every bed group of every rate is one offer: the price-check link hangs on the bed group. */
export function decodeRooms(
  properties: Iterable<unknown>,
  query: RoomsQuery,
  origin: string,
  now: number,
): RoomOffer[] {
  const property = [...properties]
    .map((entry) => recordOf<WireAvailability>(entry))
    .find((entry) => idOf(entry?.property_id) === query.vendorPropertyId)
  return listOf(property?.rooms).flatMap((entry) => {
    const room = recordOf<WireRoom>(entry)
    const roomId = idOf(room?.id)
    if (room === undefined || roomId === '') return []
    return listOf(room.rates).flatMap((given) => {
      const rate = recordOf<WireRate>(given)
      return rate === undefined ? [] : decodeRate(rate, room, roomId, query, origin, now)
    })
  })
}

function decodeRate(
  rate: WireRate,
  room: WireRoom,
  roomId: string,
  query: RoomsQuery,
  origin: string,
  now: number,
): RoomOffer[] {
  const stay = readableStay(query.stay, query.market.currency)
  const rooms = readRoomPrices(rate.occupancy_pricing, stay.occupancies, stay.currency)
  const rules = readRules(rate, query.timezone)
  if (rate.status === 'sold_out' || rooms === undefined || rules === undefined) return []
  const propertyCollects = rate.merchant_of_record === 'property'
  const shared = {
    roomId,
    name: plainText(textOf(room.room_name)),
    board: boardOf(rate.amenities),
    price: decodePrice(rooms, stay.currency, propertyCollects),
    cancel: decodeTerms(rules, { ...stay, rooms, timezone: query.timezone }, now),
    ...roomsLeftOf(rate),
    extras: entriesOf(rate.amenities)
      .map(([, amenity]) => plainText(textOf(recordOf<WireAmenity>(amenity)?.name)))
      .filter((name) => name !== ''),
  }
  const ref = refOf(stay, rules, { timezone: query.timezone, propertyCollects })
  return entriesOf(rate.bed_groups).flatMap(([key, given]) => {
    const bed = recordOf<WireBedGroup>(given)
    const link = linkOf(recordOf<WireLinks>(bed?.links)?.price_check, origin)
    const bedId = idOf(bed?.id) || idOf(key)
    if (bed === undefined || bedId === '' || link === undefined) return []
    const description = plainText(textOf(bed.description))
    return {
      ...shared,
      beds: description === '' ? [] : [description],
      ref: { ...ref, check: link.path },
      visible: { bed_id: bedId },
      expiresAt: link.expiresAt ?? now + OFFER_TTL_MS,
    }
  })
}

/** What a later price check needs: the link alone carries the rate, but not for whom, in what, and under which terms. */
function refOf(stay: ReadableStay, rules: TermRules, more: { timezone: string; propertyCollects: boolean }): OfferRef {
  return {
    ...more,
    currency: stay.currency,
    occupancies: stay.occupancies,
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    refundable: rules.refundable === undefined ? 'unsaid' : rules.refundable ? 'yes' : 'no',
    penalties: packRules(rules),
    lostNights: rules.lostNights.map((range) => range.join('/')),
  }
}

/** A new price is read, never compared: what was shown is the caller's knowledge. */
export function decodePriceCheck(body: unknown, ref: OfferRef, origin: string, now: number): PriceCheck {
  const answer = recordOf<WirePriceCheck>(body)
  if (answer?.status === 'sold_out') return { status: 'sold_out' }
  // `matched` is what the second version of the API called `available`; some of the documentation still does.
  if (answer?.status !== 'available' && answer?.status !== 'price_changed' && answer?.status !== 'matched') {
    throw malformed('price check without a known status')
  }
  const links = recordOf<WireLinks>(answer.links)
  const book = linkOf(links?.book, origin)
  if (book === undefined) {
    const detail = links?.payment_session === undefined ? 'price check without a way to book' : 'wants a card session'
    throw new VendorError(RAPID, links?.payment_session === undefined ? 'malformed' : 'refused', 'none', { detail })
  }
  const { currency, occupancies } = ref
  if (typeof currency !== 'string' || !Array.isArray(occupancies)) throw malformed('an offer reference of another make')
  const rooms = readRoomPrices(answer.occupancy_pricing, occupancies, currency, new Set(occupancies).size === 1)
  if (rooms === undefined) throw malformed('price check without a readable price')
  const [checkIn, checkOut] = [textOf(ref.checkIn), textOf(ref.checkOut)]
  const stay = { rooms, currency, checkIn, checkOut, timezone: textOf(ref.timezone) || 'UTC' }
  return {
    status: 'available',
    price: decodePrice(rooms, currency, ref.propertyCollects === true),
    cancel: decodeTerms(rulesOf(ref), stay, now),
    ref: { ...ref, book: book.path },
    expiresAt: book.expiresAt ?? now + OFFER_TTL_MS,
  }
}

function rulesOf(ref: OfferRef): TermRules {
  const texts = (value: unknown) => listOf(value).filter((entry): entry is string => typeof entry === 'string')
  return {
    refundable: ref.refundable === 'unsaid' ? undefined : ref.refundable === 'yes',
    rules: unpackRules(texts(ref.penalties)),
    lostNights: texts(ref.lostNights).map((range) => [range.slice(0, 10), range.slice(11)]),
  }
}
