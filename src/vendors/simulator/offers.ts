import type { Money } from '../../domain/money/money.ts'
import { meetsConditions, type Notice, type Offer, type OfferRef, type RoomOffer } from '../../domain/offer.ts'
import { type Occupancy, occupancyKey, type Stay } from '../../domain/stay.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { isPlainDate } from '../../lib/time/plain-date.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import type { AvailabilityQuery, BookingLookup, Receipt, RoomsQuery } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import { selectUsefulRates } from '../wire/useful-rates.ts'
import { listRoomKinds, type RoomKind } from './models.ts'
import {
  buildCancelTerms,
  calculatePrice,
  firstPenaltyTime,
  isRefundable,
  lateFee,
  listRatePlans,
  type Rate,
} from './rates.ts'
import { draw, findSoldSite, resolveSite, type SimulatorId, type Site } from './sites.ts'

export const OFFER_TTL_MS = 30 * MINUTE_MS
/** Largest offset from UTC. If the zone is unknown, cancellation is only free if it is free in every zone. */
const ZONE_MARGIN_MS = 14 * HOUR_MS

export function listCheapest(vendorId: SimulatorId, query: AvailabilityQuery, now: number): Offer[] {
  const freeCancellation = readFreeCancellation(query, now)
  return query.vendorPropertyIds.flatMap((vendorPropertyId): readonly Offer[] => {
    const site = findSoldSite(vendorId, vendorPropertyId)
    const rates = site === undefined ? [] : listRates(vendorId, site, query.stay, query.market.currency)
    const offers = rates.map((rate): Offer => {
      const { total, publicTotal } = calculatePrice(rate)
      const { board, isRefundable: canBeFree } = rate.plan
      return {
        ...{ vendorId, vendorPropertyId, total, publicTotal, board },
        ...(canBeFree && freeCancellation && { freeCancellation }),
        roomsLeft: roomsLeft(rate),
      }
    })
    return selectUsefulRates(offers.filter((offer) => meetsConditions(offer, query.conditions)))
  })
}

/** Of refundable rates. */
function readFreeCancellation({ stay, timezone }: AvailabilityQuery, now: number): Offer['freeCancellation'] {
  if (timezone === undefined) return firstPenaltyTime(stay, 'UTC') - ZONE_MARGIN_MS > now ? {} : undefined
  const until = firstPenaltyTime(stay, timezone)
  return until > now ? { until: zonedIso(until, timezone) } : undefined
}

export function listRoomOffers(vendorId: SimulatorId, query: RoomsQuery, now: number): RoomOffer[] {
  const { stay, market, timezone } = query
  const site = findSoldSite(vendorId, query.vendorPropertyId)
  const rates = site === undefined ? [] : listRates(vendorId, site, stay, market.currency)
  return rates.map((rate) => {
    const price = calculatePrice(rate)
    return {
      roomId: rate.room.id,
      name: rate.room.name,
      beds: rate.room.beds,
      board: rate.plan.board,
      price,
      cancel: buildCancelTerms(rate, price.total, timezone, now),
      roomsLeft: roomsLeft(rate),
      extras: rate.plan.extras,
      notices: NOTICES,
      ref: buildRef(rate, timezone),
      visible: vendorId === 'simulator_a' ? { bed_id: `3732${rate.room.id}` } : {},
      expiresAt: now + OFFER_TTL_MS,
    }
  })
}

/** One notice by the hotel, and one for the voucher. */
const NOTICES: readonly Notice[] = [
  {
    kind: 'rate_comment',
    title: 'Rate comments',
    text: 'The city tax is paid at the property. Minimum check-in age 18. A simulated remark.',
    requiredAt: ['detail', 'checkout', 'voucher'],
  },
  {
    kind: 'trader',
    title: 'Supplier',
    text: 'Payable through the simulator, which sells nothing and charges nobody.',
    requiredAt: ['voucher'],
  },
]

const listRates = (vendorId: SimulatorId, site: Site, stay: Stay, currency: string): Rate[] =>
  roomsFor(site, stay).flatMap((room) =>
    listRatePlans(site).map((plan) => ({
      vendorId,
      site,
      room,
      plan,
      stay,
      currency,
      isRaised: false,
      isWorse: false,
    })),
  )

/** Rooms that sleep every party of the stay; the largest room if none does. */
function roomsFor({ model }: Site, stay: Stay): readonly RoomKind[] {
  const rooms = listRoomKinds(model)
  const largestParty = Math.max(...stay.occupancies.map(({ adults, childrenAges }) => adults + childrenAges.length))
  const suitable = rooms.filter(({ sleeps }) => sleeps >= largestParty)
  return suitable.length > 0 ? suitable : rooms.slice(-1)
}

