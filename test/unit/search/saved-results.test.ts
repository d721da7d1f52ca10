import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock as clock } from '../../../src/lib/time/clock.ts'
import { createMerge } from '../../../src/search/merge-offers.ts'
import { liveSearch } from '../../../src/search/property-detail.ts'
import { type KeptProperty, packResults, unpackAll, unpackOne } from '../../../src/search/saved-results.ts'
import { sampleSearch } from '../../../src/search/simulated-world.ts'
import type { SearchStore } from '../../../src/search/store/searches.ts'
import { RATES, type World, world } from './a-search.ts'

/** As a search would save it. */
function results({ candidates, answers }: World): KeptProperty[] {
  const merge = createMerge('USD', RATES)
  merge.expect(candidates)
  for (const { vendorId, offers } of answers) merge.add(vendorId, offers)
  return merge.of(candidates).map((property, at) => ({ ...property, score: at / 10_000 }))
}

/** Distances are kept to the metre. */
const rounded = (property: KeptProperty) => ({ ...property, distanceKm: Math.round(property.distanceKm * 100) / 100 })

test('what is packed comes out again, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const saved = results(one)
      expect(await unpackAll(await packResults(saved), 'USD')).toEqual(saved.map(rounded))
    }),
  )
})

test('one property read alone is the same as among all, whatever its id looks like', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const saved = results(one)
      const packed = await packResults(saved)
      for (const property of saved)
        expect(await unpackOne(packed, property.propertyId, 'USD')).toEqual(rounded(property))
      const known = new Set(saved.map(({ propertyId }) => propertyId))
      for (const unknownId of [...one.candidates.map(({ propertyId }) => propertyId), 'alpha', 'beta', '', '"', 'prp'])
        if (!known.has(unknownId)) expect(await unpackOne(packed, unknownId, 'USD')).toBeUndefined()
    }),
  )
})

test('a property whose id is a vendor’s is not mistaken for that vendor’s offers', async () => {
  const offer = (vendorId: string) => ({
    vendorId,
    vendorPropertyId: '1',
    total: { minor: 100, currency: 'EUR' },
    publicTotal: { minor: 100, currency: 'EUR' },
    converted: false,
    board: 'breakfast' as const,
    freeCancellation: true,
    freeCancellationUntil: '2027-03-10T23:59:00+01:00',
    roomsLeft: 3,
  })
  const saved = [
    { propertyId: 'first', distanceKm: 1, score: 0.5, offers: [offer('alpha')] },
    { propertyId: 'alpha', distanceKm: 2, score: 0.4, offers: [offer('beta')] },
  ]
  const packed = await packResults(saved)
  expect(await unpackOne(packed, 'alpha', 'EUR')).toEqual(saved[1])
  expect(await unpackOne(packed, 'beta', 'EUR')).toBeUndefined()
})

test('the end of free cancellation is kept where it is known, and stays unknown where it is not', async () => {
  const offers = ['2027-03-10T23:59:00.000-08:00', undefined].map((freeCancellationUntil, at) => ({
    vendorId: 'alpha',
    vendorPropertyId: String(at),
    total: { minor: 100, currency: 'EUR' },
    publicTotal: { minor: 100, currency: 'EUR' },
    converted: false,
    board: 'breakfast' as const,
    freeCancellation: true,
    freeCancellationUntil,
    roomsLeft: undefined,
  }))
  const packed = await packResults([{ propertyId: 'p', distanceKm: 1, score: 0.5, offers }])
  expect((await unpackOne(packed, 'p', 'EUR'))?.offers).toEqual(offers)
})

test('nothing found is nothing saved', async () => {
  const packed = await packResults([])
  expect(await unpackAll(packed, 'EUR')).toEqual([])
  expect(await unpackOne(packed, 'p', 'EUR')).toBeUndefined()
})

test('five hundred properties take a few kilobytes', async () => {
  const saved = Array.from({ length: 500 }, (_, at) => ({
    propertyId: `prp_${at.toString(36).padStart(16, '0')}`,
    distanceKm: at / 100,
    score: at / 10_000,
    offers: ['alpha', 'beta'].map((vendorId) => ({
      vendorId,
      vendorPropertyId: String(1_000_000 + at * 7919),
      total: { minor: 10_000 + at * 31, currency: 'EUR' },
      publicTotal: { minor: 10_000 + at * 31, currency: 'EUR' },
      converted: false,
      board: 'room_only' as const,
      freeCancellation: at % 2 === 0,
      freeCancellationUntil: at % 2 === 0 ? `2027-03-${10 + (at % 9)}T23:59:00+01:00` : undefined,
      roomsLeft: undefined,
    })),
  }))
  expect((await packResults(saved)).length).toBeLessThan(20_000)
})

test('a search whose results another process has dropped already is over, though our clock is behind', async () => {
  const search = sampleSearch('acc_1', '11111111-2222-4333-8444-555555555555', [], clock.now())
  const stored = (results: Uint8Array) => ({
    searches: { withResults: async () => ({ search, results }) } as unknown as SearchStore,
    clock,
  })
  const nothingFound = await packResults([])
  expect(await liveSearch(stored(nothingFound), 'acc_1', search.searchId)).toMatchObject({ search })
  const dropped = liveSearch(stored(new Uint8Array()), 'acc_1', search.searchId)
  await expect(dropped).rejects.toMatchObject({ code: 'search_expired' })
})
