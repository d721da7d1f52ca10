import { type Conditions, mapMoney, meetsConditions, type Offer } from '../domain/offer.ts'
import { hoursEarlier } from '../selling/cancel-buffer.ts'
import type { OfferSeller, Seller } from '../selling/seller.ts'

/**
 * Prices the offers of one property. Keeps the cheapest that meets the conditions of each vendor, and its cheapest with
 * free cancellation if that is another.
 */
export type SellOffers = (propertyId: string, offers: readonly Offer[], stars: number) => readonly Offer[]

export const createSellOffers =
  (seller: Seller, now: number, conditions?: Conditions): SellOffers =>
  (propertyId, offers, stars) => {
    const sold: Offer[] = []
    for (const offer of offers) {
      const isNet = seller.isPlain && offer.bounds === undefined
      const own = isNet ? offer : sell(seller.forOffer({ vendorId: offer.vendorId, propertyId, stars }), offer, now)
      if (own !== undefined && meetsConditions(own, conditions)) sold.push(own)
    }
    return selectCheapest(sold)
  }

function selectCheapest(offers: readonly Offer[]): readonly Offer[] {
  if (offers.length < 2) return offers
  const kept: Offer[] = []
  for (const offer of offers.toSorted(byPrice)) {
    const own = kept.filter((other) => isFromSameSource(other, offer))
    const isOnlyFree =
      offer.freeCancellation !== undefined && own.every((other) => other.freeCancellation === undefined)
    if (own.length === 0 || isOnlyFree) kept.push(offer)
  }
  return kept
}

/** Prefers free cancellation, then the vendor's id, so that the order is deterministic. */
const byPrice = (a: Offer, b: Offer) =>
  a.total.minor - b.total.minor ||
  compareIds(a.vendorId, b.vendorId) ||
  compareIds(a.vendorPropertyId, b.vendorPropertyId) ||
  Number(b.freeCancellation !== undefined) - Number(a.freeCancellation !== undefined)

const compareIds = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export const isFromSameSource = (a: Offer, b: Offer) =>
  a.vendorId === b.vendorId && a.vendorPropertyId === b.vendorPropertyId

/** Undefined if the price cannot be calculated. */
function sell(seller: OfferSeller, offer: Offer, now: number): Offer | undefined {
  const { bounds, converted, freeCancellation, ...unlimited } = offer
  const isConverted = converted === true
  const best = seller.total(offer.total, isConverted, bounds)
  if (best === undefined) return undefined
  const isOriginal = offer.publicTotal.minor <= offer.total.minor
  const sold = mapMoney(unlimited, (money, member) => {
    if (member === 'net') return money
    const isTotal = member === 'total' || isOriginal
    const sum = isTotal ? best : seller.total(money, isConverted, undefined)
    return sum && { minor: sum.selling, currency: money.currency }
  })
  const isSale = seller.isSale(best, isConverted)
  const free = freeCancellation && applyBuffer(freeCancellation, seller.terms.cancelBufferHours ?? 0, now)
  return (
    sold && {
      ...sold,
      ...(free && { freeCancellation: free }),
      ...(isConverted && !isSale && { converted: true }),
      ...(isSale && sold.net === undefined && { net: offer.total }),
    }
  )
}

/** Undefined if free cancellation has ended. */
function applyBuffer(free: NonNullable<Offer['freeCancellation']>, hours: number, now: number) {
  if (free.until === undefined || hours === 0) return free
  const until = hoursEarlier(free.until, hours)
  return Date.parse(until) <= now ? undefined : { until }
}
