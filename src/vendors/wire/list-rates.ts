import type { Board, BoardOffer, FreeOffer, ListedRate, PropertyOffer } from '../../domain/offer.ts'

/** What a result list needs of the rates of one property; undefined where there is none. */
export function listedOffer(vendorPropertyId: string, rates: readonly ListedRate[]): PropertyOffer | undefined {
  const all: ListedRate[] = []
  const free: ListedRate[] = []
  const byBoard = new Map<Board, ListedRate[]>()
  for (const rate of rates.toSorted((a, b) => a.total.minor - b.total.minor)) {
    addIfUseful(all, rate)
    if (rate.freeCancellation) addIfUseful(free, rate)
    const ofBoard = byBoard.get(rate.board)
    if (ofBoard === undefined) byBoard.set(rate.board, [rate])
    else addIfUseful(ofBoard, rate)
  }
  const [best] = all
  if (best === undefined) return undefined
  const kinds = [...byBoard.values()]
  const others = new Set([all, free, ...kinds].flatMap((useful) => useful.slice(1)))
  return {
    vendorPropertyId,
    ...best,
    freeOffer: free[0] === undefined ? null : freeOfferOf(free[0]),
    boardOffers: kinds.flatMap(([first]) => (first === undefined ? [] : boardOfferOf(first))),
    ...(others.size > 0 && { others: [...others] }),
  }
}

/**
 * Rates come in the order of their net prices. One is useful while it may sell for less than those before it, whatever is added
 * to net: a selling price grows with net and with both limits, so not where all three are at least those of another rate.
 */
function addIfUseful(useful: ListedRate[], rate: ListedRate): void {
  if (useful.every((before) => lowestOf(before) > lowestOf(rate) || highestOf(before) > highestOf(rate)))
    useful.push(rate)
}

/** Nothing is sold below net. */
const lowestOf = ({ total, bounds }: ListedRate): number =>
  Math.max(total.minor, bounds?.min?.minor ?? 0, bounds?.fixed?.minor ?? 0)
const highestOf = ({ bounds }: ListedRate): number =>
  Math.min(bounds?.max?.minor ?? Number.POSITIVE_INFINITY, bounds?.fixed?.minor ?? Number.POSITIVE_INFINITY)

const freeOfferOf = ({ total, freeCancellationUntil: until, bounds }: ListedRate): FreeOffer => ({
  total,
  ...(until !== undefined && { until }),
  ...(bounds !== undefined && { bounds }),
})

const boardOfferOf = ({ board, total, bounds }: ListedRate): BoardOffer => ({
  board,
  total,
  ...(bounds !== undefined && { bounds }),
})
