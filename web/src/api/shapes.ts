/** The page's names for the types of the API client. */
import type { components } from '../../../packages/client/src/index.ts'

type Schemas = components['schemas']

/** `account` is null for a guest. */
export type PageSession = Schemas['PageSession']
export type SearchBody = Schemas['SearchRequest']
/** The page adds `neighbourhood` (results/filters/neighbourhoods.ts); empty for a property outside all neighbourhoods. */
export type Summary = Schemas['PropertyCard'] & { readonly neighbourhood?: string }
/** A property as the sold-out problem names it. */
export type FullSummary = Schemas['PropertySummary']
export type SearchResult = Omit<Schemas['Search'], 'availability'> & { readonly availability: readonly Summary[] }
export type VendorReport = Schemas['VendorReport']
export type Detail = Schemas['PropertyDetail']
export type Picture = Schemas['Image']
export type Room = Schemas['Room']
export type Fee = Schemas['Fee']
export type CancelPolicy = Schemas['CancelPolicy']
export type BookBody = Schemas['BookRequest']
export type Booking = Schemas['Booking']
export type CancelAnswer = Schemas['CancelOutcome']
export type PriceCheck = Schemas['PriceCheck']
export type TermChange = PriceCheck['changes'][number]
export type Amount = { readonly amount: number; readonly currency: string }
/** Card payment of a guest, before and after it belongs to a booking. */
export type Payment = Schemas['Payment']
export type PaymentStatus = Schemas['PaymentStatus']
export type BookedPayment = Schemas['BookedPayment']
export type Card = Schemas['PaymentCard']
/** Source of the card form: the provider's script, or a form in a frame. */
export type CardFormSource = { readonly publishable_key: string; readonly form?: string }
export type Place = Schemas['Location']
export type Neighbourhood = Schemas['Neighbourhood']
export type Board = Schemas['Board']

/** Settings that the page reads from the service on load. */
export type PageConfig = {
  readonly mode: string
  readonly demo: { readonly email: string; readonly password: string } | null
  readonly map_style_url: string | null
  /** True if guests receive mails. */
  readonly mail: boolean
  /** True if all vendors are sandboxes: no booking reaches a real property. */
  readonly sandbox: boolean
  /** Actions allowed without signing in. */
  readonly guests: 'off' | 'search' | 'book'
  /** Amount of each currency per euro. */
  readonly exchange_rates: { readonly date: string; readonly rates: Readonly<Record<string, number>> }
  readonly session: PageSession | null
  /** Absent if this service takes no cards. */
  readonly payments?: CardFormSource | null
}
