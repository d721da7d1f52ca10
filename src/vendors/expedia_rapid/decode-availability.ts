import type { Board, BoardOffer, PropertyOffer } from '../../domain/offer.ts'
import { occupancyKey, type Stay } from '../../domain/stay.ts'
import type { AvailabilityAnswer, AvailabilityQuery } from '../contract.ts'
import type { Reading } from '../transport/call.ts'
import { idOf, listOf, recordOf, type Wire } from '../wire/read.ts'
import { boardOf } from './board.ts'
import { firstPenaltyStart, isFreeNow } from './cancel-terms.ts'
import { malformed } from './failure.ts'
import { boundsOf, isForSale, type RoomPrice, readRoomPrices } from './rate.ts'

type Frame = { readonly query: AvailabilityQuery; readonly now: number }

/**
 * Also called on another thread, so the frame holds everything it needs.
 *
 * @public The thread imports it by this name.
 */
export const read = (body: unknown, { query, now }: Frame): AvailabilityAnswer =>
  decodeAvailability(propertiesOf(body), query, now)

export const readingOf = (frame: Frame): Reading<AvailabilityAnswer, Frame> => ({
  module: import.meta.url,
  read,
  frame,
})

/** The properties of an availability answer. */
export function propertiesOf(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) throw malformed('availability is not a list')
  return body
}

/** The cheapest readable rate of each property that was asked for, and the cheapest of each kind among those that came. */
export function decodeAvailability(
  properties: readonly unknown[],
  query: AvailabilityQuery,
  now: number,
): AvailabilityAnswer {
  const asked = new Set(query.vendorPropertyIds)
  const stay = askedStay(query.stay, query.market.currency)
  const offers: PropertyOffer[] = []
  let dropped = 0
  for (const entry of properties) {
    const property = recordOf(entry)
    const id = idOf(property?.property_id)
    // Neither a property that was not asked for nor a second answer for the same one is believed.
    if (property === undefined || !asked.delete(id)) {
      dropped += 1
      continue
    }
    const { rates, unreadable } = readRates(property, stay, now)
    dropped += unreadable
    const [cheapest] = rates
    if (cheapest === undefined) continue
    offers.push({ vendorPropertyId: id, ...offerOf(cheapest, stay.currency), ...kindsOf(rates, stay.currency) })
  }
  return { offers, dropped }
}

/** A stay as Rapid prices it: one key for each room. */
export type AskedStay = Pick<Stay, 'checkIn' | 'checkOut'> & {
  readonly occupancies: readonly string[]
  readonly currency: string
}

export const askedStay = ({ checkIn, checkOut, occupancies }: Stay, currency: string): AskedStay => ({
  checkIn,
  checkOut,
  occupancies: occupancies.map(occupancyKey),
  currency,
})

type PricedRate = { rate: Wire; rooms: readonly RoomPrice[]; board: Board; isFree: boolean; total: number }

/** The rates of a property, cheapest first. */
function readRates(property: Wire, stay: AskedStay, now: number) {
  const rates: PricedRate[] = []
  let unreadable = property.rooms === undefined || Array.isArray(property.rooms) ? 0 : 1
  for (const entry of listOf(property.rooms)) {
    for (const given of listOf(recordOf(entry)?.rates)) {
      const rate = recordOf(given)
      if (rate !== undefined && !isForSale(rate)) continue
      const priced = rate && priceRate(rate, stay, now)
      if (priced === undefined) unreadable += 1
      else rates.push(priced)
    }
  }
  return { rates: rates.sort((a, b) => a.total - b.total), unreadable }
}

/** What these rates say of the kinds that can be filtered by. */
function kindsOf(rates: readonly PricedRate[], currency: string): Pick<PropertyOffer, 'freeOffer' | 'boardOffers'> {
  const free = rates.find(({ isFree }) => isFree)
  const boards = new Map<Board, BoardOffer>()
  for (const one of rates) {
    const { board } = one
    if (!boards.has(board)) boards.set(board, { board, ...totalOf(one, currency) })
  }
  return {
    freeOffer: free === undefined ? null : { ...totalOf(free, currency), until: firstPenaltyStart(free.rate) },
    boardOffers: [...boards.values()],
  }
}

const totalOf = ({ rooms, total }: PricedRate, currency: string) => ({
  total: { minor: total, currency },
  ...boundsOf(rooms, currency),
})

function priceRate(rate: Wire, stay: AskedStay, now: number): PricedRate | undefined {
  const rooms = readRoomPrices(rate.occupancy_pricing, stay.occupancies, stay.currency)
  const isFree = rooms && isFreeNow(rate, stay, now)
  if (rooms === undefined || isFree === undefined) return undefined
  const total = rooms.reduce((sum, room) => sum + room.total, 0)
  return { rate, rooms, board: boardOf(rate.amenities), isFree, total }
}

function offerOf(priced: PricedRate, currency: string): Omit<PropertyOffer, 'vendorPropertyId'> {
  const { rate, rooms, board, isFree } = priced
  const publicTotal = rooms.reduce((sum, room) => sum + room.struck, 0)
  const until = isFree ? firstPenaltyStart(rate) : undefined
  return {
    ...totalOf(priced, currency),
    publicTotal: { minor: publicTotal, currency },
    board,
    freeCancellation: isFree,
    ...(until !== undefined && { freeCancellationUntil: until }),
    ...roomsLeftOf(rate),
  }
}

/** What Rapid says when it does not count the rooms that are left. */
const UNCOUNTED = 2_147_483_647

export function roomsLeftOf({ available_rooms: left }: Wire): { roomsLeft?: number } {
  return typeof left === 'number' && Number.isInteger(left) && left > 0 && left < UNCOUNTED ? { roomsLeft: left } : {}
}
