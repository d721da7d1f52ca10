import { type Conditions, meetsConditions, type Offer } from '../../domain/offer.ts'
import { occupancyKey, type Stay } from '../../domain/stay.ts'
import type { AvailabilityAnswer, AvailabilityQuery } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { asList, asRecord, readId, type Wire } from '../wire/read.ts'
import { selectUsefulRates } from '../wire/useful-rates.ts'
import { countGuests, readBoard } from './board.ts'
import { firstPenaltyStart, isFreeNow } from './cancel-terms.ts'
import { malformed, RAPID } from './failure.ts'
import { isForSale, type RoomPrice, readBounds, readRoomPrices } from './rate.ts'

type Frame = { readonly query: AvailabilityQuery; readonly now: number }

/**
 * Also called on another thread, so the frame contains everything it needs.
 *
 * @public The thread imports it by this name.
 */
export const read = (body: unknown, { query, now }: Frame): AvailabilityAnswer =>
  decodeAvailability(readProperties(body), query, now)

export const createReading = (frame: Frame): Reading<AvailabilityAnswer, Frame> => ({
  module: import.meta.url,
  read,
  frame,
})

export function readProperties(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) throw malformed('availability is not a list')
  return body
}

/** Decodes the rates of each requested property that a list needs. */
export function decodeAvailability(
  properties: readonly unknown[],
  query: AvailabilityQuery,
  now: number,
): AvailabilityAnswer {
  const requested = new Set(query.vendorPropertyIds)
  const stay = toRapidStay(query.stay, query.market.currency)
  const shared = { stay, guests: countGuests(stay.occupancies), conditions: query.conditions, now }
  const offers: Offer[] = []
  let dropped = 0
  for (const entry of properties) {
    const property = asRecord(entry)
    const vendorPropertyId = readId(property?.property_id)
    // Ignores properties that were not requested and repeated entries.
    if (property === undefined || !requested.delete(vendorPropertyId)) {
      dropped += 1
      continue
    }
    const { rates, unreadable } = readRates(property, { ...shared, vendorPropertyId })
    dropped += unreadable
    offers.push(...selectUsefulRates(rates))
  }
  return { offers, dropped }
}

/** Stay as priced by Rapid: one occupancy key per room. */
export type RapidStay = Pick<Stay, 'checkIn' | 'checkOut'> & {
  readonly occupancies: readonly string[]
  readonly currency: string
}

export const toRapidStay = ({ checkIn, checkOut, occupancies }: Stay, currency: string): RapidStay => ({
  checkIn,
  checkOut,
  occupancies: occupancies.map(occupancyKey),
  currency,
})

/** Rates that meet the conditions. */
function readRates(property: Wire, frame: RateFrame) {
  const rates: Offer[] = []
  let unreadable = property.rooms === undefined || Array.isArray(property.rooms) ? 0 : 1
  for (const room of asList(property.rooms)) {
    for (const entry of asList(asRecord(room)?.rates)) {
      const rate = asRecord(entry)
      if (rate !== undefined && !isForSale(rate)) continue
      const offer = rate && readOffer(rate, frame)
      if (offer === undefined) unreadable += 1
      else if (meetsConditions(offer, frame.conditions)) rates.push(offer)
    }
  }
  return { rates, unreadable }
}

type RateFrame = {
  readonly vendorPropertyId: string
  readonly stay: RapidStay
  readonly guests: number
  readonly conditions: Conditions | undefined
  readonly now: number
}

function readOffer(rate: Wire, { vendorPropertyId, stay, guests, now }: RateFrame): Offer | undefined {
  const { currency } = stay
  const rooms = readRoomPrices(rate.occupancy_pricing, stay.occupancies, currency)
  const isFree = rooms && readIsFree(rate, stay, now)
  if (rooms === undefined || isFree === undefined) return undefined
  const until = isFree ? firstPenaltyStart(rate) : undefined
  return {
    vendorId: RAPID,
    vendorPropertyId,
    total: { minor: sumRooms(rooms, 'total'), currency },
    publicTotal: { minor: sumRooms(rooms, 'strikethrough'), currency },
    board: readBoard(rate.amenities, guests),
    ...(isFree && { freeCancellation: until === undefined ? {} : { until } }),
    ...readRoomsLeft(rate),
    ...readBounds(rooms, currency),
  }
}

const sumRooms = (rooms: readonly RoomPrice[], part: 'total' | 'strikethrough'): number =>
  rooms.reduce((sum, room) => sum + room[part], 0)

/** Rapid's own word spares us the penalties of rates that are not free. Undefined if the terms cannot be read. */
const readIsFree = (rate: Wire, stay: RapidStay, now: number): boolean | undefined =>
  rate.current_refundability === 'non_refundable' || rate.current_refundability === 'partially_refundable'
    ? false
    : isFreeNow(rate, stay, now)

/** Higher numbers (4999, 2147483647) are not counts. */
const ROOMS_LEFT_MAX = 100

export function readRoomsLeft({ available_rooms: left }: Wire): { roomsLeft?: number } {
  return typeof left === 'number' && Number.isInteger(left) && left > 0 && left <= ROOMS_LEFT_MAX
    ? { roomsLeft: left }
    : {}
}
