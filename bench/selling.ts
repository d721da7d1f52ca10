/**
 * Cost of selling rules in a search: offers of three vendors for a thousand properties are merged, sold and ranked,
 * without rules and with a hundred rules. Half of the rules can match in the search.
 */
import type { Offer } from '../src/domain/offer.ts'
import { type PropertySummary, summarizeProperty } from '../src/domain/property/property-summary.ts'
import { createMerge } from '../src/search/merge-offers.ts'
import { createUsualPrices, rankResults, scoreResult } from '../src/search/rank.ts'
import { createSellOffers } from '../src/search/sell-offers.ts'
import type { Candidate } from '../src/search/world.ts'
import { NO_RULES, type Rule, type RuleSet } from '../src/selling/rules.ts'
import { createSeller } from '../src/selling/seller.ts'
import { aVendorProperty } from '../test/unit/catalogue/a-vendor-property.ts'
import { median, round, threadCpuMs } from './support/figures.ts'
import { report } from './support/report.ts'

const PROPERTIES = 1_000
const RULES = 100
const VENDORS = ['alpha', 'beta', 'gamma']
const RATES = { date: '2027-01-15', rates: { EUR: 1, USD: 1.0837 } }
const STAY = { checkIn: '2027-03-12', checkOut: '2027-03-15', occupancies: [{ adults: 2, childrenAges: [] }] }
const NOW = Date.parse('2027-01-15T12:00:00Z')
const LOCATION = { id: 'loc_1', countryCode: 'FR', timezone: 'Europe/Paris' }

const candidates = Array.from({ length: PROPERTIES }, (_, index): Candidate => {
  const propertyId = `prp_${index}`
  const vendors = VENDORS.map((vendorId) => ({ vendorId, vendorPropertyId: propertyId }))
  return { propertyId, point: { lat: 0, lon: 0 }, distanceKm: index / 100, vendors }
})
const euro = (minor: number) => ({ minor, currency: 'EUR' })
const freeCancellation = { until: '2027-03-01T18:00:00+01:00' }
/** Of every second property, the cheapest offer cannot be cancelled for free and another one can. */
const createOffers = (vendorId: string, vendor: number): Offer[] =>
  candidates.flatMap(({ propertyId }, index): Offer[] => {
    const total = euro(10_000 + ((index * 7_919 + vendor * 104_729) % 90_000))
    const cheapest: Offer = { vendorId, vendorPropertyId: propertyId, total, publicTotal: total, board: 'room_only' }
    if (index % 2 === 0) return [{ ...cheapest, freeCancellation }]
    const dearer = euro(total.minor + 1_500)
    return [cheapest, { ...cheapest, total: dearer, publicTotal: dearer, freeCancellation }]
  })
const answers = VENDORS.map((vendorId, index) => ({ vendorId, offers: createOffers(vendorId, index) }))
const facts = new Map<string, PropertySummary>(
  candidates.map(({ propertyId }, index) => [
    propertyId,
    summarizeProperty(propertyId, aVendorProperty({ starRating: 1 + (index % 5) })),
  ]),
)

/**
 * Every second rule is for another country; the others require a property or a vendor, and the last one matches the
 * rest.
 */
const HUNDRED: RuleSet = {
  version: 1,
  rules: Array.from({ length: RULES }, (_, priority): Rule => {
    const percent = 5 + (priority % 10)
    if (priority === RULES - 1) return { priority, match: {}, percent, rounding: { step: 1, mode: 'up' } }
    if (priority % 2 === 0) return { priority, match: { country: ['ES'] }, percent }
    const match = priority % 3 === 0 ? { vendor: ['delta'] } : { property: [`prp_${priority}`], stars: { from: 3 } }
    return { priority, match, percent }
  }),
}

/** Processor milliseconds of one search. */
function measureSearch(rules: RuleSet): number {
  const started = threadCpuMs()
  const search = { accountId: 'acc_1', at: NOW, location: LOCATION, stay: STAY, currency: 'EUR' }
  const usual = createUsualPrices(STAY, 'EUR', RATES)
  const merge = createMerge({
    currency: 'EUR',
    rates: RATES,
    sell: createSellOffers(createSeller({ rules, exchangePercent: 0, rates: RATES }, search), NOW),
    score: (result, radiusKm) => scoreResult(result, radiusKm, usual),
    findZone: () => 'Europe/Paris',
  })
  merge.expect(candidates)
  for (const { vendorId, offers } of answers) merge.add(vendorId, offers)
  rankResults(merge.results([...facts.keys()], facts, 10))
  return threadCpuMs() - started
}

export async function benchSelling({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const runs = quick ? 60 : 300
  const [none, hundred]: [number[], number[]] = [[], []]
  // Alternating, so that other load on the machine affects both.
  for (let run = 0; run < runs; run += 1) {
    none.push(measureSearch(NO_RULES))
    hundred.push(measureSearch(HUNDRED))
  }
  const [without, with100] = [median(none.slice(runs / 4)), median(hundred.slice(runs / 4))]
  return {
    selling_rules_vs_none: round(with100 / without),
    selling_rules_added_ms: round(with100 - without),
    selling_no_rules_ms: round(without),
    selling_100_rules_ms: round(with100),
  }
}

if (import.meta.main) await report(benchSelling)
