import type { FreeOffer } from '../domain/offer.ts'
import type { PropertySummary } from '../domain/property-summary.ts'
import { hoursEarlier } from '../selling/cancel-buffer.ts'
import type { OfferFacts } from '../selling/rules.ts'
import type { Seller } from '../selling/seller.ts'
import { byPrice, type FoundProperty, type VendorOffer } from './merge-offers.ts'

/** A found property with selling prices, cheapest first; undefined where none of its offers can be sold. */
export type SellProperty = (property: FoundProperty, facts: PropertySummary) => FoundProperty | undefined

/** Nothing is added to net prices. */
export const soldAtNet: SellProperty = (property) => property

/** The same offers give the same object again, so that what has not changed can be told from what has. */
export function createSellProperty(seller: Seller, now: number): SellProperty {
  const sold = new WeakMap<readonly VendorOffer[], readonly VendorOffer[]>()
  return (property, { starRating }) => {
    const { offers, propertyId } = property
    if (seller.isPlain && offers.every(({ bounds }) => bounds === undefined)) return property
    let ours = sold.get(offers)
    if (ours === undefined) {
      ours = offers
        .flatMap((offer) => sell(seller, offer, { vendorId: offer.vendorId, propertyId, stars: starRating }, now) ?? [])
        .sort(byPrice)
      sold.set(offers, ours)
    }
    return ours.length === 0 ? undefined : { ...property, offers: ours }
  }
}

function sell(seller: Seller, offer: VendorOffer, facts: OfferFacts, now: number): VendorOffer | undefined {
  const { bounds, ...rest } = offer
  const { currency } = offer.total
  const sellingOf = (one: { readonly total: VendorOffer['total']; readonly bounds?: VendorOffer['bounds'] }) =>
    seller.total(one.total, offer.converted, one.bounds, facts)
  const best = sellingOf(offer)
  if (best === undefined) return undefined
  const money = (minor: number) => ({ minor, currency })
  const hours = seller.termsFor(facts).cancelBufferHours ?? 0
  const before = seller.total(offer.publicTotal, offer.converted, undefined, facts)?.selling ?? 0
  const free = earlierFree({ until: offer.freeCancellationUntil }, hours, now)
  const { freeOffer, boardOffers } = offer
  const cheapestFree = freeOffer && earlierFree(freeOffer, hours, now)
  return {
    ...rest,
    total: money(best.selling),
    publicTotal: money(Math.max(best.selling, before)),
    converted: offer.converted && !best.isSale,
    freeCancellation: offer.freeCancellation && free !== undefined,
    freeCancellationUntil: free?.until,
    // Where it is free no longer, another offer may be, of which nothing is known.
    freeOffer:
      freeOffer === null
        ? null
        : freeOffer && cheapestFree && { total: money(sellingOf(freeOffer)?.selling ?? 0), ...cheapestFree },
    boardOffers: boardOffers?.map((one) => ({ board: one.board, total: money(sellingOf(one)?.selling ?? 0) })),
    ...(best.isSale && { net: offer.total }),
  }
}

/** Undefined when the time for free cancellation is over by now. */
function earlierFree({ until }: Pick<FreeOffer, 'until'>, hours: number, now: number) {
  if (until === undefined || hours === 0) return { until }
  const earlier = hoursEarlier(until, hours)
  return Date.parse(earlier) <= now ? undefined : { until: earlier }
}
