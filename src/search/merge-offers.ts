import { formatInZone } from '../domain/booking/cancel-policy.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import { mapMoney, type Offer, type VendorId } from '../domain/offer.ts'
import type { PropertySummary } from '../domain/property/property-summary.ts'
import type { SearchResult } from '../domain/saved-search.ts'
import type { SellOffers } from './sell-offers.ts'
import type { Candidate } from './world.ts'

type Merged = {
  candidate: Candidate
  /** Net, in the requested currency. */
  readonly offers: Offer[]
  /** Undefined until requested. The same array as long as the offers are the same. */
  sold: readonly Offer[] | undefined
}

type Options = {
  readonly currency: string
  readonly rates: ExchangeRates
  readonly sell: SellOffers
  score(result: Omit<SearchResult, 'score'>, radiusKm: number): number
  /** IANA zone, for times that a vendor gives in UTC. */
  findZone(candidate: Candidate): string
}

/** Merges the vendors' offers into one result per property, whatever the order in which vendors answer. */
export function createMerge({ currency, rates, sell, score, findZone }: Options) {
  const byProperty = new Map<string, Merged>()
  const byVendor = new Map<VendorId, Map<string, Merged>>()

  function toResult(propertyId: string, facts: PropertySummary | undefined, radiusKm: number): SearchResult[] {
    const merged = byProperty.get(propertyId)
    if (merged === undefined || facts === undefined || merged.offers.length === 0) return []
    merged.sold ??= sell(propertyId, merged.offers, facts.starRating)
    const offers = merged.sold
    if (offers.length === 0) return []
    const { distanceKm } = merged.candidate
    return [
      { propertyId, distanceKm, offers, score: score({ propertyId, distanceKm, offers, facts }, radiusKm), facts },
    ]
  }

  return {
    /** Registers candidates whose offers may arrive from now on. */
    expect(candidates: readonly Candidate[]): void {
      for (const candidate of candidates) {
        const { propertyId, vendors } = candidate
        const merged = byProperty.get(propertyId) ?? { candidate, offers: [], sold: undefined }
        merged.candidate = candidate
        byProperty.set(propertyId, merged)
        for (const { vendorId, vendorPropertyId } of vendors) {
          const own = byVendor.get(vendorId) ?? new Map<string, Merged>()
          byVendor.set(vendorId, own.set(vendorPropertyId, merged))
        }
      }
    },
    /** Returns the ids of the properties that changed. */
    add(vendorId: VendorId, offers: readonly Offer[]): string[] {
      const known = byVendor.get(vendorId)
      const changed = new Set<string>()
      for (const offer of offers) {
        const merged = known?.get(offer.vendorPropertyId)
        const converted = merged && inCurrency(inLocalTime(offer, merged.candidate, findZone), currency, rates)
        if (merged === undefined || converted === undefined) continue
        merged.offers.push(converted)
        merged.sold = undefined
        changed.add(merged.candidate.propertyId)
      }
      return [...changed]
    },
    /** Drops properties that have no description or cannot be sold. */
    results: (
      propertyIds: readonly string[],
      factsById: ReadonlyMap<string, PropertySummary>,
      radiusKm: number,
    ): SearchResult[] => propertyIds.flatMap((id) => toResult(id, factsById.get(id), radiusKm)),
  }
}

/** Vendors that send an offset use the property's. Only UTC has to be converted to local time. */
function inLocalTime(offer: Offer, candidate: Candidate, findZone: Options['findZone']): Offer {
  const until = offer.freeCancellation?.until
  if (until?.endsWith('Z') !== true) return offer
  return { ...offer, freeCancellation: { until: formatInZone(until, findZone(candidate)) } }
}

/** Undefined without an exchange rate, because the offer cannot be compared. */
function inCurrency(offer: Offer, currency: string, rates: ExchangeRates): Offer | undefined {
  const isOwn = offer.total.currency === currency
  const { bounds = {}, publicTotal, total } = offer
  const isFinal =
    isOwn && publicTotal.minor >= total.minor && Object.values(bounds).every((limit) => limit.currency === currency)
  const converted = isFinal ? offer : mapMoney(offer, (money) => convertMoney(money, currency, rates))
  if (converted === undefined || converted.total.minor <= 0) return undefined
  return isOwn ? converted : { ...converted, converted: true }
}
