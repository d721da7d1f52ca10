import { formatInZone } from '../domain/booking/cancel-policy.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { Board, BoardOffer, FreeOffer, PropertyOffer, SellingBounds, VendorId } from '../domain/offer.ts'
import type { Candidate } from './world.ts'

/** One vendor's cheapest offer for a property, in the requested currency. */
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
  /** Undefined if the vendor did not report it. */
  readonly freeOffer?: FreeOffer | null | undefined
  readonly boardOffers?: readonly BoardOffer[] | undefined
  /** Limits on the selling price; not set once it is priced. */
  readonly bounds?: SellingBounds | undefined
  /** Other rates that may be cheaper to sell; not set once it is priced. */
  readonly others?: readonly VendorOffer[]
  /** The vendor's total, if `total` is a selling price. */
  readonly net?: Money | undefined
}

/** Cheapest offer first. */
export type FoundProperty = {
  readonly propertyId: string
  readonly distanceKm: number
  readonly offers: readonly VendorOffer[]
}

/** Merges offers into one entry per property, whatever the order in which vendors answer. */
export function createMerge(
  currency: string,
  rates: ExchangeRates,
  findZone: (candidate: Candidate) => string = () => 'UTC',
) {
  const known = new Map<string, Candidate>()
  const found = new Map<string, FoundProperty>()

  function convertOffer(vendorId: VendorId, offer: PropertyOffer, candidate: Candidate): VendorOffer | undefined {
    const converted = inCurrency(vendorId, inLocalTime(offer, candidate, findZone), currency, rates)
    const { vendorPropertyId, others } = offer
    if (converted === undefined || others === undefined) return converted
    return {
      ...converted,
      others: others.flatMap((rate) => convertOffer(vendorId, { ...rate, vendorPropertyId }, candidate) ?? []),
    }
  }

  return {
    /** Registers candidates whose offers may arrive from now on. */
    expect(candidates: readonly Candidate[]): void {
      for (const candidate of candidates)
        for (const ref of candidate.vendors) known.set(vendorKey(ref.vendorId, ref.vendorPropertyId), candidate)
    },
    /** Returns the properties that changed. */
    add(vendorId: VendorId, offers: readonly PropertyOffer[]): FoundProperty[] {
      const changed = new Map<string, FoundProperty>()
      for (const offer of offers) {
        const candidate = known.get(vendorKey(vendorId, offer.vendorPropertyId))
        const converted = candidate && convertOffer(vendorId, offer, candidate)
        if (candidate === undefined || converted === undefined) continue
        const next = withOffer(found.get(candidate.propertyId), candidate, converted)
        found.set(candidate.propertyId, next)
        changed.set(candidate.propertyId, next)
      }
      return [...changed.values()]
    },
    foundAmong: (candidates: readonly Candidate[]): FoundProperty[] =>
      candidates.flatMap(({ propertyId }) => found.get(propertyId) ?? []),
  }
}

const vendorKey = (vendorId: VendorId, vendorPropertyId: string) => `${vendorId} ${vendorPropertyId}`

function withOffer(before: FoundProperty | undefined, candidate: Candidate, offer: VendorOffer): FoundProperty {
  if (before === undefined) {
    return { propertyId: candidate.propertyId, distanceKm: candidate.distanceKm, offers: [offer] }
  }
  return { ...before, offers: [...before.offers, offer].sort(byPrice) }
}

/** Breaks ties by vendor id so that the order is deterministic. */
export const byPrice = (a: VendorOffer, b: VendorOffer) =>
  a.total.minor - b.total.minor ||
  (a.vendorId < b.vendorId ? -1 : a.vendorId > b.vendorId ? 1 : a.vendorPropertyId < b.vendorPropertyId ? -1 : 1)

/** Vendors that send an offset use the property's. Only UTC has to be converted to local time. */
function inLocalTime(
  offer: PropertyOffer,
  candidate: Candidate,
  findZone: (candidate: Candidate) => string,
): PropertyOffer {
  const isUtc = (until: string | undefined) => until?.endsWith('Z') === true
  const { freeCancellationUntil: until, freeOffer } = offer
  if (!isUtc(until) && !isUtc(freeOffer?.until)) return offer
  const local = (moment: string) => (isUtc(moment) ? formatInZone(moment, findZone(candidate)) : moment)
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
  // An offer whose currency has no exchange rate cannot be compared, so it is dropped.
  if (total === undefined || publicTotal === undefined || total.minor <= 0) return undefined
  const until = offer.freeCancellation ? offer.freeCancellationUntil : undefined
  const convert = (money: Money): Money => convertMoney(money, currency, rates) ?? total
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
    // If the cheapest offer is free to cancel, it is also the cheapest free one.
    freeOffer: offer.freeCancellation
      ? { total, until, ...pickBounds(offer) }
      : freeOffer && { ...freeOffer, total: convert(freeOffer.total) },
    boardOffers: boardOffers?.map((each) => ({ board: each.board, total: convert(each.total), ...pickBounds(each) })),
    ...pickBounds(offer),
    ...(payable && { net: convert(payable) }),
  }
}

const pickBounds = ({ bounds }: { readonly bounds?: SellingBounds | undefined }) =>
  bounds === undefined ? {} : { bounds }
