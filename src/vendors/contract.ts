import type { Guest, Receipt } from '../domain/booking/receipt.ts'
import type { Money } from '../domain/money/money.ts'
import type {
  Board,
  CancelTerms,
  Conditions,
  Notice,
  Offer,
  OfferRef,
  Price,
  RoomOffer,
  SellingBounds,
  VendorId,
} from '../domain/offer.ts'
import type { VendorProperty } from '../domain/property/property.ts'
import type { Market, Stay } from '../domain/stay.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import type { Circle } from '../lib/geo.ts'
import type { PlainDate } from '../lib/time/plain-date.ts'
import type { Capabilities } from './capabilities.ts'

export type { Guest, Receipt } from '../domain/booking/receipt.ts'

export type ContentQuery =
  /**
   * At least the nearest `limit` properties in a circle. Without rooms the response is faster, and the properties are
   * marked `roomsUnread`.
   */
  | { readonly kind: 'area'; readonly circle: Circle; readonly limit: number; readonly withRooms?: boolean }
  /** `language` is a primary tag such as `de` from `capabilities.languages`; English by default. */
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly language?: string }
  /** The whole feed, or changes since a day; `cursor` resumes an earlier run. */
  | { readonly kind: 'feed'; readonly since?: PlainDate; readonly cursor?: string }

export type ContentPage = {
  readonly properties: readonly VendorProperty[]
  /** Number of properties in the response that could not be decoded. */
  readonly dropped: number
  /** Start of the next page; undefined on the last one. */
  readonly cursor: string | undefined
  /** Total number of properties, if the vendor reports it. */
  readonly total: number | undefined
  /** For an area: more properties exist than were requested, all farther away than those returned. */
  readonly isCut?: boolean
}

export type AvailabilityQuery = {
  readonly vendorPropertyIds: readonly string[]
  readonly stay: Stay
  readonly market: Market
  /** Sent as the vendor's own filters; the adapter checks every rate again. */
  readonly conditions?: Conditions
  /** IANA zone of the properties, if known, for deadlines in local time. */
  readonly timezone?: string
}

export type AvailabilityAnswer = {
  /** Rates that meet the conditions: of each property the cheapest, the cheapest with free cancellation, and those that bounds may make cheaper to sell. */
  readonly offers: readonly Offer[]
  readonly dropped: number
  /** A request behind this answer failed. Return the answer to the caller, but do not cache it. */
  readonly isIncomplete?: boolean
}

export type RoomsQuery = {
  readonly vendorPropertyId: string
  readonly stay: Stay
  readonly market: Market
  /** IANA zone of the property, for penalties without an offset. */
  readonly timezone: string
}

export type PriceCheck =
  /** Current terms of the offer. The caller compares them with the terms shown before. */
  | {
      readonly status: 'available'
      readonly price: Price
      /** Undefined if the check does not report terms; the terms shown before remain valid. */
      readonly cancel: CancelTerms | undefined
      /** Absent if the check does not report it. */
      readonly board?: Board
      /** Absent if there are none now, as in `RoomOffer`. */
      readonly bounds?: SellingBounds
      readonly payable?: Money
      /** Total including property fees in the currency that is billed, if that is another one. */
      readonly billable?: Money
      /** Replaces earlier notices of the same kinds. Notices of other kinds remain valid. */
      readonly notices?: readonly Notice[]
      readonly ref: OfferRef
      readonly expiresAt: number
    }
  | { readonly status: 'sold_out' }

export type DaySpan = { readonly from: PlainDate; readonly to: PlainDate }

type Contact = { readonly email: string; readonly phone: string }

export type BookOrder = {
  /** Reference from the price check, not from the room. */
  readonly ref: OfferRef
  /** Our own reference: 20 characters of A–Z and 0–9. A repeat of the same request has the same one. */
  readonly reference: string
  /** Lead guest of each room, in the order of the occupancies. */
  readonly guests: readonly Guest[]
  readonly contact: Contact
  readonly specialRequests: string
  readonly stay: Stay
}

/** Keys for finding a booking at the vendor; stored before `book` is called. */
export type BookingLookup = {
  readonly reference: string
  readonly email: string
  /** Day (UTC) on which the intent was written. */
  readonly createdOn: PlainDate
  /** First day on which it may have been made instead, if our record of it may be lost. */
  readonly createdSince?: PlainDate
  /** Known once the vendor has confirmed. */
  readonly vendorReference?: string
}

export type ListedBooking = {
  readonly reference: string
  readonly vendorReference: string
  readonly state: Receipt['state']
  readonly propertyName: string
  readonly checkIn: string
  readonly checkOut: string
}

