import type { Offer } from '../../domain/offer.ts'

/**
 * Selects the rates of one property that a result list needs: the cheapest, the cheapest with free cancellation, and
 * those that the vendor's limits on selling prices may make the cheapest. Sorted by price.
 */
export function selectUsefulRates(rates: readonly Offer[]): readonly Offer[] {
  if (rates.length < 2) return rates
  const useful: Offer[] = []
  const all: Offer[] = []
  const free: Offer[] = []
  for (const rate of rates.toSorted((a, b) => a.total.minor - b.total.minor)) {
    const isCheapest = addIfUseful(all, rate)
    const isCheapestFree = rate.freeCancellation !== undefined && addIfUseful(free, rate)
    if (isCheapest || isCheapestFree) useful.push(rate)
  }
  return useful
}

/**
 * Adds a rate if it may sell for less than the cheaper rates, whatever markup is added. Selling prices grow with net
 * and with both limits, so a rate that is higher in all three is never cheaper.
 */
function addIfUseful(useful: Offer[], rate: Offer): boolean {
  const isUseful = useful.every(
    (cheaper) =>
      lowestSellingPrice(cheaper) > lowestSellingPrice(rate) ||
      highestSellingPrice(cheaper) > highestSellingPrice(rate),
  )
  if (isUseful) useful.push(rate)
  return isUseful
}

/** No rate is sold below net. */
const lowestSellingPrice = ({ total, bounds }: Offer): number =>
  Math.max(total.minor, bounds?.min?.minor ?? 0, bounds?.fixed?.minor ?? 0)
const highestSellingPrice = ({ bounds }: Offer): number =>
  Math.min(bounds?.max?.minor ?? Number.POSITIVE_INFINITY, bounds?.fixed?.minor ?? Number.POSITIVE_INFINITY)
