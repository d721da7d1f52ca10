import type { FreeOffer } from '../domain/offer.ts'
import type { PropertySummary } from '../domain/property/property-summary.ts'
import { hoursEarlier } from '../selling/cancel-buffer.ts'
import type { OfferSeller, Seller } from '../selling/seller.ts'
import { byPrice, type FoundProperty, type VendorOffer } from './merge-offers.ts'
import { cheapestByBoard, cheapestFreeOffer } from './offer-kinds.ts'

/** Returns the property at selling prices, cheapest first; undefined if none of its offers can be sold. */
export type SellProperty = (property: FoundProperty, facts: PropertySummary) => FoundProperty | undefined

export const sellAtNet: SellProperty = (property) => property

/** Returns the same array for the same offers, so that unchanged properties can be recognized. */
export function createSellProperty(seller: Seller, now: number): SellProperty {
  const sold = new WeakMap<readonly VendorOffer[], readonly VendorOffer[]>()
  return (property, { starRating }) => {
    const { offers, propertyId } = property
    if (seller.isPlain && !offers.some(hasBounds)) return property
    let ours = sold.get(offers)
    if (ours === undefined) {
      ours = offers
        .flatMap((offer) => {
          const facts = { vendorId: offer.vendorId, propertyId, stars: starRating }
          return sellCheapest(seller.forOffer(facts), offer, now) ?? []
        })
        .sort(byPrice)
      sold.set(offers, ours)
    }
    return ours.length === 0 ? undefined : { ...property, offers: ours }
  }
}

/** True if the vendor limits the selling price of any of its rates. */
const hasBounds = ({ bounds, freeOffer, boardOffers, others }: VendorOffer): boolean =>
  bounds !== undefined ||
  others !== undefined ||
  freeOffer?.bounds !== undefined ||
  (boardOffers?.some((offer) => offer.bounds !== undefined) ?? false)

/** Combines a vendor's rates into one offer: the lowest selling price, and the lowest of each kind. */
function sellCheapest(seller: OfferSeller, offer: VendorOffer, now: number): VendorOffer | undefined {
  const sold = sell(seller, offer, now)
  if (sold === undefined || offer.others === undefined) return sold
  const all = [sold, ...offer.others.flatMap((other) => sell(seller, other, now) ?? [])]
  const best = all.reduce((cheapest, rate) => (rate.total.minor < cheapest.total.minor ? rate : cheapest))
  return { ...best, freeOffer: cheapestFreeOffer(all) ?? sold.freeOffer, boardOffers: cheapestByBoard(all) }
}

function sell(seller: OfferSeller, offer: VendorOffer, now: number): VendorOffer | undefined {
  const { total, publicTotal, converted, freeOffer, boardOffers, bounds } = offer
  const best = seller.total(total, converted, bounds)
  if (best === undefined) return undefined
  const money = (minor: number) => ({ minor, currency: total.currency })
  /** Most are the best offer again. */
  const sold = (rate: Pick<FreeOffer, 'total' | 'bounds'>) =>
    money(
      rate.total.minor === total.minor && rate.bounds === bounds
        ? best.selling
        : (seller.total(rate.total, converted, rate.bounds)?.selling ?? 0),
    )
  const isSale = seller.isSale(best, converted)
  const hours = seller.terms.cancelBufferHours ?? 0
  const free = applyBuffer({ until: offer.freeCancellationUntil }, hours, now)
  const cheapestFree = freeOffer && applyBuffer(freeOffer, hours, now)
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
    // If it is no longer free, another offer may be that is not known.
    freeOffer: freeOffer && cheapestFree && { total: sold(freeOffer), ...cheapestFree },
    boardOffers: boardOffers?.map((rate) => ({ board: rate.board, total: sold(rate) })),
    net: offer.net ?? (isSale ? total : undefined),
  }
}

/** Undefined if free cancellation has ended. */
function applyBuffer({ until }: Pick<FreeOffer, 'until'>, hours: number, now: number) {
  if (until === undefined || hours === 0) return { until }
  const earlier = hoursEarlier(until, hours)
  return Date.parse(earlier) <= now ? undefined : { until: earlier }
}