/** Changes to a booking. `stay` assigns guests to rooms. */
export type Amendment = {
  /** Lead guest of each room, in the order of the occupancies. */
  readonly guests: readonly Guest[]
  readonly specialRequests: string
  readonly stay: Stay
  /**
   * Called with the booking before and after the change if the vendor can simulate it. If false, nothing is changed, and
   * `amend` fails with `price_changed`.
   */
  readonly acceptsPrice: (before: Receipt, after: Receipt) => boolean
}

/** Text of a rate's reference (`RoomOffer.remarkRefs`), valid for arrivals between two days. */
export type RateRemark = {
  readonly ref: string
  readonly from?: PlainDate
  readonly until?: PlainDate
  readonly text: string
}

/** All remarks, or those with certain references for one arrival day. */
export type RemarksQuery =
  | { readonly kind: 'feed'; readonly cursor?: string }
  | { readonly kind: 'refs'; readonly refs: readonly string[]; readonly on: PlainDate }

/** `cursor` is the start of the next page; undefined on the last one. */
export type RemarksPage = { readonly remarks: readonly RateRemark[]; readonly cursor: string | undefined }

export type CancelQuote = { readonly fee: Money }

/** Message sent by a vendor on its own initiative. */
export type VendorMessage = { readonly headers: Readonly<Record<string, unknown>>; readonly body: unknown }

/** `sandbox`: a local simulation of the vendor. `test`: the vendor's own test environment. */
export const VENDOR_ENVIRONMENTS = ['sandbox', 'test', 'live'] as const
export type VendorEnvironment = (typeof VENDOR_ENVIRONMENTS)[number]

/** One line of `serai vendors check`. */
export type Probe = { readonly name: string; readonly ok: boolean; readonly detail: string }

/**
 * Interface of a vendor adapter. Every method obeys `context.signal` and throws only VendorError; vendor formats,
 * status codes and HTTP details stay inside the adapter.
 */
export interface Vendor {
  readonly id: VendorId
  readonly capabilities: Capabilities
  /** Pages of static content. A search waits for it only if the area is new. */
  content(query: ContentQuery, context: CallContext): AsyncIterable<ContentPage>
  /** Remarks that rates refer to. Never called while a user is waiting. */
  remarks?(query: RemarksQuery, context: CallContext): AsyncIterable<RemarksPage>
  /** One request per batch. Throws VendorError with the fault `condition_refused` if the vendor rejects a condition. */
  availability(query: AvailabilityQuery, context: CallContext): Promise<AvailabilityAnswer>
  /** Returns false if the vendor cannot be asked for these conditions; searches then skip it. Absent: it can be asked for all. */
  supportsConditions?(conditions: Conditions, context: CallContext): Promise<boolean>
  /** All bookable rooms and rates of one property; empty if it is sold out. */
  rooms(query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]>
  priceCheck(ref: OfferRef, context: CallContext): Promise<PriceCheck>
  /** Awaits `context.beforeSend` right before the request leaves, which the transport does. */
  book(order: BookOrder, context: CallContext): Promise<Receipt>
  /** Booking with our reference; undefined if the vendor does not have it (yet). */
  find(lookup: BookingLookup, context: CallContext): Promise<Receipt | undefined>
  /**
   * Pages of cancelled bookings with a check-in in the given period; cheaper than reading each booking. Absent if the
   * vendor has no such list.
   */
  listCancelled?(days: DaySpan, context: CallContext): AsyncIterable<readonly ListedBooking[]>
  /** Pages of all bookings made in the given period (UTC), in any state. Absent if the vendor does not have one. */
  listBookings?(days: DaySpan, context: CallContext): AsyncIterable<readonly ListedBooking[]>
  /** Changes lead guests and special requests; absent if the vendor does not support it. */
  amend?(lookup: BookingLookup, amendment: Amendment, context: CallContext): Promise<void>
  /** Current cancellation fee; undefined if the vendor cannot calculate it without cancelling. */
  previewCancel(lookup: BookingLookup, context: CallContext): Promise<CancelQuote | undefined>
  /** Returns the receipt of the booking after cancellation. */
  cancel(lookup: BookingLookup, context: CallContext): Promise<Receipt>
  /**
   * Returns our reference from a notification about a changed booking, or `unsigned` if the signature is invalid.
   * Absent if the vendor sends no notifications or they are not configured.
   */
  readNotification?(message: VendorMessage): string | 'unsigned' | undefined
  /** Checks credentials, clock, certificate and connectivity. */
  probe(context: CallContext): Promise<readonly Probe[]>
}
