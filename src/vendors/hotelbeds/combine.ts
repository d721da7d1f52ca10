import type { Money } from '../../domain/money/money.ts'
import type { CancelTerms, Fee, Price, SellingBounds } from '../../domain/offer.ts'
import { buildTerms, isFreeNow } from './cancel-terms.ts'
import type { Quote } from './rate.ts'

/** One rate for each party of a stay, in the order of the parties; sold as one offer. */
export type Combination = { readonly quotes: readonly Quote[]; readonly price: Price }

/**
 * Lists the ways to book the whole stay under one board, free to cancel and not: each room type that fits all parties,
 * and the cheapest mix of room types if no single type is as cheap. Boards are not mixed, because no board describes a
 * mix.
 */
export function combine(quotes: readonly Quote[], parties: number, now: number): Combination[] {
  if (parties === 1) return quotes.map((quote) => ({ quotes: [quote], price: quote.price }))
  const found = new Map<string, Combination>()
  for (const [, boardQuotes] of Map.groupBy(quotes, (quote) => quote.board)) {
    const sameRoom: Combination[] = []
    for (const [, roomQuotes] of Map.groupBy(boardQuotes, (quote) => quote.roomCode)) {
      sameRoom.push(...cheapestByCancellation(roomQuotes, parties, now))
    }
    const mixed = cheapestByCancellation(boardQuotes, parties, now).filter((mix) =>
      sameRoom.every(
        (same) => isFree(same, now) !== isFree(mix, now) || mix.price.total.minor < same.price.total.minor,
      ),
    )
    for (const combination of [...sameRoom, ...mixed]) {
      found.set(combination.quotes.map((quote) => quote.rateKey).join('\n'), combination)
    }
  }
  return [...found.values()]
}

const isFree = ({ quotes }: Combination, now: number) => quotes.every((quote) => isFreeNow(quote.fee, now))

/** Cheapest complete set of free rates and of the others; a mix of both only if neither is complete. */
function cheapestByCancellation(quotes: readonly Quote[], parties: number, now: number): Combination[] {
  const byFree = Map.groupBy(quotes, (quote) => isFreeNow(quote.fee, now))
  const sets = [true, false].map((free) => cheapest(byFree.get(free) ?? [], parties))
  const complete = sets.filter((set) => set !== undefined)
  if (complete.length > 0) return complete
  const mixed = cheapest(quotes, parties)
  return mixed === undefined ? [] : [mixed]
}

function cheapest(quotes: readonly Quote[], parties: number): Combination | undefined {
  const chosen: Quote[] = []
  for (let party = 0; party < parties; party++) {
    let best: Quote | undefined
    for (const quote of quotes) {
      if (quote.party !== party) continue
      if (best === undefined || quote.price.total.minor < best.price.total.minor) best = quote
    }
    if (best === undefined) return undefined
    chosen.push(best)
  }
  return { quotes: chosen, price: sumPrices(chosen.map((quote) => quote.price)) }
}

/** All prices of one hotel are in one currency. */
export function sumPrices(prices: readonly Price[]): Price {
  const [first] = prices
  if (first !== undefined && prices.length === 1) return first
  const currency = first?.total.currency ?? ''
  const sum = (pick: (price: Price) => Money): Money => ({
    minor: prices.reduce((minor, price) => minor + pick(price).minor, 0),
    currency,
  })
  return {
    total: sum((price) => price.total),
    base: sum((price) => price.base),
    taxesFees: sum((price) => price.taxesFees),
    fees: mergeFees(prices.flatMap((price) => price.fees)),
    dueAtProperty: sum((price) => price.dueAtProperty),
    publicTotal: sum((price) => price.publicTotal),
  }
}

function mergeFees(fees: readonly Fee[]): Fee[] {
  const merged = new Map<string, Fee>()
  for (const fee of fees) {
    const key = `${fee.paidAt} ${fee.label}`
    const minor = (merged.get(key)?.amount.minor ?? 0) + fee.amount.minor
    merged.set(key, { ...fee, amount: { minor, currency: fee.amount.currency } })
  }
  return [...merged.values()]
}

export const combineTerms = (
  quotes: readonly Quote[],
  now: number,
  zone: string | undefined,
): CancelTerms | undefined =>
  buildTerms(
    quotes.map((quote) => quote.fee),
    now,
    zone,
  )

/** If the hotel prescribes the price of one room, no markup is added to any room. */
export const readBounds = ({ quotes, price }: Combination): { readonly bounds?: SellingBounds } =>
  quotes.some(({ isPrescribed }) => isPrescribed) ? { bounds: { fixed: price.total } } : {}

/** Amount billed for the stay, if it differs from the price. */
export function readPayable({ quotes, price }: Combination): { readonly payable?: Money } {
  const minor = quotes.reduce((sum, { billed }) => sum + billed, price.dueAtProperty.minor)
  return minor === price.total.minor ? {} : { payable: { ...price.total, minor } }
}

/** The scarcest room limits how often the stay can be sold. */
export function minRoomsLeft(quotes: readonly Quote[]): number | undefined {
  const counts = quotes.map((quote) => quote.roomsLeft).filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : Math.min(...counts)
}
