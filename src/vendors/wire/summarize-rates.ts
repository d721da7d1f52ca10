import type { Board, BoardOffer, FreeOffer, ListedRate, PropertyOffer } from '../../domain/offer.ts'

/** Selects the rates that a result list needs of one property; undefined if there are none. */
export function summarizeRates(vendorPropertyId: string, rates: readonly ListedRate[]): PropertyOffer | undefined {
  const all: ListedRate[] = []
  const free: ListedRate[] = []
  const byBoard = new Map<Board, ListedRate[]>()
  for (const rate of rates.toSorted((a, b) => a.total.minor - b.total.minor)) {
    addIfUseful(all, rate)
    if (rate.freeCancellation) addIfUseful(free, rate)
    const boardRates = byBoard.get(rate.board)
    if (boardRates === undefined) byBoard.set(rate.board, [rate])
    else addIfUseful(boardRates, rate)
  }
  const [best] = all
  if (best === undefined) return undefined
  const boards = [...byBoard.values()]
  const others = new Set([all, free, ...boards].flatMap((useful) => useful.slice(1)))
  return {
    vendorPropertyId,
    ...best,
    freeOffer: free[0] === undefined ? null : toFreeOffer(free[0]),
    boardOffers: boards.flatMap(([first]) => (first === undefined ? [] : toBoardOffer(first))),
    ...(others.size > 0 && { others: [...others] }),
  }
}

/**
 * Keeps a rate if it may sell for less than the cheaper rates, whatever markup is added. Selling prices grow with net
 * and with both limits, so a rate that is higher in all three is never cheaper.
 */
function addIfUseful(useful: ListedRate[], rate: ListedRate): void {
  if (
    useful.every(
      (cheaper) =>
        lowestSellingPrice(cheaper) > lowestSellingPrice(rate) ||
        highestSellingPrice(cheaper) > highestSellingPrice(rate),
    )
  )
    useful.push(rate)
}

/** No rate is sold below net. */
const lowestSellingPrice = ({ total, bounds }: ListedRate): number =>
  Math.max(total.minor, bounds?.min?.minor ?? 0, bounds?.fixed?.minor ?? 0)
const highestSellingPrice = ({ bounds }: ListedRate): number =>
  Math.min(bounds?.max?.minor ?? Number.POSITIVE_INFINITY, bounds?.fixed?.minor ?? Number.POSITIVE_INFINITY)

const toFreeOffer = ({ total, freeCancellationUntil: until, bounds }: ListedRate): FreeOffer => ({
  total,
  ...(until !== undefined && { until }),
  ...(bounds !== undefined && { bounds }),
})

const toBoardOffer = ({ board, total, bounds }: ListedRate): BoardOffer => ({
  board,
  total,
  ...(bounds !== undefined && { bounds }),
})
