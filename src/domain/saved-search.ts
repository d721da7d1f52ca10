import type { Box } from '../lib/geo.ts'
import type { Location } from './property/location.ts'
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
   * response. A later search may find more.
   */
  readonly reason?: 'content_incomplete' | 'rates_incomplete'
}

/** True if results of this vendor may be missing. */
export const hasGap = ({ status, reason }: VendorOutcome): boolean =>
  reason !== undefined || (status !== 'ok' && status !== 'skipped')

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
