import { toDecimal } from '../../domain/money.ts'
import type { LedgerEntry } from '../ledger.ts'
import type { VendorView, WorldProperty, WorldRate } from '../world/contract.ts'
import { bedGroupId, type ShopDeps } from './answer-shop.ts'
import { type CancelToken, type KeptBooking, keptOf } from './kept-booking.ts'
import { penaltiesOf } from './penalties.ts'
import { billedNights, presentPricing, RAPID, rateIdOf } from './price-rates.ts'
import { parseOccupancy } from './shop-query.ts'

const LINK_TTL_MS = 24 * 60 * 60_000

type Shown = { entry: LedgerEntry; kept: KeptBooking; property: WorldProperty; view: VendorView; isDegraded: boolean }

/** The booking as Rapid tells it. Degraded answers leave out what a sick neighbour service would have said. */
export function presentItinerary(deps: ShopDeps, entry: LedgerEntry, isDegraded: boolean) {
  const kept = keptOf(entry)
  const property = deps.world.property(entry.propertyKey)
  const view = property && deps.world.view(RAPID, property)
  if (property === undefined || view === undefined) return undefined
  const shown = { entry, kept, property, view, isDegraded }
  return {
    itinerary_id: entry.vendorReference,
    property_id: String(view.vendorPropertyId),
    email: entry.email,
    phone: kept.request.phone,
    rooms: kept.roomKeys.map((_, room) => presentRoom(deps, shown, room)),
    billing_contact: kept.request.billingContact,
    creation_date_time: new Date(entry.createdAt).toISOString(),
    affiliate_reference_id: entry.ourReference,
    ...(isDegraded ? { impacted_fields: ['rooms.rate.cancel_refund', 'rooms.rate.cancel_penalties'] } : {}),
  }
}

function presentRoom(deps: ShopDeps, shown: Shown, place: number) {
  const { entry, kept, property, view } = shown
  const { offer } = kept
  const party = parseOccupancy(offer.occupancies[place] ?? '')
  const guest = kept.request.rooms[place]
  const isCancelled = kept.cancelled.includes(place)
  const rate = deps.world
    .rates(property, offer.checkIn, offer.checkOut, party ?? { adults: 1, childrenAges: [] }, offer.pricedOn)
    .find((each) => each.room.number === offer.room && each.plan === offer.plan)
  return {
    id: `${entry.vendorReference}${place}`,
    confirmation_id: {
      expedia: entry.vendorReference.slice(-10),
      property: `P${entry.vendorReference.slice(-6)}${place}`,
    },
    bed_group_id: bedGroupId({ number: offer.room }, offer.bed),
    checkin: offer.checkIn,
    checkout: offer.checkOut,
    number_of_adults: party?.adults ?? 1,
    child_ages: party?.childrenAges ?? [],
    given_name: guest?.given_name ?? '',
    family_name: guest?.family_name ?? '',
    status: isCancelled ? 'canceled' : kept.isChallenged ? 'pending' : 'booked',
    ...(guest?.special_request === undefined ? {} : { special_request: guest.special_request }),
    smoking: guest?.smoking === true,
    ...(rate === undefined ? {} : { rate: presentRate(deps, shown, rate, view) }),
    ...(isCancelled ? {} : { links: { cancel: cancelLink(deps, entry, kept, place) } }),
  }
}

function presentRate(deps: ShopDeps, { entry, kept, property, isDegraded }: Shown, rate: WorldRate, view: VendorView) {
  const markUp = view.priceFactor * kept.offer.raise
  const terms = penaltiesOf(property, rate, kept.offer.checkIn, entry.createdAt)
  const nights = billedNights(rate, markUp)
  const refund = nights.reduce((sum, night) => sum + night, 0) - terms.feeAt(deps.clock.now(), nights)
  return {
    id: rateIdOf(view, rate),
    merchant_of_record: 'expedia',
    refundable: terms.refundable,
    ...(isDegraded
      ? {}
      : {
          cancel_refund: {
            amount: toDecimal({ minor: refund === 0 ? 0 : -refund, currency: rate.currency }),
            currency: rate.currency,
          },
          cancel_penalties: terms.cancel_penalties,
        }),
    amenities: [],
    pricing: presentPricing(rate, markUp, undefined),
  }
}

function cancelLink(deps: ShopDeps, entry: LedgerEntry, kept: KeptBooking, room: number) {
  const id = entry.vendorReference
  const { token } = deps.tokens.seal('cancel', { id, room } satisfies CancelToken, LINK_TTL_MS)
  return { method: 'DELETE', href: `/v3/itineraries/${id}/rooms/${kept.roomKeys[room]}?token=${token}` }
}
