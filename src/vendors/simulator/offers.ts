import type { Money } from '../../domain/money/money.ts'
import type { Notice, OfferRef, PropertyOffer, RoomOffer } from '../../domain/offer.ts'
import { type Occupancy, occupancyKey, type Stay } from '../../domain/stay.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { isPlainDate } from '../../lib/time/plain-date.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import type { AvailabilityQuery, BookingLookup, Receipt, RoomsQuery } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import { type RoomKind, roomKindsOf } from './models.ts'
import { cancelTermsOf, freeUntil, isRefundable, lateFee, priceOf, type Rate, ratePlansOf } from './rates.ts'
import { draw, type SimulatorId, type Site, siteOf, soldSite } from './sites.ts'

export const OFFER_TTL_MS = 30 * MINUTE_MS
/** No zone is further from UTC; where the zone is not known, nothing is called free that might not be. */
const ZONE_MARGIN_MS = 14 * HOUR_MS

/** The cheapest rate of each property that this vendor sells. */
export function cheapestOf(vendorId: SimulatorId, query: AvailabilityQuery, now: number): PropertyOffer[] {
  const refundable = freeCancellationOf(query, now)
  return query.vendorPropertyIds.flatMap((vendorPropertyId): PropertyOffer[] => {
    const site = soldSite(vendorId, vendorPropertyId)
    const rates = (site === undefined ? [] : ratesOf(vendorId, site, query.stay, query.market.currency))
      .map((rate) => ({ rate, price: priceOf(rate) }))
      .sort((a, b) => a.price.total.minor - b.price.total.minor)
    const [cheapest] = rates
    if (cheapest === undefined) return []
    const { rate, price } = cheapest
    const free = refundable.freeCancellation ? rates.find((each) => each.rate.plan.isRefundable) : undefined
    const boards = [...Map.groupBy(rates, (each) => each.rate.plan.board)]
    return [
      {
        vendorPropertyId,
        total: price.total,
        publicTotal: price.publicTotal,
        board: rate.plan.board,
        ...(rate.plan.isRefundable ? refundable : { freeCancellation: false }),
        roomsLeft: roomsLeft(rate),
        freeOffer: free === undefined ? null : { total: free.price.total, until: refundable.freeCancellationUntil },
        boardOffers: boards.flatMap(([board, [first]]) =>
          first === undefined ? [] : { board, total: first.price.total },
        ),
      },
    ]
  })
}

function freeCancellationOf(
  { stay, timezone }: AvailabilityQuery,
  now: number,
): Pick<PropertyOffer, 'freeCancellation' | 'freeCancellationUntil'> {
  if (timezone === undefined) return { freeCancellation: freeUntil(stay, 'UTC') - ZONE_MARGIN_MS > now }
  const until = freeUntil(stay, timezone)
  return until > now
    ? { freeCancellation: true, freeCancellationUntil: zonedIso(until, timezone) }
    : { freeCancellation: false }
}

/** Every room of one property under each of its rates. */
export function roomOffersOf(vendorId: SimulatorId, query: RoomsQuery, now: number): RoomOffer[] {
  const { stay, market, timezone } = query
  const site = soldSite(vendorId, query.vendorPropertyId)
  const rates = site === undefined ? [] : ratesOf(vendorId, site, stay, market.currency)
  return rates.map((rate) => {
    const price = priceOf(rate)
    return {
      roomId: rate.room.id,
      name: rate.room.name,
      beds: rate.room.beds,
      board: rate.plan.board,
      price,
      cancel: cancelTermsOf(rate, price.total, timezone, now),
      roomsLeft: roomsLeft(rate),
      extras: rate.plan.extras,
      notices: NOTICES,
      ref: refOf(rate, timezone),
      visible: vendorId === 'simulator_a' ? { bed_id: `3732${rate.room.id}` } : {},
      expiresAt: now + OFFER_TTL_MS,
    }
  })
}

/** One of those that hotels write, and one of those that stand beside the button that books. */
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

const ratesOf = (vendorId: SimulatorId, site: Site, stay: Stay, currency: string): Rate[] =>
  roomsFor(site, stay).flatMap((room) =>
    ratePlansOf(site).map((plan) => ({ vendorId, site, room, plan, stay, currency, isRaised: false, isWorse: false })),
  )

/** Rooms in which every party of the stay finds a bed; for a large party, the largest there is. */
function roomsFor({ model }: Site, stay: Stay): readonly RoomKind[] {
  const rooms = roomKindsOf(model)
  const most = Math.max(...stay.occupancies.map(({ adults, childrenAges }) => adults + childrenAges.length))
  const fit = rooms.filter(({ sleeps }) => sleeps >= most)
  return fit.length > 0 ? fit : rooms.slice(-1)
}

