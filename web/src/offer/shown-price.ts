import type { Board, Summary } from '../api/shapes.ts'

/** What the filters ask of an offer, not of its property. */
export type OfferKinds = { readonly boards: readonly Board[]; readonly freeCancellation: boolean }

/** The price of a property in the list, on the map and for the price filter, and what is known of its offer. */
export type ShownPrice = {
  readonly total: number
  /** Whether it is the price of the cheapest offer of all: only of that one are the vendor and all terms known. */
  readonly isCheapest: boolean
  /** The board that was asked for; undefined where none was. */
  readonly board: Board | undefined
  /** The price of one kind is known, but not of an offer that is of both: such an offer costs this much or more. */
  readonly isLeast: boolean
}

export const ANY_KIND: OfferKinds = { boards: [], freeCancellation: false }

/** Every board that some vendor has, cheapest first; of the cheapest offer alone where no more is known. */
export const boardOffersOf = ({ boards, board, total_price }: Summary) => boards ?? [{ board, total_price }]

/** Of the cheapest offer of the kinds that are asked for; of the cheapest of all where the property has none. */
export function shownPrice(property: Summary, { boards, freeCancellation }: OfferKinds): ShownPrice {
  const withBoard = boardOffersOf(property).find(({ board }) => boards.includes(board))
  const free = freeCancellation ? (property.free_cancellation ?? undefined) : undefined
  const total = Math.max(property.total_price, withBoard?.total_price ?? 0, free?.total_price ?? 0)
  const isBoth = withBoard !== undefined && free !== undefined
  const isCheapest =
    total === property.total_price &&
    (withBoard === undefined || boards.includes(property.board)) &&
    // Where it is free up to a moment, the cheapest offer is surely the free one.
    (!isBoth || property.free_cancellation_until !== null)
  return { total, isCheapest, board: withBoard?.board, isLeast: isBoth && !isCheapest }
}
