/** The types of everything the page reads or sends, derived from the API's schemas. */
import type { Static } from 'typebox'
import type { BookingSchema, BookRequest, CancelResponse, GuestSchema } from '../../../src/http/schemas/bookings.ts'
import type {
  AccommodationDetail,
  CancelPolicySchema,
  DetailImage,
  FeeSchema,
  RoomSchema,
} from '../../../src/http/schemas/detail.ts'
import type { LocationSummary } from '../../../src/http/schemas/locations.ts'
import type { PriceCheckResponse } from '../../../src/http/schemas/price-check.ts'
import type {
  AccommodationSummary,
  SearchData,
  SearchDone as SearchDoneSchema,
  VendorReportSchema,
} from '../../../src/http/schemas/search.ts'
import type { SearchRequest } from '../../../src/http/schemas/search-request.ts'
import type { PageSession as PageSessionSchema } from '../../../src/http/schemas/session.ts'

/** `account` is null for a guest. */
export type PageSession = PageSessionSchema
export type SearchBody = Static<typeof SearchRequest>
export type Summary = Static<typeof AccommodationSummary>
export type SearchResult = Static<typeof SearchData>
export type SearchDone = Static<typeof SearchDoneSchema>['data']
export type VendorReport = Static<typeof VendorReportSchema>
export type Detail = Static<typeof AccommodationDetail>
export type Picture = Static<typeof DetailImage>
export type Room = Static<typeof RoomSchema>
export type Fee = Static<typeof FeeSchema>
export type CancelPolicy = Static<typeof CancelPolicySchema>
export type Guest = Static<typeof GuestSchema>
export type BookBody = Static<typeof BookRequest>
export type Booking = Static<typeof BookingSchema>
export type CancelAnswer = Static<typeof CancelResponse>['data']
export type PriceCheck = Static<typeof PriceCheckResponse>['data']
export type TermChange = PriceCheck['changes'][number]
export type Place = Static<typeof LocationSummary>
export type Board = Summary['board']

/** Settings the service gives the page at load. */
export type PageConfig = {
  readonly mode: string
  readonly demo: { readonly email: string; readonly password: string } | null
  readonly map_style_url: string | null
  /** Whether guests get mails. */
  readonly mail: boolean
  /** What visitors may do without signing in. */
  readonly guests: 'off' | 'search' | 'book'
  readonly session: PageSession | null
}
