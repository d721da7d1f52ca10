import type { FreeOffer } from '../domain/offer.ts'
import type { PropertySummary } from '../domain/property/property-summary.ts'
import { hoursEarlier } from '../selling/cancel-buffer.ts'
import type { OfferSeller, Seller } from '../selling/seller.ts'
import { byPrice, type FoundProperty, type VendorOffer } from './merge-offers.ts'
import { boardOffersOf, freeOfferOf } from './offer-kinds.ts'

/** A found property with selling prices, cheapest first; undefined where none of its offers can be sold. */
export type SellProperty = (property: FoundProperty, facts: PropertySummary) => FoundProperty | undefined

/** Nothing is added to net prices. */
export const soldAtNet: SellProperty = (property) => property

/** The same offers give the same object again, so that what has not changed can be told from what has. */
export function createSellProperty(seller: Seller, now: number): SellProperty {
  const sold = new WeakMap<readonly VendorOffer[], readonly VendorOffer[]>()
  return (property, { starRating }) => {
    const { offers, propertyId } = property
    if (seller.isPlain && !offers.some(isLimited)) return property
    let ours = sold.get(offers)
    if (ours === undefined) {
      ours = offers
        .flatMap((offer) => {
          const facts = { vendorId: offer.vendorId, propertyId, stars: starRating }
          return sellCheapest(seller.of(facts), offer, now) ?? []
        })
        .sort(byPrice)
      sold.set(offers, ours)
    }
    return ours.length === 0 ? undefined : { ...property, offers: ours }
  }
}

/** Whether the vendor limits what any of its rates may be sold for. */
const isLimited = ({ bounds, freeOffer, boardOffers, others }: VendorOffer): boolean =>
  bounds !== undefined ||
  others !== undefined ||
  freeOffer?.bounds !== undefined ||
  (boardOffers?.some((one) => one.bounds !== undefined) ?? false)

/** Combines a vendor's rates for a property into one offer: the one with the lowest selling price, and the lowest of each kind. */
function sellCheapest(seller: OfferSeller, offer: VendorOffer, now: number): VendorOffer | undefined {
  const sold = sell(seller, offer, now)
  if (sold === undefined || offer.others === undefined) return sold
  const all = [sold, ...offer.others.flatMap((other) => sell(seller, other, now) ?? [])]
  const best = all.reduce((cheapest, one) => (one.total.minor < cheapest.total.minor ? one : cheapest))
  return { ...best, freeOffer: freeOfferOf(all) ?? sold.freeOffer, boardOffers: boardOffersOf(all) }
}

function sell(seller: OfferSeller, offer: VendorOffer, now: number): VendorOffer | undefined {
  const { total, publicTotal, converted, freeOffer, boardOffers, bounds } = offer
  const best = seller.total(total, converted, bounds)
  if (best === undefined) return undefined
  const money = (minor: number) => ({ minor, currency: total.currency })
  /** Most of them are the best offer again. */
  const sold = (one: Pick<FreeOffer, 'total' | 'bounds'>) =>
    money(
      one.total.minor === total.minor && one.bounds === bounds
        ? best.selling
        : (seller.total(one.total, converted, one.bounds)?.selling ?? 0),
    )
  const isSale = seller.isSale(best, converted)
  const hours = seller.terms.cancelBufferHours ?? 0
  const free = earlierFree({ until: offer.freeCancellationUntil }, hours, now)
  const cheapestFree = freeOffer && earlierFree(freeOffer, hours, now)
  const before = publicTotal.minor === total.minor ? best.selling : sold({ total: publicTotal }).minor
  return {
    vendorId: offer.vendorId,
    vendorPropertyId: offer.vendorPropertyId,
    total: money(best.selling),
    publicTotal: money(Math.max(best.selling, before)),
    converted: converted && !isSale,
    board: offer.board,
    freeCancellation: offer.freeCancellation && free !== undefined,
    freeCancellationUntil: free?.until,
    roomsLeft: offer.roomsLeft,
    // Where it is free no longer, another offer may be, of which nothing is known.
    freeOffer: freeOffer && cheapestFree && { total: sold(freeOffer), ...cheapestFree },
    boardOffers: boardOffers?.map((one) => ({ board: one.board, total: sold(one) })),
    net: offer.net ?? (isSale ? total : undefined),
  }
}

/** Undefined when the time for free cancellation is over by now. */
function earlierFree({ until }: Pick<FreeOffer, 'until'>, hours: number, now: number) {
  if (until === undefined || hours === 0) return { until }
  const earlier = hoursEarlier(until, hours)
  return Date.parse(earlier) <= now ? undefined : { until: earlier }
}
