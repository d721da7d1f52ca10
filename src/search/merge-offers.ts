import { inZone } from '../domain/booking/cancel-policy.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { Board, BoardOffer, FreeOffer, PropertyOffer, SellingBounds, VendorId } from '../domain/offer.ts'
import type { Candidate } from './world.ts'

/** One vendor's cheapest way into a property, in the currency that was asked for. */
export type VendorOffer = {
  readonly vendorId: VendorId
  readonly vendorPropertyId: string
  readonly total: Money
  readonly publicTotal: Money
  readonly converted: boolean
  readonly board: Board
  readonly freeCancellation: boolean
  readonly freeCancellationUntil: string | undefined
  readonly roomsLeft: number | undefined
  /** Undefined where the vendor did not say. */
  readonly freeOffer?: FreeOffer | null | undefined
  readonly boardOffers?: readonly BoardOffer[] | undefined
  /** What the vendor allows it to be sold for; of no use once it has its selling price. */
  readonly bounds?: SellingBounds | undefined
  /** Rates of the vendor that may be cheaper to sell; none once it has its selling price. */
  readonly others?: readonly VendorOffer[]
  /** The vendor's total, where the one above is another selling price. */
  readonly net?: Money | undefined
}

/** One property with every vendor's offer, cheapest first. */
export type FoundProperty = {
  readonly propertyId: string
  readonly distanceKm: number
  readonly offers: readonly VendorOffer[]
}

/** Gathers offers as they come; one entry per property, whatever the order in which vendors answer. */
export function createMerge(
  currency: string,
  rates: ExchangeRates,
  zoneOf: (candidate: Candidate) => string = () => 'UTC',
) {
  const known = new Map<string, Candidate>()
  const found = new Map<string, FoundProperty>()

  function ourOffer(vendorId: VendorId, offer: PropertyOffer, candidate: Candidate): VendorOffer | undefined {
    const ours = inCurrency(vendorId, inLocalTime(offer, candidate, zoneOf), currency, rates)
    const { vendorPropertyId, others } = offer
    if (ours === undefined || others === undefined) return ours
    return {
      ...ours,
      others: others.flatMap((rate) => ourOffer(vendorId, { ...rate, vendorPropertyId }, candidate) ?? []),
    }
  }

  return {
    /** Offers of these may come from now on. */
    expect(candidates: readonly Candidate[]): void {
      for (const candidate of candidates)
        for (const ref of candidate.vendors) known.set(keyOf(ref.vendorId, ref.vendorPropertyId), candidate)
    },
    /** Adds one vendor's offers and returns the properties that they changed. */
    add(vendorId: VendorId, offers: readonly PropertyOffer[]): FoundProperty[] {
      const changed = new Map<string, FoundProperty>()
      for (const offer of offers) {
        const candidate = known.get(keyOf(vendorId, offer.vendorPropertyId))
        const ours = candidate && ourOffer(vendorId, offer, candidate)
        if (candidate === undefined || ours === undefined) continue
        const next = withOffer(found.get(candidate.propertyId), candidate, ours)
        found.set(candidate.propertyId, next)
        changed.set(candidate.propertyId, next)
      }
      return [...changed.values()]
    },
    /** What was found of these candidates. */
    of: (candidates: readonly Candidate[]): FoundProperty[] =>
      candidates.flatMap(({ propertyId }) => found.get(propertyId) ?? []),
  }
}

const keyOf = (vendorId: VendorId, vendorPropertyId: string) => `${vendorId} ${vendorPropertyId}`

function withOffer(before: FoundProperty | undefined, candidate: Candidate, offer: VendorOffer): FoundProperty {
  if (before === undefined) {
    return { propertyId: candidate.propertyId, distanceKm: candidate.distanceKm, offers: [offer] }
  }
  return { ...before, offers: [...before.offers, offer].sort(byPrice) }
}

/** Ties go by name, so that the answer does not depend on who was quicker. */
export const byPrice = (a: VendorOffer, b: VendorOffer) =>
  a.total.minor - b.total.minor ||
  (a.vendorId < b.vendorId ? -1 : a.vendorId > b.vendorId ? 1 : a.vendorPropertyId < b.vendorPropertyId ? -1 : 1)

/** A vendor that writes an offset writes the property's; only one that writes UTC has to be put into local time. */
function inLocalTime(
  offer: PropertyOffer,
  candidate: Candidate,
  zoneOf: (candidate: Candidate) => string,
): PropertyOffer {
  const isUtc = (until: string | undefined) => until?.endsWith('Z') === true
  const { freeCancellationUntil: until, freeOffer } = offer
  if (!isUtc(until) && !isUtc(freeOffer?.until)) return offer
  const local = (moment: string) => (isUtc(moment) ? inZone(moment, zoneOf(candidate)) : moment)
  return {
    ...offer,
    ...(until === undefined ? {} : { freeCancellationUntil: local(until) }),
    ...(freeOffer?.until === undefined ? {} : { freeOffer: { ...freeOffer, until: local(freeOffer.until) } }),
  }
}

function inCurrency(
  vendorId: VendorId,
  offer: PropertyOffer,
  currency: string,
  rates: ExchangeRates,
): VendorOffer | undefined {
  const total = convertMoney(offer.total, currency, rates)
  const publicTotal = convertMoney(offer.publicTotal, currency, rates)
  // No rate for the vendor's currency: an offer without a comparable price is no offer.
  if (total === undefined || publicTotal === undefined || total.minor <= 0) return undefined
  const until = offer.freeCancellation ? offer.freeCancellationUntil : undefined
  const ours = (money: Money): Money => convertMoney(money, currency, rates) ?? total
  const { freeOffer, boardOffers, payable } = offer
  return {
    vendorId,
    vendorPropertyId: offer.vendorPropertyId,
    total,
    publicTotal: publicTotal.minor > total.minor ? publicTotal : total,
    converted: offer.total.currency !== currency,
    board: offer.board,
    freeCancellation: offer.freeCancellation,
    freeCancellationUntil: until,
    roomsLeft: offer.roomsLeft,
    // Where the cheapest offer is free to cancel, it is the cheapest that is.
    freeOffer: offer.freeCancellation
      ? { total, until, ...boundsOf(offer) }
      : freeOffer && { ...freeOffer, total: ours(freeOffer.total) },
    boardOffers: boardOffers?.map((each) => ({ board: each.board, total: ours(each.total), ...boundsOf(each) })),
    ...boundsOf(offer),
    ...(payable && { net: ours(payable) }),
  }
}

const boundsOf = ({ bounds }: { readonly bounds?: SellingBounds | undefined }) =>
  bounds === undefined ? {} : { bounds }
