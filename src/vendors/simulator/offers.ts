import type { PropertyOffer, RoomOffer } from '../../domain/offer.ts'
import type { Stay } from '../../domain/stay.ts'
import { zonedIso } from '../../lib/zoned-time.ts'
import type { AvailabilityQuery, RoomsQuery } from '../contract.ts'
import { houseOf, sellersOf } from './describe.ts'
import { draw } from './draw.ts'
import { refOf } from './offer-ref.ts'
import { type Priced, pricesOf } from './price.ts'
import { cancelTermsIn, freeUntil, ratePlansOf } from './rate-plans.ts'
import { type RoomKind, roomKindsOf } from './rooms.ts'
import { type Site, siteOf } from './town.ts'
import { propertyIdOf, type SimulatorId } from './vendor-ids.ts'

export const OFFER_TTL_MS = 30 * 60_000
/** No zone is further ahead of or behind UTC; where it is not known, nothing is called free that might not be. */
const ZONE_MARGIN_MS = 14 * 3_600_000

/** The cheapest rate of each property that this vendor sells. */
export function cheapestOf(vendorId: SimulatorId, query: AvailabilityQuery, now: number): PropertyOffer[] {
  const { stay, market } = query
  const terms = freedomOf(query, now)
  return query.vendorPropertyIds.flatMap((vendorPropertyId): PropertyOffer[] => {
    const site = soldSite(vendorId, vendorPropertyId)
    if (site === undefined) return []
    const priceFor = pricesOf({ vendorId, site, stay, currency: market.currency })
    const [cheapest] = choicesOf(vendorId, site, stay, market.currency)
      .map((asked) => ({ asked, price: priceFor(asked) }))
      .sort((a, b) => a.price.total.minor - b.price.total.minor)
    if (cheapest === undefined) return []
    const { asked, price } = cheapest
    return [
      {
        vendorPropertyId,
        total: price.total,
        publicTotal: price.publicTotal,
        board: asked.plan.board,
        ...(asked.plan.isRefundable ? terms : { freeCancellation: false }),
        roomsLeft: roomsLeft(asked),
      },
    ]
  })
}

/** What a refundable rate promises: the same for every house of a query, so it is worked out once. */
function freedomOf({ stay, timezone }: AvailabilityQuery, now: number) {
  if (timezone === undefined) return { freeCancellation: freeUntil(stay, 'UTC') - ZONE_MARGIN_MS > now }
  const until = freeUntil(stay, timezone)
  return until > now
    ? { freeCancellation: true, freeCancellationUntil: zonedIso(until, timezone) }
    : { freeCancellation: false }
}

/** Every room of one property under each of its rates. */
export function roomOffersOf(vendorId: SimulatorId, query: RoomsQuery, now: number): RoomOffer[] {
  const site = soldSite(vendorId, query.vendorPropertyId)
  if (site === undefined) return []
  const { stay, market, timezone } = query
  const priceFor = pricesOf({ vendorId, site, stay, currency: market.currency })
  const termsFor = cancelTermsIn(stay, timezone, now)
  return choicesOf(vendorId, site, stay, market.currency).map((asked) => {
    const price = priceFor(asked)
    return {
      roomId: asked.room.id,
      name: asked.room.name,
      beds: asked.room.beds,
      board: asked.plan.board,
      price,
      cancel: termsFor(asked.plan, price.total),
      roomsLeft: roomsLeft(asked),
      extras: asked.plan.extras,
      ref: refOf(asked, timezone),
      visible: vendorId === 'simulator_a' ? { bed_id: asked.room.bedId } : {},
      expiresAt: now + OFFER_TTL_MS,
    }
  })
}

/** Asked by its bare id, a property is sold by everybody: that is how a booking is tried without a search. */
function soldSite(vendorId: SimulatorId, vendorPropertyId: string): Site | undefined {
  const propertyId = propertyIdOf(vendorId, vendorPropertyId)
  if (propertyId === undefined) return undefined
  const site = siteOf(propertyId)
  return propertyId === vendorPropertyId || sellersOf(site).includes(vendorId) ? site : undefined
}

function choicesOf(vendorId: SimulatorId, site: Site, stay: Stay, currency: string): Priced[] {
  return fitting(site, stay).flatMap((room) =>
    ratePlansOf(site).map((plan) => ({ vendorId, site, room, plan, stay, currency, isRaised: false })),
  )
}

/** Rooms in which every party of the stay finds a bed; for a crowd, the largest there is. */
function fitting(site: Site, stay: Stay): readonly RoomKind[] {
  const rooms = roomKindsOf(houseOf(site))
  const most = Math.max(...stay.occupancies.map(({ adults, childrenAges }) => adults + childrenAges.length))
  const fit = rooms.filter(({ sleeps }) => sleeps >= most)
  return fit.length > 0 ? fit : rooms.slice(-1)
}

/** At least as many as are asked for: a simulated success does not fail for want of a room. */
const roomsLeft = ({ site, room, stay }: Priced) =>
  stay.occupancies.length + (draw('left', site.propertyId, room.id, stay.checkIn) % 6)
