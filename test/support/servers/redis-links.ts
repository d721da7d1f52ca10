import { describe } from 'vitest'
import type { SavedSearch } from '../../../src/domain/saved-search.ts'
import type { RedisLink } from '../../../src/store/redis.ts'
import { hasRedis } from './redis.ts'

/** Runs a suite that needs a real Redis. Without one it is skipped with a warning; in CI it fails. */
export function describeWithRedis(name: string, suite: () => void): void {
  if (hasRedis || process.env.CI === 'true') describe(name, suite)
  else {
    console.warn(`SKIPPED "${name}": there is no redis-server or valkey-server on this machine.`)
    describe.skip(name, suite)
  }
}

export async function waitUntilUp(redis: RedisLink, withinMs = 10_000): Promise<void> {
  const until = performance.now() + withinMs
  while (!redis.isUp()) {
    if (performance.now() > until) throw new Error(`Redis was not reached within ${withinMs} ms`)
    await new Promise((later) => setTimeout(later, 20))
  }
}

export function aSavedSearch(fields: Partial<SavedSearch> = {}): SavedSearch {
  return {
    searchId: '0b7e3a52-3a0e-4f53-9b6a-0d4f4c6f9d11',
    accountId: 'acc_ana',
    createdAt: 0,
    expiresAt: 0,
    simulated: false,
    terms: {
      location: {
        id: '6f1c1d54-7c8e-5b59-8a3f-2b8a4a6d9e01',
        name: 'Zermatt, Valais, Switzerland',
        type: 'city',
        countryCode: 'CH',
        point: { lat: 46.02, lon: 7.75 },
        radiusKm: 10,
        timezone: 'Europe/Zurich',
      },
      radiusKm: 10,
      stay: { checkIn: '2027-02-01', checkOut: '2027-02-03', occupancies: [{ adults: 2, childrenAges: [7] }] },
      market: { currency: 'EUR', language: 'en-US', countryCode: 'CH' },
      customerIp: '203.0.113.7',
      vendorIds: ['expedia_rapid', 'hotelbeds'],
    },
    vendors: [{ vendorId: 'hotelbeds', status: 'ok', properties: 3, tookMs: 120 }],
    ratesDate: '2027-01-14',
    found: 3,
    ...fields,
  }
}
