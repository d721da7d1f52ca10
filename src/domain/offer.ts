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

/** Restricts a search to rates that meet all of them. */
export type Conditions = {
  readonly freeCancellation?: true
  /** Any of these. */
  readonly boards?: readonly Board[]
}

/**
 * A rate for the whole stay, from the adapter to the response. Amounts are in the vendor's currency until
 * `mapMoney` converts them, and net until it prices them.
 */
export type Offer = {
  readonly vendorId: VendorId
  readonly vendorPropertyId: string
  readonly total: Money
  /** Vendor's undiscounted total, or `total` if there is none. */
  readonly publicTotal: Money
  readonly board: Board
  /** Present if cancelling is free now; `until` is ISO 8601 with the property's offset, if the end is known. */
  readonly freeCancellation?: { readonly until?: string }
  readonly roomsLeft?: number
  /** Limits on the selling price; not set after pricing. */
  readonly bounds?: SellingBounds
  /** Amount that the vendor bills, if `total` is another. */
  readonly net?: Money
  /** True if `total` was converted from another currency. */
  readonly converted?: true
}

type MapAmount = (money: Money, member: 'total' | 'publicTotal' | 'net' | 'bounds') => Money | undefined

/** Maps every amount of an offer. Undefined if `fn` has no result for the total; other amounts then fall back or are left out. */
export function mapMoney(offer: Offer, fn: MapAmount): Offer | undefined {
  const total = fn(offer.total, 'total')
  if (total === undefined) return undefined
  const publicTotal = fn(offer.publicTotal, 'publicTotal') ?? total
  return {
    ...offer,
    total,
    publicTotal: publicTotal.minor > total.minor ? publicTotal : total,
    ...(offer.net && { net: fn(offer.net, 'net') ?? total }),
    ...(offer.bounds && { bounds: mapBounds(offer.bounds, fn) }),
  }
}

function mapBounds(bounds: SellingBounds, fn: MapAmount): SellingBounds {
  const limits = Object.entries(bounds).map(([name, limit]) => [name, limit && fn(limit, 'bounds')] as const)
  return Object.fromEntries(limits.filter(([, limit]) => limit !== undefined))
}

export const meetsConditions = (
  offer: Pick<Offer, 'board' | 'freeCancellation'>,
  conditions: Conditions = {},
): boolean =>
  (conditions.freeCancellation !== true || offer.freeCancellation !== undefined) &&
  (conditions.boards === undefined || conditions.boards.includes(offer.board))

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

/** One of several rooms of different kinds. */
export type EachRoom = { readonly name: string; readonly sleeps: number; readonly beds: readonly string[] }

/** JSON-safe; written and read by one adapter only. */
export type OfferRef = Readonly<Record<string, string | number | boolean | readonly string[]>>
