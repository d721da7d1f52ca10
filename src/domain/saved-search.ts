import type { Location } from './location.ts'
import type { Market, Stay } from './stay.ts'

/** What was asked, kept with the search so that its detail can be asked again. */
export type SearchTerms = {
  readonly location: Location
  readonly radiusKm: number
  readonly stay: Stay
  readonly market: Market
  readonly customerIp: string | undefined
  readonly vendorIds: readonly string[]
}

export type VendorOutcome = {
  readonly vendorId: string
  readonly status: 'ok' | 'timeout' | 'error' | 'skipped'
  readonly properties: number
  readonly tookMs: number
}

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
}