/** At least as many as are asked for: a simulated success does not fail for want of a room. */
const roomsLeft = ({ site, room, stay }: Rate) =>
  stay.occupancies.length + (draw('left', site.propertyId, room.id, stay.checkIn) % 6)

/** The question behind an offer, so that its price can be worked out again by any process at any time. */
export const refOf = ({ site, room, plan, stay, currency, isRaised, isWorse }: Rate, timezone: string): OfferRef => ({
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
  const site = siteOf(String(ref.property))
  const room = roomKindsOf(site.model).find(({ id }) => id === ref.room)
  const plan = ratePlansOf(site).find(({ id }) => id === ref.plan)
  const [checkIn, checkOut] = [String(ref.check_in), String(ref.check_out)]
  const occupancies = Array.isArray(ref.party) ? ref.party.map(partyOf) : []
  const isStay = isPlainDate(checkIn) && isPlainDate(checkOut) && occupancies.length > 0
  if (room === undefined || plan === undefined || !isStay)
    throw new VendorError(vendorId, 'malformed', 'none', { detail: 'not a reference of the simulator' })
  const stay = { checkIn, checkOut, occupancies }
  const changed = { isRaised: ref.raised === true, isWorse: ref.worse === true }
  const rate = { vendorId, site, room, plan, stay, currency: String(ref.currency), ...changed }
  return { rate, timezone: String(ref.timezone) }
}

function partyOf(text: string): Occupancy {
  const [adults = '', ages = ''] = text.split('-')
  return { adults: Number(adults), childrenAges: ages === '' ? [] : ages.split(',').map(Number) }
}

/** How a booking of the simulator changes after it was confirmed, as its own reference says. */
const FATES = { vendor_cancels: 'C', other_hotel: 'H' } as const
type Fate = keyof typeof FATES

const WITH_TERMS = /^SIM-[0-9A-F]{8}-([A-Z]{3})-(\d{1,15})-(\d{1,12})(?:-([CH]))?$/

/**
 * Nothing is kept: the vendor's reference itself carries what cancelling costs and from when (epoch seconds), so that any
 * process can answer for a booking that another one made.
 */
export function receiptOf(reference: string, rate: Rate, timezone: string, fate?: Fate): Receipt {
  const { total } = priceOf(rate)
  const fee = lateFee(rate, total)
  const from = isRefundable(rate) ? Math.floor(freeUntil(rate.stay, timezone) / 1000) : 0
  const mark = fate === undefined ? '' : `-${FATES[fate]}`
  const vendorReference = `${stem(reference)}-${fee.currency}-${fee.minor}-${from}${mark}`
  const rooms = rate.stay.occupancies.map((_, at) => ({ vendor: `${stem(reference)}-${at + 1}` }))
  return { state: 'confirmed', vendorReference, total, confirmation: { vendor: vendorReference, rooms } }
}

/** Whatever was sent has arrived: a lost answer is only ever simulated, and so is the booking behind it. */
export function foundReceipt({ reference, vendorReference = stem(reference) }: BookingLookup): Receipt {
  const [, currency = '', , , fate] = WITH_TERMS.exec(vendorReference) ?? []
  if (fate === FATES.vendor_cancels) return { state: 'cancelled', vendorReference, cancelFee: { minor: 0, currency } }
  const property = fate === FATES.other_hotel ? { property: ELSEWHERE } : {}
  // The property's own number comes later than the vendor's.
  const confirmation = { vendor: vendorReference, property: `H-${stem(reference).slice(4)}`, rooms: [] }
  return { state: 'confirmed', vendorReference, confirmation, ...property }
}

/** A property that nobody has searched for, far from all others. */
const ELSEWHERE = { vendorPropertyId: 'sim_elsewhere', name: 'Hotel Elsewhere', location: { lat: -77.85, lon: 166.67 } }

/** Undefined for a booking whose answer was lost: its terms then are those of the offer. */
export function cancelFeeOf({ vendorReference = '' }: BookingLookup, now: number): Money | undefined {
  const [, currency, minor, from] = WITH_TERMS.exec(vendorReference) ?? []
  if (currency === undefined) return undefined
  return { minor: now < Number(from) * 1000 ? 0 : Number(minor), currency }
}

const stem = (reference: string) => `SIM-${draw('booking', reference).toString(16).toUpperCase().padStart(8, '0')}`
