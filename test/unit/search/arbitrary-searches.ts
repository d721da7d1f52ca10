import fc from 'fast-check'
import type { ExchangeRates } from '../../../src/domain/money/exchange.ts'
import { BOARDS, type Offer } from '../../../src/domain/offer.ts'
import { NO_RATINGS } from '../../../src/domain/property/property.ts'
import { type PropertySummary, summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import type { SearchResult } from '../../../src/domain/saved-search.ts'
import { createMerge } from '../../../src/search/merge-offers.ts'
import { scoreResult, type UsualPrice } from '../../../src/search/rank.ts'
import { createSellOffers } from '../../../src/search/sell-offers.ts'
import type { Candidate } from '../../../src/search/world.ts'
import { NO_RULES } from '../../../src/selling/rules.ts'
import { createSeller, type Seller } from '../../../src/selling/seller.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'

export const RATES: ExchangeRates = { date: '2027-01-15', rates: { EUR: 1, USD: 1.0837, JPY: 161.31, KWD: 0.3322 } }
export const netPricing = async () => ({ rules: NO_RULES, exchangePercent: 0, rates: RATES })
const VENDORS = ['alpha', 'beta', 'gamma'] as const

/** Texts that a careless parser of saved lines would misread. */
const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom(...VENDORS, '[', '["', '"', ',', '\n', '\\', '["alpha",', 'prp_1', 'é', '🏨'),
)

const money = (currency: string) =>
  fc.record({ minor: fc.integer({ min: 1, max: 5_000_000 }), currency: fc.constant(currency) })

const offer = (vendorId: string, vendorPropertyId: string): fc.Arbitrary<Offer> =>
  fc.constantFrom('EUR', 'USD', 'JPY').chain((currency) =>
    fc.record(
      {
        vendorId: fc.constant(vendorId),
        vendorPropertyId: fc.constant(vendorPropertyId),
        total: money(currency),
        publicTotal: money(currency),
        board: fc.constantFrom(...BOARDS),
        freeCancellation: fc.constantFrom(
          {},
          ...['2027-03-10T23:59:00+01:00', '2027-03-10T18:00:00.000-08:00', 'é"\n'].map((until) => ({ until })),
        ),
        roomsLeft: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: ['vendorId', 'vendorPropertyId', 'total', 'publicTotal', 'board'] },
    ),
  )

export type World = {
  readonly candidates: readonly Candidate[]
  /** Offers of each vendor, in batches. */
  readonly answers: readonly { readonly vendorId: string; readonly offers: readonly Offer[] }[]
}

/** Properties known to some vendors, and those vendors' offers in batches. */
export const world: fc.Arbitrary<World> = fc
  .uniqueArray(id, { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.record({
      distances: fc.array(fc.double({ min: 0, max: 30, noNaN: true }), {
        minLength: ids.length,
        maxLength: ids.length,
      }),
      sellers: fc.array(fc.subarray([...VENDORS], { minLength: 1 }), { minLength: ids.length, maxLength: ids.length }),
      ids: fc.constant(ids),
    }),
  )
  .chain(({ ids, distances, sellers }) => {
    const candidates = ids.map(
      (propertyId, index): Candidate => ({
        propertyId,
        point: { lat: 0, lon: 0 },
        distanceKm: distances[index] ?? 0,
        vendors: (sellers[index] ?? []).map((vendorId) => ({
          vendorId,
          vendorPropertyId: `${vendorId}:${propertyId}`,
        })),
      }),
    )
    const all = candidates.flatMap(({ vendors }) => vendors)
    return fc
      .subarray(all)
      .chain((sold) =>
        fc
          .tuple(
            ...sold.map(({ vendorId, vendorPropertyId }) =>
              offer(vendorId, vendorPropertyId).map((propertyOffer) => ({ vendorId, offers: [propertyOffer] })),
            ),
          )
          .map((answers): World => ({ candidates, answers })),
      )
  })

export const createFacts = (candidates: readonly Candidate[]): fc.Arbitrary<ReadonlyMap<string, PropertySummary>> =>
  fc
    .tuple(
      ...candidates.map(({ propertyId }) =>
        fc
          .record({
            starRating: fc.constantFrom(0, 1, 2.5, 3, 4, 5),
            guestRating: fc.constantFrom(0, 3.1, 4.4, 5),
          })
          .map(({ starRating, guestRating }) => {
            const guestRatings = { ...NO_RATINGS, overall: guestRating }
            return [propertyId, summarizeProperty(propertyId, aVendorProperty({ starRating, guestRatings }))] as const
          }),
      ),
    )
    .map((entries) => new Map(entries))

const STAY = { checkIn: '2027-03-12', checkOut: '2027-03-15', occupancies: [{ adults: 2, childrenAges: [] }] }
const LOCATION = { id: 'loc_1', countryCode: 'FR', timezone: 'Europe/Paris' }
const NOW = Date.parse('2027-01-15T12:00:00Z')

const netSeller = (currency: string): Seller =>
  createSeller(
    { rules: NO_RULES, exchangePercent: 0, rates: RATES },
    { accountId: 'acc_1', at: NOW, location: LOCATION, stay: STAY, currency },
  )

type MergeOptions = {
  readonly currency?: string
  readonly zone?: string
  readonly usual?: UsualPrice
  readonly sell?: ReturnType<typeof createSellOffers>
}

/** At net prices unless `sell` is given. */
export function startMerge(
  candidates: readonly Candidate[],
  { currency = 'EUR', zone = 'UTC', usual = () => 10_000, sell }: MergeOptions = {},
) {
  const merge = createMerge({
    currency,
    rates: RATES,
    sell: sell ?? createSellOffers(netSeller(currency), NOW),
    score: (result, radiusKm) => scoreResult(result, radiusKm, usual),
    findZone: () => zone,
  })
  merge.expect(candidates)
  return merge
}

const DESCRIPTION = aVendorProperty()
export const describeAll = (candidates: readonly Candidate[]): ReadonlyMap<string, PropertySummary> =>
  new Map(candidates.map(({ propertyId }) => [propertyId, summarizeProperty(propertyId, DESCRIPTION)]))

/** In the order of the candidates. */
export function mergeAll(
  { candidates, answers }: World,
  options: MergeOptions & { readonly facts?: ReadonlyMap<string, PropertySummary> } = {},
): SearchResult[] {
  const merge = startMerge(candidates, options)
  for (const { vendorId, offers } of answers) merge.add(vendorId, offers)
  const ids = candidates.map(({ propertyId }) => propertyId)
  return merge.results(ids, options.facts ?? describeAll(candidates), 10)
}
