import { inZone } from '../domain/cancel-policy.ts'
import { convertMoney, type ExchangeRates } from '../domain/exchange.ts'
import type { Money } from '../domain/money.ts'
import type { Board, PropertyOffer, VendorId } from '../domain/offer.ts'
import type { Candidate } from './property-source.ts'

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
}

/** One property with every vendor's offer, cheapest first. */
export type FoundProperty = {
  readonly propertyId: string
  readonly distanceKm: number
  readonly offers: readonly VendorOffer[]
}

/** Gathers offers as they come; one entry a property, whatever the order in which vendors answer. */
export function createMerge(
  candidates: readonly Candidate[],
  currency: string,
  rates: ExchangeRates,
  zoneOf: (candidate: Candidate) => string = () => 'UTC',
) {
  const known = indexByVendor(candidates)
  const found = new Map<string, FoundProperty>()

  return {
    /** Adds one vendor's offers and answers the properties that are new or got cheaper. */
    add(vendorId: VendorId, offers: readonly PropertyOffer[]): FoundProperty[] {
      const changed: FoundProperty[] = []
      const ids = known.get(vendorId)
      for (const offer of offers) {
        const candidate = ids?.get(offer.vendorPropertyId)
        const ours = candidate && inCurrency(vendorId, inLocalTime(offer, candidate, zoneOf), currency, rates)
        if (candidate === undefined || ours === undefined) continue
        const before = found.get(candidate.propertyId)
        const next = withOffer(before, candidate, ours)
        found.set(candidate.propertyId, next)
        if (before === undefined || next.offers[0] === ours) changed.push(next)
      }
      return changed
    },
    all: (): FoundProperty[] => [...found.values()],
  }
}

function withOffer(before: FoundProperty | undefined, candidate: Candidate, offer: VendorOffer): FoundProperty {
  if (before === undefined) {
    return { propertyId: candidate.propertyId, distanceKm: candidate.distanceKm, offers: [offer] }
  }
  return { ...before, offers: [...before.offers, offer].sort(byPrice) }
}

/** Ties go by name, so that the answer does not depend on who was quicker. */
const byPrice = (a: VendorOffer, b: VendorOffer) =>
  a.total.minor - b.total.minor ||
  (a.vendorId < b.vendorId ? -1 : a.vendorId > b.vendorId ? 1 : a.vendorPropertyId < b.vendorPropertyId ? -1 : 1)

function indexByVendor(candidates: readonly Candidate[]): Map<VendorId, Map<string, Candidate>> {
  const index = new Map<VendorId, Map<string, Candidate>>()
  for (const candidate of candidates) {
    for (const { vendorId, vendorPropertyId } of candidate.vendors) {
      let ids = index.get(vendorId)
      if (ids === undefined) {
        ids = new Map()
        index.set(vendorId, ids)
      }
      ids.set(vendorPropertyId, candidate)
    }
  }
  return index
}

/** A vendor that writes an offset writes the property's; only one that writes UTC has to be put into local time. */
function inLocalTime(
  offer: PropertyOffer,
  candidate: Candidate,
  zoneOf: (candidate: Candidate) => string,
): PropertyOffer {
  const until = offer.freeCancellationUntil
  if (until === undefined || !until.endsWith('Z')) return offer
  return { ...offer, freeCancellationUntil: inZone(until, zoneOf(candidate)) }
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
  return {
    vendorId,
    vendorPropertyId: offer.vendorPropertyId,
    total,
    publicTotal: publicTotal.minor > total.minor ? publicTotal : total,
    converted: offer.total.currency !== currency,
    board: offer.board,
    freeCancellation: offer.freeCancellation,
    freeCancellationUntil: offer.freeCancellation ? offer.freeCancellationUntil : undefined,
    roomsLeft: offer.roomsLeft,
  }
}
