import type { Money } from './money/money.ts'

export type VendorId = string

/** `some_meals`: any other included food; the extras contain the vendor's wording. */
export const BOARDS = [
  'room_only',
  'breakfast',
  'half_board',
  'full_board',
  'all_inclusive',
  'self_catering',
  'some_meals',
] as const
export type Board = (typeof BOARDS)[number]

export type Fee = {
  readonly label: string
  readonly amount: Money
  /** `property`: collected by the property. `booking`: charged by the vendor. */
  readonly paidAt: 'booking' | 'property'
  /** Amount in the property's currency, if different; `amount` is then converted. */
  readonly local?: Money
}

/** Vendor's limits for the selling price, including all fees like `Price.total`. */
export type SellingBounds = { readonly min?: Money; readonly max?: Money; readonly fixed?: Money }

/** Price of all rooms for the whole stay. `total = base + taxesFees`, and `taxesFees` includes all of `fees`. */
export type Price = {
  readonly total: Money
  readonly base: Money
  readonly taxesFees: Money
  readonly fees: readonly Fee[]
  /** Part of `total` that the property collects. */
  readonly dueAtProperty: Money
  /** Vendor's undiscounted total, or `total` if there is none. Never lower than `total`. */
  readonly publicTotal: Money
}

/** Cancelling costs `amount` from `from` until `until` (or check-in). Both are ISO 8601 with the property's offset. */
export type CancelPenalty = { readonly from: string; readonly until?: string; readonly amount: Money }

/** Free before the first penalty. `undefined` in an offer means unknown, never free. */
export type CancelTerms = { readonly penalties: readonly CancelPenalty[]; readonly refundable: boolean }

export const NOTICE_KINDS = [
  'rate_comment',
  'fees',
  'check_in',
  'policies',
  'deposit',
  'trader',
  'vendor_terms',
  'promotion',
] as const

/** Plain text in the vendor's words that the seller must show. Never parsed for amounts. */
export type Notice = {
  readonly kind: (typeof NOTICE_KINDS)[number]
  readonly title: string
  readonly text: string
  /** Primary tag such as `de`, if known. */
  readonly language?: string
  readonly url?: string
  readonly requiredAt: readonly ('detail' | 'checkout' | 'voucher')[]
}

/** Rate for the whole stay, as needed by a result list. */
export type ListedRate = {
  readonly total: Money
  readonly publicTotal: Money
  readonly board: Board
  readonly freeCancellation: boolean
  /** ISO 8601 with the property's offset; present if cancelling is free now and the end is known. */
  readonly freeCancellationUntil?: string
  readonly roomsLeft?: number
  readonly bounds?: SellingBounds
  /** Amount that the vendor bills for `total`, if it prescribes the selling price. */
  readonly payable?: Money
}

/** Cheapest rate of a property by net price, and the cheapest of each kind. */
export type PropertyOffer = ListedRate & {
  readonly vendorPropertyId: string
  /** Cheapest offer with free cancellation. Null: there is none. Absent: not requested from the vendor. */
  readonly freeOffer?: FreeOffer | null
  /** Cheapest offer of each board, cheapest first. Absent: not requested from the vendor. */
  readonly boardOffers?: readonly BoardOffer[]
  /** Rates with a higher net price that, because of the vendor's limits, may have a lower selling price. */
  readonly others?: readonly ListedRate[]
}

export type FreeOffer = {
  readonly total: Money
  readonly until?: string | undefined
  readonly bounds?: SellingBounds | undefined
}
export type BoardOffer = {
  readonly board: Board
  readonly total: Money
  readonly bounds?: SellingBounds | undefined
}

/** Room type under one rate, for the whole party. */
export type RoomOffer = {
  /** Matches `RoomContent.id`. */
  readonly roomId: string
  /** Content room of each room of the stay, if they differ. */
  readonly roomIds?: readonly string[]
  readonly name: string
  /** Capacity of all rooms of the offer together, if the rate reports it. */
  readonly sleeps?: number
  readonly beds: readonly string[]
  readonly board: Board
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly bounds?: SellingBounds
  /** Amount that the vendor bills for `price.total`, if it prescribes the selling price. */
  readonly payable?: Money
  readonly roomsLeft?: number
  readonly notices?: readonly Notice[]
  /** References to texts in the vendor's content, which the catalogue copies. */
  readonly remarkRefs?: readonly string[]
  /** Labels of the rate's own amenities (free breakfast, parking). */
  readonly extras: readonly string[]
  /** Used by the adapter to check the price and book; sealed before it leaves the service. */
  readonly ref: OfferRef
  /** Fields of `booking_info` that a client may see, such as `bed_id`. */
  readonly visible: Readonly<Record<string, string>>
  readonly expiresAt: number
}

/** JSON-safe; written and read by one adapter only. */
export type OfferRef = Readonly<Record<string, string | number | boolean | readonly string[]>>
