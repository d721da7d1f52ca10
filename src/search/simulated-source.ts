import { slugsOf, summaryBytes, summaryRowOf } from '../catalogue/summary-json.ts'
import type { VendorProperty } from '../domain/property.ts'
import type { SavedSearch } from '../domain/saved-search.ts'
import type { Clock } from '../lib/clock.ts'
import type { Circle } from '../lib/geo.ts'
import { addDays } from '../lib/plain-date.ts'
import { remember } from '../lib/remember.ts'
import type { Candidate, PropertyContent, PropertySource, SummaryFacts } from './property-source.ts'

/** The simulator's properties; every id has one. */
export type SimulatedTown = {
  candidates(circle: Circle, limit: number): readonly Candidate[]
  vendorsOf(propertyId: string): Promise<Candidate['vendors']>
  content(propertyId: string): Promise<PropertyContent>
  property(propertyId: string): VendorProperty
}

/** Some hundred towns; about 5 kB a house. */
const REMEMBERED_MAX = 1_500

/** A source without a catalogue: nothing of it is stored, nothing of it is mixed with what is. */
export function simulatedSource(town: SimulatedTown): PropertySource {
  /** What an id stands for never changes, and describing a town is a third of what a search in it costs. */
  const factsOf = remember(REMEMBERED_MAX, (propertyId: string) => describe(propertyId, town.property(propertyId)))
  return {
    around: async (circle, limit) => ({
      radiusKm: circle.radiusKm,
      candidates: town.candidates(circle, limit),
      unreached: new Map(),
    }),
    async summaries(propertyIds) {
      return new Map(propertyIds.map((propertyId) => [propertyId, factsOf(propertyId)]))
    },
    vendorsOf: (propertyId) => town.vendorsOf(propertyId),
    content: (propertyId) => town.content(propertyId),
  }
}

function describe(propertyId: string, property: VendorProperty): SummaryFacts {
  const row = summaryRowOf(propertyId, property)
  return {
    json: summaryBytes(row),
    nameFolded: row.name_folded,
    starRating: row.star_rating,
    guestRating: row.guest_rating,
    amenitySlugs: slugsOf(row),
  }
}

/** A search nobody made, so that a simulated property can be looked at alone: two adults, two nights, in a month. */
export function inventSearch(
  accountId: string,
  searchId: string,
  vendorIds: readonly string[],
  clock: Clock,
): SavedSearch {
  const now = clock.now()
  const checkIn = addDays(new Date(now).toISOString().slice(0, 10), 30)
  return {
    searchId,
    accountId,
    createdAt: now,
    expiresAt: now + 3_600_000,
    simulated: true,
    terms: {
      location: {
        id: '00000000-0000-4000-8000-000000000000',
        name: 'Paris, France',
        type: 'city',
        countryCode: 'FR',
        point: { lat: 48.8566, lon: 2.3522 },
        radiusKm: 10,
        timezone: 'Europe/Paris',
      },
      radiusKm: 10,
      stay: { checkIn, checkOut: addDays(checkIn, 2), occupancies: [{ adults: 2, childrenAges: [] }] },
      market: { currency: 'EUR', language: 'en-US', countryCode: 'US' },
      customerIp: undefined,
      vendorIds,
    },
    vendors: [],
    ratesDate: undefined,
    found: 1,
  }
}
