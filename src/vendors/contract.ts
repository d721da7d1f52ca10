import type { Money } from '../domain/money.ts'
import type { CancelTerms, OfferRef, Price, PropertyOffer, RoomOffer, VendorId } from '../domain/offer.ts'
import type { VendorProperty } from '../domain/property.ts'
import type { Market, Stay } from '../domain/stay.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Circle } from '../lib/geo.ts'
import type { PlainDate } from '../lib/plain-date.ts'

/** What a vendor can do and how it behaves, as facts a caller can branch on before it calls. */
export type Capabilities = {
  readonly roomsMax: number
  readonly nightsMax: number
  readonly leadDaysMax: number
  /** `availability` is never called with more ids than this. */
  readonly propertiesPerCallMax: number
  /** Currencies the vendor can be asked for; `account` means it answers in the account's own. */
  readonly currencies: 'any' | 'account'
  /** Repeating `book` under the same reference never makes a second booking. */
  readonly bookIsIdempotent: boolean
  /** The vendor's answer "no such booking" proves absence once the horizon has passed. */
  readonly absenceIsFinal: boolean
  /** How long `book` may take before nothing will come any more. */
  readonly bookTimeoutMs: number
  /** How long after that a booking may still turn up in `find`. */
  readonly visibilityLagMs: number
  /** How long a price from `availability` or `rooms` may be shown. */
  readonly offerTtlMs: number
}

/** Which content to read. */
export type ContentQuery =
  | { readonly kind: 'area'; readonly circle: Circle; readonly limit: number }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** The whole feed, or what changed since a day; `cursor` is where an earlier run stopped. */
  | { readonly kind: 'feed'; readonly since?: PlainDate; readonly cursor?: string }

export type ContentPage = {
  readonly properties: readonly VendorProperty[]
  /** Properties the vendor sent that could not be read; they are counted, never guessed at. */
  readonly dropped: number
  /** Where to go on from after this page; undefined on the last one. */
  readonly cursor: string | undefined
  /** How many there are in all, where the vendor says. */
  readonly total: number | undefined
}

export type AvailabilityQuery = {
  readonly vendorPropertyIds: readonly string[]
  readonly stay: Stay
  readonly market: Market
  /** IANA zone of the properties where the caller knows it, for a deadline that is a time on the wall. */
  readonly timezone?: string
}

export type AvailabilityAnswer = { readonly offers: readonly PropertyOffer[]; readonly dropped: number }

export type RoomsQuery = {
  readonly vendorPropertyId: string
  readonly stay: Stay
  readonly market: Market
  /** IANA zone of the property, for penalties the vendor gives without an offset. */
  readonly timezone: string
}

export type PriceCheck =
  /** `price` is what booking will cost now; the caller compares it with what was shown. */
  | {
      readonly status: 'available'
      readonly price: Price
      readonly cancel: CancelTerms | undefined
      readonly ref: OfferRef
      readonly expiresAt: number
    }
  | { readonly status: 'sold_out' }

export type Guest = { readonly givenName: string; readonly familyName: string }
export type Contact = { readonly email: string; readonly phone: string }

export type BookOrder = {
  /** From the price check, not from the room. */
  readonly ref: OfferRef
  /** Our own reference, unique, 20 of A–Z and 0–9. */
  readonly reference: string
  /** The lead guest of each room, in the order of the occupancies. */
  readonly guests: readonly Guest[]
  readonly contact: Contact
  readonly specialRequests: string
  readonly stay: Stay
  /** What the booking must cost at most. */
  readonly price: Money
}

/** How to find a booking at the vendor again; all of it is stored before `book` is called. */
export type BookingLookup = {
  readonly reference: string
  readonly email: string
  /** The day (UTC) on which the intent was written. */
  readonly createdOn: PlainDate
  /** Known once the vendor has confirmed. */
  readonly vendorReference?: string
}

/** How a booking stands with the vendor, now. */
export type Receipt = {
  readonly state: 'confirmed' | 'pending' | 'rejected' | 'cancelled'
  readonly vendorReference: string
  /** What the vendor says the booking costs, where it says so. */
  readonly total?: Money
  /** What a cancelled booking cost, where the vendor says so. */
  readonly cancelFee?: Money
}

export type CancelQuote = { readonly fee: Money }

/** What `serai vendors check` tells an operator. */
export type Probe = { readonly name: string; readonly ok: boolean; readonly detail: string }

/**
 * The whole of what the rest of the system knows about an upstream. Every method either answers in our words or
 * throws a VendorError; no vendor spelling, status code or HTTP detail passes this line. Every method obeys
 * `context.signal`.
 */
export interface Vendor {
  readonly id: VendorId
  readonly capabilities: Capabilities
  /** Pages of static content. Never called while a search waits, except for an area nobody has visited before. */
  content(query: ContentQuery, context: CallContext): AsyncIterable<ContentPage>
  /** The cheapest offer of each named property that has one. */
  availability(query: AvailabilityQuery, context: CallContext): Promise<AvailabilityAnswer>
  /** Every bookable room and rate of one property; empty when it is sold out. */
  rooms(query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]>
  priceCheck(ref: OfferRef, context: CallContext): Promise<PriceCheck>
  book(order: BookOrder, context: CallContext): Promise<Receipt>
  /** The booking made under our reference, or undefined if the vendor says there is none (yet). */
  find(lookup: BookingLookup, context: CallContext): Promise<Receipt | undefined>
  /** What cancelling would cost now; undefined where the vendor cannot say without doing it. */
  previewCancel(lookup: BookingLookup, context: CallContext): Promise<CancelQuote | undefined>
  /** Cancels; the receipt says how the booking stands afterwards. */
  cancel(lookup: BookingLookup, context: CallContext): Promise<Receipt>
  /** Credentials, clock, certificate, reach: one line each. */
  probe(context: CallContext): Promise<readonly Probe[]>
}
