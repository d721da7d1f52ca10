import type { Box } from '../lib/geo.ts'
import type { Location } from './property/location.ts'
import type { Market, Stay } from './stay.ts'

/** What was asked, kept with the search so that its detail can be asked again. */
export type SearchTerms = {
  readonly location: Location
  /** Around the location; with an area, from its middle to its corners. */
  readonly radiusKm: number
  /** Searched instead of the circle around the location. */
  readonly area?: Box
  /** The country of the area, where the location does not lie in it. */
  readonly areaCountryCode?: string
  readonly stay: Stay
  readonly market: Market
  readonly customerIp: string | undefined
  readonly vendorIds: readonly string[]
}

export type VendorOutcome = {
  readonly vendorId: string
  /** `partial`: not all of its properties in the area were known, or not all of its rates came in time. */
  readonly status: 'ok' | 'partial' | 'timeout' | 'error' | 'skipped'
  readonly properties: number
  readonly tookMs: number
  /**
   * `content_incomplete`: not all of the area's properties were known, so a later search may find more. `rates_incomplete`: some
   * requests to the vendor were not answered, so a later search may find more properties or lower prices.
   */
  readonly reason?: 'content_incomplete' | 'rates_incomplete'
}

/** Something may be missing from the answer on this vendor's account. */
export const hasGap = ({ status, reason }: VendorOutcome): boolean =>
  reason !== undefined || (status !== 'ok' && status !== 'skipped')

/** A search as it is kept, without its results. */
export type SavedSearch = {
  readonly searchId: string
  readonly accountId: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly simulated: boolean
  readonly terms: SearchTerms
  readonly vendors: readonly VendorOutcome[]
  /** Day of the exchange rates, where any price was converted. */
  readonly ratesDate: string | undefined
  readonly found: number
  /** Of the selling rules that its prices were made with; 0 or absent while there were none. */
  readonly rulesVersion?: number
}
