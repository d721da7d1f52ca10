import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Offer } from '../../../src/domain/offer.ts'
import type { SavedResult } from '../../../src/domain/saved-search.ts'
import { systemClock as clock } from '../../../src/lib/time/clock.ts'
import { liveSearch } from '../../../src/search/property-detail.ts'
import { packResults, unpackAll, unpackOne } from '../../../src/search/saved-results.ts'
import { sampleSearch } from '../../../src/search/simulated-world.ts'
import type { SearchStore } from '../../../src/search/store/searches.ts'
import { mergeAll, type World, world } from './arbitrary-searches.ts'

/** Properties as a search would save them. */
const results = (sample: World): SavedResult[] =>
  mergeAll(sample, { currency: 'USD' }).map(({ facts: _facts, ...result }, index) => ({
    ...result,
    score: index / 10_000,
  }))

/** Distances are saved to 10 metres. */
const rounded = (property: SavedResult) => ({ ...property, distanceKm: Math.round(property.distanceKm * 100) / 100 })

test('packed results are unpacked unchanged and in order', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (sample) => {
      const saved = results(sample)
      expect(await unpackAll(await packResults(saved))).toEqual(saved.map(rounded))
    }),
  )
})

test('a property unpacked alone equals the one among all, whatever its id', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (sample) => {
      const saved = results(sample)
      const packed = await packResults(saved)
      for (const property of saved) expect(await unpackOne(packed, property.propertyId)).toEqual(rounded(property))
      const known = new Set(saved.map(({ propertyId }) => propertyId))
      for (const unknownId of [
        ...sample.candidates.map(({ propertyId }) => propertyId),
        'alpha',
        'beta',
        '',
        '"',
        'prp',
      ])
        if (!known.has(unknownId)) expect(await unpackOne(packed, unknownId)).toBeUndefined()
    }),
  )
})

test('a property whose id is that of a vendor is not confused with that vendor’s offers', async () => {
  const offer = (vendorId: string): Offer => ({
    vendorId,
    vendorPropertyId: '1',
    total: { minor: 100, currency: 'EUR' },
    publicTotal: { minor: 100, currency: 'EUR' },
    board: 'breakfast',
    freeCancellation: { until: '2027-03-10T23:59:00+01:00' },
    roomsLeft: 3,
  })
  const saved = [
    { propertyId: 'first', distanceKm: 1, score: 0.5, offers: [offer('alpha')] },
    { propertyId: 'alpha', distanceKm: 2, score: 0.4, offers: [offer('beta')] },
  ]
  const packed = await packResults(saved)
  expect(await unpackOne(packed, 'alpha')).toEqual(saved[1])
  expect(await unpackOne(packed, 'beta')).toBeUndefined()
})

test('a known deadline of free cancellation is kept, and an unknown one stays unknown', async () => {
  const offers = ['2027-03-10T23:59:00.000-08:00', undefined].map(
    (until, index): Offer => ({
      vendorId: 'alpha',
      vendorPropertyId: String(index),
      total: { minor: 100, currency: 'EUR' },
      publicTotal: { minor: 100, currency: 'EUR' },
      board: 'breakfast',
      freeCancellation: until === undefined ? {} : { until },
    }),
  )
  const packed = await packResults([{ propertyId: 'p', distanceKm: 1, score: 0.5, offers }])
  expect((await unpackOne(packed, 'p'))?.offers).toEqual(offers)
})

test('an empty result is packed and unpacked', async () => {
  const packed = await packResults([])
  expect(await unpackAll(packed)).toEqual([])
  expect(await unpackOne(packed, 'p')).toBeUndefined()
})

test('five hundred properties take a few kilobytes', async () => {
  const saved = Array.from({ length: 500 }, (_, index) => ({
    propertyId: `prp_${index.toString(36).padStart(16, '0')}`,
    distanceKm: index / 100,
    score: index / 10_000,
    offers: ['alpha', 'beta'].map(
      (vendorId): Offer => ({
        vendorId,
        vendorPropertyId: String(1_000_000 + index * 7919),
        total: { minor: 10_000 + index * 31, currency: 'EUR' },
        publicTotal: { minor: 10_000 + index * 31, currency: 'EUR' },
        board: 'room_only',
        ...(index % 2 === 0 && { freeCancellation: { until: `2027-03-${10 + (index % 9)}T23:59:00+01:00` } }),
      }),
    ),
  }))
  expect((await packResults(saved)).length).toBeLessThan(20_000)
})

test('a search whose results were deleted has expired, even if our clock is behind', async () => {
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
