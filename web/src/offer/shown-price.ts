import type { Board, Summary } from '../api/shapes.ts'

/** Filters that apply to an offer rather than to its property. */
export type OfferKinds = { readonly boards: readonly Board[]; readonly freeCancellation: boolean }

/** Price of a property in the list, on the map and in the price filter. */
export type ShownPrice = {
  readonly total: number
  /** True for the property's cheapest offer, the only one whose vendor and terms are all known. */
  readonly isCheapest: boolean
  /** Requested board; undefined if none was requested. */
  readonly board: Board | undefined
  /** A lower bound: both prices are known, but not the price of an offer that combines both kinds. */
  readonly isLeast: boolean
}

export const ANY_KIND: OfferKinds = { boards: [], freeCancellation: false }

/** Cheapest offer of each board, cheapest first; only the cheapest offer if no more is known. */
export const listBoardOffers = ({ boards, board, total_price }: Summary) => boards ?? [{ board, total_price }]

/** Price of the cheapest offer of the requested kinds; the cheapest of all if there is none. */
export function getShownPrice(property: Summary, { boards, freeCancellation }: OfferKinds): ShownPrice {
  const withBoard = listBoardOffers(property).find(({ board }) => boards.includes(board))
  const free = freeCancellation ? (property.free_cancellation ?? undefined) : undefined
  const total = Math.max(property.total_price, withBoard?.total_price ?? 0, free?.total_price ?? 0)
  const isBoth = withBoard !== undefined && free !== undefined
  const isCheapest =
    total === property.total_price &&
    (withBoard === undefined || boards.includes(property.board)) &&
    // With a free-cancellation deadline, the cheapest offer is the free one.
    (!isBoth || property.free_cancellation_until !== null)
  return { total, isCheapest, board: withBoard?.board, isLeast: isBoth && !isCheapest }
}
