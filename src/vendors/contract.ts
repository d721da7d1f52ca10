import type { Guest, Receipt } from '../domain/booking/receipt.ts'
import type { Money } from '../domain/money/money.ts'
import type {
  Board,
  CancelTerms,
  Notice,
  OfferRef,
  Price,
  PropertyOffer,
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

/** Which content to read. */
export type ContentQuery =
  /**
   * What there is in a circle: at least the nearest `limit` of it. Without rooms it comes quicker; such properties are
   * marked `roomsUnread`.
   */
  | { readonly kind: 'area'; readonly circle: Circle; readonly limit: number; readonly withRooms?: boolean }
  /** In `language`, a primary tag such as `de` that `capabilities.languages` has; in English where it is left out. */
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly language?: string }
  /** The whole feed, or what changed since a day; `cursor` is where an earlier run stopped. */
  | { readonly kind: 'feed'; readonly since?: PlainDate; readonly cursor?: string }

export type ContentPage = {
  readonly properties: readonly VendorProperty[]
  /** Properties the vendor sent that could not be read; they are counted, never guessed at. */
  readonly dropped: number
  /** Where the next page begins; undefined on the last one. */
  readonly cursor: string | undefined
  /** How many there are in all, where the vendor says. */
  readonly total: number | undefined
  /** Of an area: there is more than was asked for, farther away than all that came. */
  readonly isCut?: boolean
}

export type AvailabilityQuery = {
  readonly vendorPropertyIds: readonly string[]
  readonly stay: Stay
  readonly market: Market
  /** IANA zone of the properties where the caller knows it, for a deadline in local time. */
  readonly timezone?: string
}

export type AvailabilityAnswer = {
  readonly offers: readonly PropertyOffer[]
  readonly dropped: number
  /** Some of the questions behind it were not answered: it serves those who wait, and is not kept for others. */
  readonly isIncomplete?: boolean
}

export type RoomsQuery = {
  readonly vendorPropertyId: string
  readonly stay: Stay
  readonly market: Market
  /** IANA zone of the property, for penalties the vendor gives without an offset. */
  readonly timezone: string
}

export type PriceCheck =
  /** What booking means now. The adapter tells all of it; the caller compares it with what was shown. */
  | {
      readonly status: 'available'
      readonly price: Price
      /** undefined where the check does not tell: then what was shown holds. */
      readonly cancel: CancelTerms | undefined
      /** Absent where the check does not tell. */
      readonly board?: Board
      /** Absent where there are none now, as in `RoomOffer`. */
      readonly bounds?: SellingBounds
      readonly payable?: Money
      /** What the check tells to be shown. It stands for all of its kinds; of other kinds, what was shown before holds. */
      readonly notices?: readonly Notice[]
      readonly ref: OfferRef
      readonly expiresAt: number
    }
  | { readonly status: 'sold_out' }

export type DaySpan = { readonly from: PlainDate; readonly to: PlainDate }

type Contact = { readonly email: string; readonly phone: string }

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

/** How a booking stands, as a list of many tells it. */
export type ListedBooking = { readonly reference: string; readonly state: Receipt['state'] }

/** What of a booking that stands may be changed, and the stay that tells whose room is which. */
export type Amendment = {
  /** The lead guest of each room, in the order of the occupancies. */
  readonly guests: readonly Guest[]
  readonly specialRequests: string
  readonly stay: Stay
}

/** What a rate's reference (`RoomOffer.remarkRefs`) stands for, and for arrivals of which days. */
export type RateRemark = {
  readonly ref: string
  readonly from?: PlainDate
  readonly until?: PlainDate
  readonly text: string
}

/** All of them, or those of some references for an arrival on one day. */
export type RemarksQuery =
  | { readonly kind: 'feed'; readonly cursor?: string }
  | { readonly kind: 'refs'; readonly refs: readonly string[]; readonly on: PlainDate }

/** `cursor` is where the next page of a feed begins; undefined on the last one. */
export type RemarksPage = { readonly remarks: readonly RateRemark[]; readonly cursor: string | undefined }

export type CancelQuote = { readonly fee: Money }

/** Something that a vendor has sent to us of its own accord. */
export type VendorMessage = { readonly headers: Readonly<Record<string, unknown>>; readonly body: unknown }

/** `sandbox`: a stand-in on this machine. `test`: the vendor's own environment for trials. */
export const VENDOR_ENVIRONMENTS = ['sandbox', 'test', 'live'] as const
export type VendorEnvironment = (typeof VENDOR_ENVIRONMENTS)[number]

/** What `serai vendors check` tells an operator. */
export type Probe = { readonly name: string; readonly ok: boolean; readonly detail: string }

/**
 * All that the rest of the system knows about a vendor. Every method either answers in our words or
 * throws a VendorError; no vendor spelling, status code or HTTP detail leaves it. Every method obeys
 * `context.signal`.
 */
export interface Vendor {
  readonly id: VendorId
  readonly capabilities: Capabilities
  /** Pages of static content. Never called while a search waits, except for an area nobody has visited before. */
  content(query: ContentQuery, context: CallContext): AsyncIterable<ContentPage>
  /** For a vendor whose rates refer to remarks in its content. Never called while somebody waits. */
  remarks?(query: RemarksQuery, context: CallContext): AsyncIterable<RemarksPage>
  /** The cheapest offer of each named property that has one. */
  availability(query: AvailabilityQuery, context: CallContext): Promise<AvailabilityAnswer>
  /** Every bookable room and rate of one property; empty when it is sold out. */
  rooms(query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]>
  priceCheck(ref: OfferRef, context: CallContext): Promise<PriceCheck>
  book(order: BookOrder, context: CallContext): Promise<Receipt>
  /** The booking made under our reference, or undefined if the vendor says there is none (yet). */
  find(lookup: BookingLookup, context: CallContext): Promise<Receipt | undefined>
  /**
   * The bookings with a check-in between two days that the vendor has cancelled, page by page: far cheaper than asking for
   * each. Absent where the vendor has no such list.
   */
  listCancelled?(days: DaySpan, context: CallContext): AsyncIterable<readonly ListedBooking[]>
  /** Changes who arrives and what they wish for; absent where the vendor cannot. */
  amend?(lookup: BookingLookup, amendment: Amendment, context: CallContext): Promise<void>
  /** What cancelling would cost now; undefined where the vendor cannot say without doing it. */
  previewCancel(lookup: BookingLookup, context: CallContext): Promise<CancelQuote | undefined>
  /** Cancels; the receipt says how the booking stands afterwards. */
  cancel(lookup: BookingLookup, context: CallContext): Promise<Receipt>
  /**
   * Our reference in a notification of the vendor's that a booking has changed; `unsigned` when it is not the vendor's.
   * Absent where the vendor sends none, or nobody has set it up.
   */
  readNotification?(message: VendorMessage): string | 'unsigned' | undefined
  /** Credentials, clock, certificate, reach: one line each. */
  probe(context: CallContext): Promise<readonly Probe[]>
}
