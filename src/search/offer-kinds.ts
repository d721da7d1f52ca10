import type { BoardOffer, FreeOffer } from '../domain/offer.ts'
import type { VendorOffer } from './merge-offers.ts'

/** Null if no vendor has an offer that is free to cancel, undefined if one of them did not report it. */
export function cheapestFreeOffer(offers: readonly VendorOffer[]): FreeOffer | null | undefined {
  let best: FreeOffer | undefined
  for (const { freeOffer } of offers)
    if (freeOffer && (best === undefined || freeOffer.total.minor < best.total.minor)) best = freeOffer
  return best ?? (offers.every(({ freeOffer }) => freeOffer === null) ? null : undefined)
}

/** Cheapest first; undefined if no vendor reported boards. */
export function cheapestByBoard(offers: readonly VendorOffer[]): readonly BoardOffer[] | undefined {
  if (offers.every(({ boardOffers }) => boardOffers === undefined)) return undefined
  const cheapest = new Map<string, BoardOffer>()
  const all = offers.flatMap(({ board, total, boardOffers }) => boardOffers ?? [{ board, total }])
  for (const offer of all) {
    const before = cheapest.get(offer.board)
    if (before === undefined || offer.total.minor < before.total.minor) cheapest.set(offer.board, offer)
  }
  return [...cheapest.values()].sort((a, b) => a.total.minor - b.total.minor || (a.board < b.board ? -1 : 1))
}
