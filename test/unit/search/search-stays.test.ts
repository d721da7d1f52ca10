import { expect, test } from 'vitest'
import type { SavedSearch } from '../../../src/domain/saved-search.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { randomIds } from '../../../src/lib/ids.ts'
import { unpackAll } from '../../../src/search/saved-results.ts'
import { createSearchStays, type SearchDeps } from '../../../src/search/search-stays.ts'
import { createSharedAnswers } from '../../../src/search/shared-answers.ts'
import { inventSearch } from '../../../src/search/simulated-source.ts'
import type { AvailabilityAnswer, Vendor } from '../../../src/vendors/contract.ts'
import { RATES } from './a-search.ts'

const { terms } = inventSearch('acc_1', 's-1', ['alpha'], systemClock)
const order = { accountId: 'acc_1', terms, timeoutMs: 1_000 }
const context = { signal: new AbortController().signal, requestId: 'test' }

/** One vendor with one house, 25 km away: beyond the circle that was asked for. */
function deps(save: SearchDeps['searches']['save']): SearchDeps {
  const euros = { minor: 10_000, currency: 'EUR' }
  const offer = {
    vendorPropertyId: '1',
    total: euros,
    publicTotal: euros,
    board: 'breakfast',
    freeCancellation: true,
  } as const
  const vendor = {
    id: 'alpha',
    capabilities: { roomsMax: 9, nightsMax: 30, propertiesPerCallMax: 250 },
    availability: async () => ({ offers: [offer], dropped: 0 }),
  } as unknown as Vendor
  const facts = { json: Buffer.from('"name":"x"'), nameFolded: 'x', starRating: 3, guestRating: 4, amenitySlugs: [] }
  return {
    vendors: [vendor],
    source: {
      async around(circle) {
        const vendors = [{ vendorId: 'alpha', vendorPropertyId: '1' }]
        const candidates = [{ propertyId: 'prp_1', point: circle.center, distanceKm: 25, vendors }]
        return { radiusKm: circle.radiusKm * 3, candidates, unreached: new Map() }
      },
      summaries: async (ids) => new Map(ids.map((id) => [id, facts])),
      vendorsOf: async () => [],
      content: async () => undefined,
    },
    searches: { save } as SearchDeps['searches'],
    answers: createSharedAnswers<AvailabilityAnswer>(systemClock, 0),
    rates: () => RATES,
    zoneAt: () => undefined,
    clock: systemClock,
    ids: randomIds,
    savedTtlMs: 1_000,
    propertiesMax: 7,
    simulated: false,
    onBug(error) {
      throw error
    },
  }
}

test('where the circle was empty, the answer and what is kept tell how far was looked', async () => {
  const kept: { search: SavedSearch; results: Uint8Array }[] = []
  const searchStays = createSearchStays(deps(async (search, results) => void kept.push({ search, results })))
  const { search, properties, saved } = await searchStays(order, context)
  await saved
  expect(search.terms).toEqual({ ...terms, radiusKm: terms.radiusKm * 3 })
  expect(properties).toMatchObject([{ propertyId: 'prp_1', distanceKm: 25 }])
  expect(kept).toMatchObject([{ search }])
  expect(await unpackAll(kept[0]?.results ?? Buffer.alloc(0), 'EUR')).toMatchObject([{ propertyId: 'prp_1' }])
})

test('a search that cannot be saved is told to whoever waits for it', async () => {
  const searchStays = createSearchStays(
    deps(async () => {
      throw new Error('the disk is full')
    }),
  )
  const { saved } = await searchStays(order, context)
  await expect(saved).rejects.toThrow('the disk is full')
})

test('vendors are asked about as many properties as the settings allow, the nearest, whatever more there is', async () => {
  const asked: string[] = []
  const base = deps(async () => undefined)
  const [vendor] = base.vendors as [Vendor]
  const listening: Vendor = {
    ...vendor,
    async availability(query) {
      asked.push(...query.vendorPropertyIds)
      return { offers: [], dropped: 0 }
    },
  }
  const source: SearchDeps['source'] = {
    ...base.source,
    async around({ center, radiusKm }, limit) {
      const candidates = Array.from({ length: Math.min(20, limit) }, (_, at) => ({
        propertyId: `prp_${at}`,
        point: center,
        distanceKm: at,
        vendors: [{ vendorId: 'alpha', vendorPropertyId: `${at}` }],
      }))
      return { radiusKm, candidates, unreached: new Map() }
    },
  }
  await createSearchStays({ ...base, vendors: [listening], source })(order, context)
  expect(asked).toEqual(['0', '1', '2', '3', '4', '5', '6'])
})
