import type { Money } from './money/money.ts'

export type VendorId = string

/** `some_meals`: food is included that no other value names; the vendor's own words are among the extras. */
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

/** A charge beside the base price. */
export type Fee = {
  readonly label: string
  readonly amount: Money
  /** `property` is collected on the spot, `booking` is part of what the vendor charges. */
  readonly paidAt: 'booking' | 'property'
  /** What the property asks for in its own currency, where that is another; `amount` is then converted. */
  readonly local?: Money
}

/** Limits that a vendor sets to what a stay may be sold for, all fees included as in `Price.total`. */
export type SellingBounds = { readonly min?: Money; readonly max?: Money; readonly fixed?: Money }

/**
 * What a stay costs: the whole stay, every room, taxes and mandatory fees included. `total = base + taxesFees`
 * and `taxesFees` holds everything in `fees`.
 */
export type Price = {
  readonly total: Money
  readonly base: Money
  readonly taxesFees: Money
  readonly fees: readonly Fee[]
  /** The part of `total` that the property collects. */
  readonly dueAtProperty: Money
  /** The vendor's undiscounted total for the same, or `total` where it names none. Never lower than `total`. */
  readonly publicTotal: Money
}

/** From `from` until `until` (or check-in) cancelling costs `amount`. Both are ISO 8601 with the property's offset. */
export type CancelPenalty = { readonly from: string; readonly until?: string; readonly amount: Money }

/**
 * Structured cancellation: before the first penalty it is free. An empty list means free until check-in;
 * `undefined` in an offer means the vendor did not say (never "free").
 */
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

/** Something the vendor obliges a seller to show, as plain text in the vendor's words. Never read for amounts. */
export type Notice = {
  readonly kind: (typeof NOTICE_KINDS)[number]
  readonly title: string
  readonly text: string
  /** Of the text, as a primary tag such as `de`; absent where nobody knows. */
  readonly language?: string
  readonly url?: string
  readonly requiredAt: readonly ('detail' | 'checkout' | 'voucher')[]
}

/** One rate for the whole stay, as much as a result list needs. */
export type ListedRate = {
  readonly total: Money
  readonly publicTotal: Money
  readonly board: Board
  readonly freeCancellation: boolean
  /** When cancelling begins to cost, ISO 8601 with the property's offset; only where it is free now and that is known. */
  readonly freeCancellationUntil?: string
  /** How many are left, where the vendor counts them. */
  readonly roomsLeft?: number
  readonly bounds?: SellingBounds
  /** What the vendor bills, as much of the stay as `total`, where the price is one that it prescribes. */
  readonly payable?: Money
}

/** The cheapest rate of one property by net price, and the cheapest of each kind. */
export type PropertyOffer = ListedRate & {
  readonly vendorPropertyId: string
  /** The cheapest offer that can be cancelled for free. Null: there is none. Absent: the vendor was not asked. */
  readonly freeOffer?: FreeOffer | null
  /** The cheapest offer of each board, cheapest first. Absent: the vendor was not asked for all of them. */
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

/** One bookable choice: a room type under one rate, for the whole party. */
export type RoomOffer = {
  /** The content room this rate belongs to; matches RoomContent.id. */
  readonly roomId: string
  /** The content room of each room of the stay, where they are not all the same. */
  readonly roomIds?: readonly string[]
  readonly name: string
  /** How many all rooms of the offer hold together, where the rate says so. */
  readonly sleeps?: number
  readonly beds: readonly string[]
  readonly board: Board
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly bounds?: SellingBounds
  /** What the vendor bills, as much of the stay as `price.total`, where the price is one that it prescribes. */
  readonly payable?: Money
  readonly roomsLeft?: number
  readonly notices?: readonly Notice[]
  /** What the rate refers to and the vendor's content has the words of; the catalogue keeps a copy. */
  readonly remarkRefs?: readonly string[]
  /** Amenities of the rate itself (free breakfast, parking), as labels. */
  readonly extras: readonly string[]
  /** All the adapter needs to check the price and book later; opaque to everyone else, sealed before it leaves us. */
  readonly ref: OfferRef
  /** Fields of `booking_info` a client may see: `bed_id` for a vendor that has beds to choose from. */
  readonly visible: Readonly<Record<string, string>>
  /** When the vendor forgets this offer, as an epoch in milliseconds. */
  readonly expiresAt: number
}

/** JSON-safe, written and read by one adapter alone. */
export type OfferRef = Readonly<Record<string, string | number | boolean | readonly string[]>>
