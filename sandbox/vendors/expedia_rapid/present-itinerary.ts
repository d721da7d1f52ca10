import { toDecimal } from '../../../src/domain/money/money.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import type { VendorView, WorldProperty, WorldRate } from '../../world/contract.ts'
import { hashShare, hashText } from '../../world/hash.ts'
import { bedGroupId, isInGerman, type ShopDeps } from './answer-shop.ts'
import { type CancelToken, type KeptBooking, readKept } from './kept-booking.ts'
import { rateTexts, traderTexts } from './notices.ts'
import { computePenalties } from './penalties.ts'
import { billedNights, presentPricing, toRateId } from './price-rates.ts'
import { parseOccupancy } from './shop-query.ts'

const LINK_TTL_MS = 24 * 60 * 60_000

type Shown = { entry: LedgerEntry; kept: KeptBooking; property: WorldProperty; view: VendorView; isDegraded: boolean }

/** The booking in Rapid's format. A degraded response omits the parts of a service that is down. */
export function presentItinerary(deps: ShopDeps, entry: LedgerEntry, isDegraded: boolean) {
  const kept = readKept(entry)
  const booked = deps.world.byVendorId(kept.offer.property)
  // The key is the same under both ids of a property that is listed twice, and another one if the booking was moved.
  const property = booked?.key === entry.propertyKey ? booked : deps.world.property(entry.propertyKey)
  const view = property && deps.world.view(property)
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
    ...traderTexts(property),
    ...(isDegraded ? { impacted_fields: ['rooms.rate.cancel_refund', 'rooms.rate.cancel_penalties'] } : {}),
  }
}

function presentRoom(deps: ShopDeps, shown: Shown, index: number) {
  const { entry, kept, property, view } = shown
  const { offer } = kept
  const party = parseOccupancy(offer.occupancies[index] ?? '')
  const guest = kept.request.rooms[index]
  const isCancelled = kept.cancelled.includes(index)
  const rate = deps.world
    .rates(property, offer.checkIn, offer.checkOut, party ?? { adults: 1, childrenAges: [] }, offer.pricedOn)
    .find((each) => each.room.number === offer.room && each.plan === offer.plan)
  return {
    id: `${entry.vendorReference}${index}`,
    confirmation_id: presentConfirmation(deps, entry, index),
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
    ...(isCancelled ? {} : { links: presentLinks(deps, entry, kept, index) }),
  }
}

/** The hotel's own confirmation number becomes available after Expedia's. */
function presentConfirmation({ clock, settings }: ShopDeps, entry: LedgerEntry, index: number) {
  const expedia = entry.vendorReference.slice(-10)
  if (clock.now() < entry.createdAt + settings.confirmationMs) return { expedia }
  return { expedia, property: `P${entry.vendorReference.slice(-6)}${index}` }
}

function presentRate(deps: ShopDeps, { entry, kept, property, isDegraded }: Shown, rate: WorldRate, view: VendorView) {
  const { checkIn, raise, worse } = kept.offer
  const { settings } = deps
  const markUp = view.priceFactor * raise
  const isBound = worse === 'terms'
  const terms = computePenalties({ property, rate, checkIn, now: entry.createdAt, settings, isBound })
  const nights = billedNights(rate, markUp, worse === 'fees')
  const contradictsPenalties = hashShare(hashText(entry.vendorReference), 47) < settings.contradictingRefunds
  const fee = contradictsPenalties ? 0 : terms.feeAt(deps.clock.now(), nights)
  const refund = nights.reduce((sum, night) => sum + night, 0) - fee
  return {
    id: toRateId(view, rate),
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
          ...(terms.nonrefundable_date_ranges && { nonrefundable_date_ranges: terms.nonrefundable_date_ranges }),
        }),
    amenities: [],
    ...rateTexts(property, rate, rate.room.number, isInGerman(property, kept.offer.language)),
    pricing: presentPricing(rate, markUp, undefined, worse === 'fees'),
  }
}

/** Links to cancel one room and to change its guest and requests. */
function presentLinks(deps: ShopDeps, entry: LedgerEntry, kept: KeptBooking, room: number) {
  const id = entry.vendorReference
  const hrefFor = (kind: 'cancel' | 'change') => {
    const { token } = deps.tokens.seal(kind, { id, room } satisfies CancelToken, LINK_TTL_MS)
    return `/v3/itineraries/${id}/rooms/${kept.roomKeys[room]}?token=${token}`
  }
  return {
    cancel: { method: 'DELETE', href: hrefFor('cancel') },
    change: { method: 'PUT', href: hrefFor('change') },
  }
}
