import type { Box } from '../lib/geo.ts'
import type { Conditions, Offer } from './offer.ts'
import type { Location } from './property/location.ts'
import type { PropertySummary } from './property/property-summary.ts'
import type { Market, Stay } from './stay.ts'

/** Stored with the search so that property details can be requested later. */
export type SearchTerms = {
  readonly location: Location
  /** Around the location, or from the centre of the area to its corners. */
  readonly radiusKm: number
  /** Searched instead of the circle around the location. */
  readonly area?: Box
  /** Country of the area, if the location is outside the area. */
  readonly areaCountryCode?: string
  readonly stay: Stay
  readonly market: Market
  readonly conditions?: Conditions
  readonly customerIp: string | undefined
  readonly vendorIds: readonly string[]
}

export type VendorOutcome = {
  readonly vendorId: string
  readonly status: 'ok' | 'partial' | 'timeout' | 'error' | 'skipped'
  readonly properties: number
  readonly tookMs: number
  /**
   * `content_incomplete`: not all properties of the area were known. `rates_incomplete`: some requests to the vendor got no
   * response. `quota`: the vendor's rate limit left no room for some requests. A later search may find more.
   * `condition_not_supported`: the vendor was not asked.
   */
  readonly reason?: 'content_incomplete' | 'rates_incomplete' | 'quota' | 'condition_not_supported'
}

/** True if results of this vendor may be missing. */
export const hasGap = ({ status, reason }: VendorOutcome): boolean =>
  (reason !== undefined && status !== 'skipped') || (status !== 'ok' && status !== 'skipped')

/** A property of a search, at selling prices in the requested currency. */
export type SearchResult = {
  readonly propertyId: string
  readonly distanceKm: number
  /** Cheapest first: the cheapest rate of each vendor, and its cheapest with free cancellation if that is another. */
  readonly offers: readonly Offer[]
  readonly score: number
  readonly facts: PropertySummary
}

/** The catalogue has the facts. */
export type SavedResult = Omit<SearchResult, 'facts'>

/** Stored search without its results. */
export type SavedSearch = {
  readonly searchId: string
  readonly accountId: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly simulated: boolean
  readonly terms: SearchTerms
  readonly vendors: readonly VendorOutcome[]
  /** Day of the exchange rates, if any price was converted. */
  readonly ratesDate: string | undefined
  readonly found: number
  /** Version of the selling rules; 0 or absent if there were none. */
  readonly rulesVersion?: number
}