/** At least as many as requested, so that a simulated success never fails for lack of rooms. */
const roomsLeft = ({ site, room, stay }: Rate) =>
  stay.occupancies.length + (draw('left', site.propertyId, room.id, stay.checkIn) % 6)

/** Contains all inputs of a price, so that any process can calculate it again. */
export const buildRef = (
  { site, room, plan, stay, currency, isRaised, isWorse }: Rate,
  timezone: string,
): OfferRef => ({
  property: site.propertyId,
  room: room.id,
  plan: plan.id,
  check_in: stay.checkIn,
  check_out: stay.checkOut,
  party: stay.occupancies.map(occupancyKey),
  currency,
  timezone,
  raised: isRaised,
  worse: isWorse,
})

export function readRef(vendorId: SimulatorId, ref: OfferRef): { rate: Rate; timezone: string } {
  const site = resolveSite(String(ref.property))
  const room = listRoomKinds(site.model).find(({ id }) => id === ref.room)
  const plan = listRatePlans(site).find(({ id }) => id === ref.plan)
  const [checkIn, checkOut] = [String(ref.check_in), String(ref.check_out)]
  const occupancies = Array.isArray(ref.party) ? ref.party.map(parseParty) : []
  const isValidStay = isPlainDate(checkIn) && isPlainDate(checkOut) && occupancies.length > 0
  if (room === undefined || plan === undefined || !isValidStay)
    throw new VendorError(vendorId, 'malformed', 'none', { detail: 'not a reference of the simulator' })
  const stay = { checkIn, checkOut, occupancies }
  const changed = { isRaised: ref.raised === true, isWorse: ref.worse === true }
  const rate = { vendorId, site, room, plan, stay, currency: String(ref.currency), ...changed }
  return { rate, timezone: String(ref.timezone) }
}

function parseParty(text: string): Occupancy {
  const [adults = '', ages = ''] = text.split('-')
  return { adults: Number(adults), childrenAges: ages === '' ? [] : ages.split(',').map(Number) }
}

/** Change after confirmation, encoded in the vendor's reference. */
const LATER_CHANGES = { vendor_cancels: 'C', other_hotel: 'H' } as const
type LaterChange = keyof typeof LATER_CHANGES

const REFERENCE = /^SIM-[0-9A-F]{8}-([A-Z]{3})-(\d{1,15})-(\d{1,12})(?:-([CH]))?$/

/**
 * No state is stored: the vendor's reference contains the cancellation fee and its start (epoch seconds), so that any
 * process can handle the booking.
 */
export function createReceipt(reference: string, rate: Rate, timezone: string, laterChange?: LaterChange): Receipt {
  const { total } = calculatePrice(rate)
  const fee = lateFee(rate, total)
  const from = isRefundable(rate) ? Math.floor(firstPenaltyTime(rate.stay, timezone) / 1000) : 0
  const suffix = laterChange === undefined ? '' : `-${LATER_CHANGES[laterChange]}`
  const vendorReference = `${referenceStem(reference)}-${fee.currency}-${fee.minor}-${from}${suffix}`
  const rooms = rate.stay.occupancies.map((_, index) => ({ vendor: `${referenceStem(reference)}-${index + 1}` }))
  return { state: 'confirmed', vendorReference, total, confirmation: { vendor: vendorReference, rooms } }
}

/** Every booking is found, because a lost response is only simulated. */
export function restoreReceipt({ reference, vendorReference = referenceStem(reference) }: BookingLookup): Receipt {
  const [, currency = '', , , laterChange] = REFERENCE.exec(vendorReference) ?? []
  if (laterChange === LATER_CHANGES.vendor_cancels)
    return { state: 'cancelled', vendorReference, cancelFee: { minor: 0, currency } }
  const property = laterChange === LATER_CHANGES.other_hotel ? { property: ELSEWHERE } : {}
  // The property's own number is assigned later than the vendor's.
  const confirmation = { vendor: vendorReference, property: `H-${referenceStem(reference).slice(4)}`, rooms: [] }
  return { state: 'confirmed', vendorReference, confirmation, ...property }
}

/** Far away from all other properties. */
const ELSEWHERE = { vendorPropertyId: 'sim_elsewhere', name: 'Hotel Elsewhere', location: { lat: -77.85, lon: 166.67 } }

/** Undefined for a booking whose response was lost: then the terms of the offer apply. */
export function readCancelFee({ vendorReference = '' }: BookingLookup, now: number): Money | undefined {
  const [, currency, minor, from] = REFERENCE.exec(vendorReference) ?? []
  if (currency === undefined) return undefined
  return { minor: now < Number(from) * 1000 ? 0 : Number(minor), currency }
}

const referenceStem = (reference: string) =>
  `SIM-${draw('booking', reference).toString(16).toUpperCase().padStart(8, '0')}`
