import { expect, test } from 'vitest'
import type { SearchTerms } from '../../../src/domain/saved-search.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import type { Circle } from '../../../src/lib/geo.ts'
import { createSearchStays } from '../../../src/search/search-stays.ts'
import type { World } from '../../../src/search/world.ts'
import { noSearches } from '../../support/booking/one-world.ts'
import { netPricing, RATES } from './arbitrary-searches.ts'

const neverAsked = Object.assign(() => Promise.reject(new Error('No vendor may be asked.')), {
  forget: () => undefined,
  forgotten: () => 0,
})

const terms: SearchTerms = {
  location: {
    id: '00000000-0000-4000-8000-000000000000',
    name: 'London, England, United Kingdom',
    type: 'city',
    countryCode: 'GB',
    point: { lat: 51.5, lon: -0.12 },
    radiusKm: 20,
    timezone: 'Europe/London',
  },
  radiusKm: 60,
  stay: { checkIn: '2027-03-10', checkOut: '2027-03-12', occupancies: [{ adults: 2, childrenAges: [] }] },
  market: { currency: 'EUR', language: 'en-US', countryCode: 'US' },
  customerIp: undefined,
  vendorIds: [],
}

/** A town with a property every ten metres, within the limit. */
const town = (count: number) => (circle: Circle, limit: number) =>
  Array.from({ length: Math.min(count, limit) }, (_, index) => ({
    propertyId: `p${index}`,
    point: circle.center,
    distanceKm: index / 100,
    vendors: [],
  }))

async function searchWarnings(count: number): Promise<readonly string[]> {
  const world: World = {
    vendors: [],
    properties: {
      around: async (circle, limit) => ({
        radiusKm: circle.radiusKm,
        candidates: town(count)(circle, limit),
        gaps: new Map(),
      }),
      summaries: async () => new Map(),
      listVendors: async () => [],
      vendorProperty: async () => undefined,
      remarks: async () => new Map(),
      content: async () => undefined,
    },
    answers: { availability: neverAsked, rooms: neverAsked },
    simulated: false,
  }
  const search = createSearchStays({
    searches: noSearches,
    rates: () => RATES,
    pricing: netPricing,
    zoneAt: () => undefined,
    clock: { now: () => 0 },
    ids: randomIds,
    savedTtlMs: 1_000,
    propertiesMax: 1_000,
    onBug: (error) => {
      throw error
    },
  })
  const context = { requestId: 'r', signal: new AbortController().signal }
  return (await search(world, { accountId: 'a', terms, timeoutMs: 1_000 }, context)).warnings
}

test('if an area has more properties than are searched, a warning states the covered radius and what to do', async () => {
  const [warning, ...more] = await searchWarnings(5_000)
  expect(more).toEqual([])
  expect(warning).toMatch(/nearest 1,000 .* within 9\.9 km .* instead of 60 km.*radius_km/)
})

test.each([400, 1_000])('an area that was searched completely has no warning: %i properties', async (count) => {
  expect(await searchWarnings(count)).toEqual([])
})

test('one property more than are searched is sufficient for the warning', async () => {
  expect(await searchWarnings(1_001)).toEqual([expect.stringContaining('nearest 1,000')])
})
