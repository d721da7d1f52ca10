import type { Board, BoardOffer, PropertyOffer } from '../../domain/offer.ts'
import { occupancyKey, type Stay } from '../../domain/stay.ts'
import type { AvailabilityAnswer, AvailabilityQuery } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { asList, asRecord, readId, type Wire } from '../wire/read.ts'
import { readBoard } from './board.ts'
import { firstPenaltyStart, isFreeNow } from './cancel-terms.ts'
import { malformed } from './failure.ts'
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

/** Decodes the cheapest readable rate of each requested property, and the cheapest of each kind in the response. */
export function decodeAvailability(
  properties: readonly unknown[],
  query: AvailabilityQuery,
  now: number,
): AvailabilityAnswer {
  const requested = new Set(query.vendorPropertyIds)
  const stay = toRapidStay(query.stay, query.market.currency)
  const offers: PropertyOffer[] = []
  let dropped = 0
  for (const entry of properties) {
    const property = asRecord(entry)
    const id = readId(property?.property_id)
    // Ignores properties that were not requested and repeated entries.
    if (property === undefined || !requested.delete(id)) {
      dropped += 1
      continue
    }
    const { rates, unreadable } = readRates(property, stay, now)
    dropped += unreadable
    const [cheapest] = rates
    if (cheapest === undefined) continue
    offers.push({ vendorPropertyId: id, ...toOffer(cheapest, stay.currency), ...summarizeKinds(rates, stay.currency) })
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

type PricedRate = { rate: Wire; rooms: readonly RoomPrice[]; board: Board; isFree: boolean; total: number }

/** Sorted by price. */
function readRates(property: Wire, stay: RapidStay, now: number) {
  const rates: PricedRate[] = []
  let unreadable = property.rooms === undefined || Array.isArray(property.rooms) ? 0 : 1
  for (const room of asList(property.rooms)) {
    for (const entry of asList(asRecord(room)?.rates)) {
      const rate = asRecord(entry)
      if (rate !== undefined && !isForSale(rate)) continue
      const priced = rate && priceRate(rate, stay, now)
      if (priced === undefined) unreadable += 1
      else rates.push(priced)
    }
  }
  return { rates: rates.sort((a, b) => a.total - b.total), unreadable }
}

/** Cheapest rates for each filter. */
function summarizeKinds(
  rates: readonly PricedRate[],
  currency: string,
): Pick<PropertyOffer, 'freeOffer' | 'boardOffers'> {
  const free = rates.find(({ isFree }) => isFree)
  const boards = new Map<Board, BoardOffer>()
  for (const priced of rates) {
    const { board } = priced
    if (!boards.has(board)) boards.set(board, { board, ...toTotal(priced, currency) })
  }
  return {
    freeOffer: free === undefined ? null : { ...toTotal(free, currency), until: firstPenaltyStart(free.rate) },
    boardOffers: [...boards.values()],
  }
}

const toTotal = ({ rooms, total }: PricedRate, currency: string) => ({
  total: { minor: total, currency },
  ...readBounds(rooms, currency),
})

function priceRate(rate: Wire, stay: RapidStay, now: number): PricedRate | undefined {
  const rooms = readRoomPrices(rate.occupancy_pricing, stay.occupancies, stay.currency)
  const isFree = rooms && isFreeNow(rate, stay, now)
  if (rooms === undefined || isFree === undefined) return undefined
  const total = rooms.reduce((sum, room) => sum + room.total, 0)
  return { rate, rooms, board: readBoard(rate.amenities), isFree, total }
}

function toOffer(priced: PricedRate, currency: string): Omit<PropertyOffer, 'vendorPropertyId'> {
  const { rate, rooms, board, isFree } = priced
  const publicTotal = rooms.reduce((sum, room) => sum + room.strikethrough, 0)
  const until = isFree ? firstPenaltyStart(rate) : undefined
  return {
    ...toTotal(priced, currency),
    publicTotal: { minor: publicTotal, currency },
    board,
    freeCancellation: isFree,
    ...(until !== undefined && { freeCancellationUntil: until }),
    ...readRoomsLeft(rate),
  }
}

/** Rapid's value for an unknown number of rooms. */
const UNCOUNTED = 2_147_483_647

export function readRoomsLeft({ available_rooms: left }: Wire): { roomsLeft?: number } {
  return typeof left === 'number' && Number.isInteger(left) && left > 0 && left < UNCOUNTED ? { roomsLeft: left } : {}
}
