import type { Money } from './money.ts'

export type VendorId = string

export const BOARDS = ['room_only', 'breakfast', 'half_board', 'full_board', 'all_inclusive', 'self_catering'] as const
export type Board = (typeof BOARDS)[number]

/** A charge beside the base price. */
export type Fee = {
  readonly label: string
  readonly amount: Money
  /** `property` is collected on the spot, `booking` is part of what the vendor charges. */
  readonly paidAt: 'booking' | 'property'
}

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

/** The cheapest way into one property, as much as a result list needs. */
export type PropertyOffer = {
  readonly vendorPropertyId: string
  readonly total: Money
  readonly publicTotal: Money
  readonly board: Board
  readonly freeCancellation: boolean
  /** When cancelling begins to cost, ISO 8601 with the property's offset; only where it is free now and that is known. */
  readonly freeCancellationUntil?: string
  /** How many are left, where the vendor counts them. */
  readonly roomsLeft?: number
}

/** One bookable choice: a room type under one rate, for the whole party. */
export type RoomOffer = {
  /** The content room this rate belongs to; matches RoomContent.id. */
  readonly roomId: string
  /** The content room of each room of the stay, where they are not all the same. */
  readonly roomIds?: readonly string[]
  readonly name: string
  readonly beds: readonly string[]
  readonly board: Board
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly roomsLeft?: number
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
