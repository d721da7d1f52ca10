import { describe, expect, test } from 'vitest'
import type { Conditions, Offer, RoomOffer } from '../../../src/domain/offer.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { hasGap, type SavedSearch } from '../../../src/domain/saved-search.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { monotonicMs, systemClock } from '../../../src/lib/time/clock.ts'
import { askRooms } from '../../../src/search/ask-vendors.ts'
import { unpackAll } from '../../../src/search/saved-results.ts'
import { createSearchStays, type SearchDeps } from '../../../src/search/search-stays.ts'
import { createSharedAnswers, questionKey } from '../../../src/search/shared-answers.ts'
import { sampleSearch } from '../../../src/search/simulated-world.ts'
import type { World } from '../../../src/search/world.ts'
import type { AvailabilityAnswer, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'
import { netPricing, RATES } from './arbitrary-searches.ts'

const { terms } = sampleSearch('acc_1', 's-1', [{ id: 'alpha' }], systemClock.now())
const order = { accountId: 'acc_1', terms, timeoutMs: 1_000 }
const context = { signal: new AbortController().signal, requestId: 'test' }

/** One vendor with one property at 25 km, outside the requested radius. */
function createWorld(capabilities: Partial<Vendor['capabilities']> = {}): World & { vendors: [Vendor] } {
  const euros = { minor: 10_000, currency: 'EUR' }
  const offer: Offer = {
    vendorId: 'alpha',
    vendorPropertyId: '1',
    total: euros,
    publicTotal: euros,
    board: 'breakfast',
    freeCancellation: {},
  }
  const vendor = {
    id: 'alpha',
    capabilities: { roomsMax: 9, nightsMax: 30, leadDaysMax: 500, propertiesPerCallMax: 250, ...capabilities },
    availability: async () => ({ offers: [offer], dropped: 0 }),
  } as unknown as Vendor
  const facts = summarizeProperty('prp_1', aVendorProperty())
  return {
    vendors: [vendor],
    properties: {
      async around(circle) {
        const vendors = [{ vendorId: 'alpha', vendorPropertyId: '1' }]
        const candidates = [{ propertyId: 'prp_1', point: circle.center, distanceKm: 25, vendors }]
        return { radiusKm: circle.radiusKm * 3, candidates, gaps: new Map() }
      },
      summaries: async (ids) => new Map(ids.map((id) => [id, facts])),
      listVendors: async () => [],
      vendorProperty: async () => undefined,
      remarks: async () => new Map(),
      content: async () => undefined,
    },
    answers: {
      availability: createSharedAnswers<AvailabilityAnswer>(systemClock, {
        reuseMs: 0,
        listItems: ({ offers }) => offers,
      }),
      rooms: createSharedAnswers<readonly RoomOffer[]>(systemClock, { reuseMs: 0, listItems: (offers) => offers }),
    },
    simulated: false,
  }
}

function deps(save: SearchDeps['searches']['save']): SearchDeps {
  return {
    searches: { save } as SearchDeps['searches'],
    rates: () => RATES,
    pricing: netPricing,
    zoneAt: () => undefined,
    clock: systemClock,
    ids: randomIds,
    savedTtlMs: 1_000,
    propertiesMax: 7,
    onBug(error) {
      throw error
    },
  }
}

test('if the area was empty, the response and the saved search have the wider radius', async () => {
  const kept: { search: SavedSearch; results: Uint8Array }[] = []
  const searchStays = createSearchStays(deps(async (search, results) => void kept.push({ search, results })))
  const { search, results } = await searchStays(createWorld(), order, context)
  expect(search.terms).toEqual({ ...terms, radiusKm: terms.radiusKm * 3 })
  expect(results).toMatchObject([{ propertyId: 'prp_1', distanceKm: 25 }])
  expect(kept).toMatchObject([{ search }])
  expect(await unpackAll(kept[0]?.results ?? Buffer.alloc(0))).toMatchObject([{ propertyId: 'prp_1' }])
})

test('if no property is known when the time for content ends, the remaining time is used for it too', async () => {
  const world = createWorld()
  const { around } = world.properties
  const looks: boolean[] = []
  const slow: World['properties']['around'] = async (circle, limit, within, onFound) => {
    const isLate = looks.push(within.signal.aborted) > 1
    if (isLate) return around(circle, limit, within, onFound)
    await new Promise((ended) => within.signal.addEventListener('abort', ended))
    return { radiusKm: circle.radiusKm, candidates: [], gaps: new Map([['alpha', 'timeout' as const]]) }
  }
  const searchStays = createSearchStays(deps(async () => {}))
  const found = await searchStays({ ...world, properties: { ...world.properties, around: slow } }, order, context)
  expect(looks).toEqual([false, false])
  expect(found.results).toMatchObject([{ propertyId: 'prp_1' }])
})

test('guests of one address share their places at a vendor, and an account has its own', async () => {
  const world = createWorld()
  const askers: (string | undefined)[] = []
  world.vendors[0].availability = async (_question, { accountId }) => {
    askers.push(accountId)
    return { offers: [], dropped: 0 }
  }
  const searchStays = createSearchStays(deps(async () => {}))
  const search = (accountId: string, customerIp: string) =>
    searchStays(world, { ...order, accountId }, { ...context, customerIp })
  for (const guest of ['gst_a', 'gst_b']) await search(guest, '192.0.2.1')
  await search('gst_c', '192.0.2.2')
  for (const account of ['acc_1', 'acc_2']) await search(account, '192.0.2.1')
  const [first, second, elsewhere, ...accounts] = askers
  expect(second).toBe(first)
  expect(elsewhere).not.toBe(first)
  expect(accounts).toEqual(['acc_1', 'acc_2'])
})

test('a search that cannot be saved fails', async () => {
  const searchStays = createSearchStays(
    deps(async () => {
      throw new Error('the disk is full')
    }),
  )
  await expect(searchStays(createWorld(), order, context)).rejects.toThrow('the disk is full')
})

test('vendors are asked only for the nearest properties, up to the configured limit', async () => {
  const asked: string[] = []
  const base = createWorld()
  const [vendor] = base.vendors
  const listening: Vendor = {
    ...vendor,
    async availability(query) {
      asked.push(...query.vendorPropertyIds)
      return { offers: [], dropped: 0 }
    },
  }
  const properties: World['properties'] = {
    ...base.properties,
    async around({ center, radiusKm }, limit) {
      const candidates = Array.from({ length: Math.min(20, limit) }, (_, index) => ({
        propertyId: `prp_${index}`,
        point: center,
        distanceKm: index,
        vendors: [{ vendorId: 'alpha', vendorPropertyId: `${index}` }],
      }))
      return { radiusKm, candidates, gaps: new Map() }
    },
  }
  const searchStays = createSearchStays(deps(async () => undefined))
  await searchStays({ ...base, vendors: [listening], properties }, order, context)
  expect(asked).toEqual(['0', '1', '2', '3', '4', '5', '6'])
})

// The sample's check-in is 30 days ahead in UTC, which may be 29 days ahead at the property.
test.each([
  ['too many rooms', { roomsMax: 0 }, 'at most 0 rooms'],
  ['too many adults in a room', { adultsMax: 1 }, 'at most 1 adults in a room'],
  ['too many nights', { nightsMax: 1 }, 'at most 1 nights'],
  ['a check-in too far ahead', { leadDaysMax: 28 }, 'a check_in at most 28 days ahead'],
])('a vendor is skipped with a warning if the stay has %s', async (_, limits, limit) => {
  const world = createWorld(limits)
  const searchStays = createSearchStays(deps(async () => undefined))
  const { search, results, warnings } = await searchStays(world, order, context)
  expect(search.vendors).toMatchObject([{ vendorId: 'alpha', status: 'skipped', properties: 0 }])
  expect(warnings).toEqual([`alpha was not asked: it takes ${limit}.`])
  expect(results).toEqual([])
  const question = { stay: terms.stay, market: terms.market, timezone: 'Europe/Paris' }
  const soldAs = [{ vendorId: 'alpha', vendorPropertyId: '1' }]
  const detail = await askRooms(
    deps(async () => undefined),
    world,
    soldAs,
    question,
    context,
  )
  expect(detail.vendors).toMatchObject([{ vendorId: 'alpha', status: 'skipped' }])
})

test('the offers that a vendor has at its deadline are in the results', async () => {
  const base = createWorld()
  const [vendor] = base.vendors
  const late: Vendor = {
    ...vendor,
    async availability(query, within) {
      await new Promise((ready) => setTimeout(ready, (within.answerBy ?? Number.POSITIVE_INFINITY) - monotonicMs()))
      return vendor.availability(query, within)
    },
  }
  const searchStays = createSearchStays(deps(async () => undefined))
  const { search } = await searchStays({ ...base, vendors: [late] }, { ...order, timeoutMs: 400 }, context)
  expect(search.vendors).toMatchObject([{ status: 'ok', properties: 1 }])
})

test('a vendor whose content is incomplete is partial, and a warning says what to do', async () => {
  const base = createWorld()
  const properties: World['properties'] = {
    ...base.properties,
    around: async (region, limit, within) => ({
      ...(await base.properties.around(region, limit, within)),
      gaps: new Map([['alpha', 'cut' as const]]),
    }),
  }
  const searchStays = createSearchStays(deps(async () => undefined))
  const { search, warnings } = await searchStays({ ...base, properties }, order, context)
  expect(search.vendors).toMatchObject([{ vendorId: 'alpha', status: 'partial', reason: 'content_incomplete' }])
  expect(warnings).toEqual([expect.stringMatching(/^Only the properties of alpha .* Search smaller areas/)])
})

test('a vendor whose rates are incomplete is partial, with a warning', async () => {
  const base = createWorld()
  const [vendor] = base.vendors
  const cut: Vendor = {
    ...vendor,
    availability: async (query, within) => ({ ...(await vendor.availability(query, within)), isIncomplete: true }),
  }
  const searchStays = createSearchStays(deps(async () => undefined))
  const { search, warnings } = await searchStays({ ...base, vendors: [cut] }, order, context)
  expect(search.vendors).toMatchObject([{ status: 'partial', reason: 'rates_incomplete', properties: 1 }])
  expect(warnings).toEqual([expect.stringMatching(/^Some rates of alpha did not arrive in time.* Search again/)])
})

test('the conditions are part of the key of a question, in any order', () => {
  const query = { vendorPropertyIds: ['1'], stay: terms.stay, market: terms.market }
  const createKey = (conditions: Conditions) => questionKey('alpha', { ...query, conditions })
  const keys = [
    {},
    { freeCancellation: true },
    { boards: ['breakfast'] },
    { boards: ['breakfast', 'half_board'] },
  ] as const
  expect(new Set([...keys.map(createKey), questionKey('alpha', query)]).size).toBe(4)
  expect(createKey({ boards: ['half_board', 'breakfast'] })).toBe(createKey({ boards: ['breakfast', 'half_board'] }))
})

describe('a search with conditions', () => {
  const conditions: Conditions = { freeCancellation: true, boards: ['breakfast'] }
  const conditional = { ...order, terms: { ...terms, vendorIds: ['alpha', 'beta'], conditions } }

  /** Beta has the same property as alpha. */
  async function searchWithBeta(beta: Partial<Vendor>, refused: string[] = []) {
    const base = createWorld()
    const [alpha] = base.vendors
    const queries: (Conditions | undefined)[] = []
    const listening: Vendor = {
      ...alpha,
      availability: (query, within) => {
        queries.push(query.conditions)
        return alpha.availability(query, within)
      },
    }
    const properties: World['properties'] = {
      ...base.properties,
      async around(circle, limit, within) {
        const found = await base.properties.around(circle, limit, within)
        const vendors = ['alpha', 'beta'].map((vendorId) => ({ vendorId, vendorPropertyId: '1' }))
        return { ...found, candidates: found.candidates.map((candidate) => ({ ...candidate, vendors })) }
      },
    }
    const searchStays = createSearchStays({
      ...deps(async () => undefined),
      onRefusedCondition: (_error, vendorId) => refused.push(vendorId),
    })
    const world = { ...base, properties, vendors: [listening, { ...alpha, id: 'beta', ...beta }] }
    return { ...(await searchStays(world, conditional, context)), queries }
  }

  test('asks each vendor for them and saves them', async () => {
    const { search, results, queries } = await searchWithBeta({})
    expect(queries).toEqual([conditions])
    expect(search.terms.conditions).toEqual(conditions)
    expect(results).toHaveLength(1)
  })

  test('skips a vendor that does not support them, without an alert', async () => {
    const refused: string[] = []
    const availability = () => expect.fail('it was asked')
    const { search, results, warnings } = await searchWithBeta(
      { supportsConditions: async () => false, availability },
      refused,
    )
    expect(search.vendors).toMatchObject([
      { vendorId: 'alpha', status: 'ok' },
      { vendorId: 'beta', status: 'skipped', reason: 'condition_not_supported' },
    ])
    expect(hasGap(search.vendors[1] ?? expect.fail())).toBe(false)
    expect(warnings).toEqual([expect.stringMatching(/^beta was not searched: it does not support the conditions/)])
    expect([results.length, refused]).toEqual([1, []])
  })

  test('skips a vendor that refuses them, and alerts the operator', async () => {
    const refused: string[] = []
    const refusal = new VendorError('beta', 'condition_refused', 'none')
    const { search, results } = await searchWithBeta({ availability: () => Promise.reject(refusal) }, refused)
    expect(search.vendors[1]).toMatchObject({ status: 'skipped', reason: 'condition_not_supported' })
    expect([results.length, refused]).toEqual([1, ['beta']])
  })
})

test('a vendor whose rate limit leaves no room for some batches is partial, with a warning', async () => {
  const base = createWorld({ propertiesPerCallMax: 1 })
  const [vendor] = base.vendors
  const limited: Vendor = {
    ...vendor,
    async availability(query, within) {
      if (query.vendorPropertyIds[0] !== '1') throw new VendorError('alpha', 'throttled', 'none')
      return vendor.availability(query, within)
    },
  }
  const around =
    (ids: readonly string[]): World['properties']['around'] =>
    async ({ center, radiusKm }) => ({
      radiusKm,
      gaps: new Map(),
      candidates: ids.map((vendorPropertyId) => ({
        ...{ propertyId: `prp_${vendorPropertyId}`, point: center, distanceKm: 1 },
        vendors: [{ vendorId: 'alpha', vendorPropertyId }],
      })),
    })
  const searchStays = createSearchStays(deps(async () => undefined))
  const run = (...ids: string[]) =>
    searchStays(
      { ...base, vendors: [limited], properties: { ...base.properties, around: around(ids) } },
      order,
      context,
    )
  const { search, results, warnings } = await run('1', '2')
  expect(search.vendors).toMatchObject([{ status: 'partial', reason: 'quota', properties: 1 }])
  expect(results).toHaveLength(1)
  expect(warnings).toEqual([expect.stringMatching(/^The rate limit of alpha left no room/)])
  await expect(run('2')).rejects.toMatchObject({ vendors: [{ status: 'error', reason: 'quota' }] })
})

test('the time zone is part of the key of a question', () => {
  const query = { vendorPropertyIds: ['1'], stay: terms.stay, market: terms.market }
  const keys = ['Europe/Paris', 'Asia/Tokyo'].map((timezone) => questionKey('alpha', { ...query, timezone }))
  expect(new Set(keys).size).toBe(2)
})

describe('a search for one property without offers', () => {
  const wanted = { ...terms.location, name: 'Hotel Bellevue, Anytown', propertyId: 'prp_1' }
  type Answer = 'ok' | 'error' | 'timeout'

  /** Alpha sells the wanted property and has no room; beta sells another one, which has a room. */
  async function searchWarnings(
    more: { alpha?: Answer; vendorIds?: string[]; isOutside?: boolean; roomsMax?: number } = {},
  ) {
    const { alpha = 'ok', vendorIds = ['alpha', 'beta'], isOutside = false, roomsMax = 9 } = more
    const base = createWorld({ roomsMax })
    const [seller] = base.vendors
    const silent: Vendor = {
      ...seller,
      async availability() {
        if (alpha === 'ok') return { offers: [], dropped: 0 }
        throw new VendorError('alpha', alpha === 'timeout' ? 'timeout' : 'unavailable', 'none')
      },
    }
    const [first] = createWorld().vendors
    const beta: Vendor = {
      ...first,
      id: 'beta',
      async availability(query, within) {
        const { offers } = await first.availability(query, within)
        return { offers: offers.map((offer) => ({ ...offer, vendorId: 'beta' })), dropped: 0 }
      },
    }
    const properties: World['properties'] = {
      ...base.properties,
      async around({ center, radiusKm }) {
        const createCandidate = (vendorId: string, propertyId: string) => ({
          propertyId,
          point: center,
          distanceKm: 0,
          vendors: [{ vendorId, vendorPropertyId: '1' }],
        })
        const candidates = [...(isOutside ? [] : [createCandidate('alpha', 'prp_1')]), createCandidate('beta', 'prp_2')]
        return { radiusKm, candidates, gaps: new Map() }
      },
    }
    const searchStays = createSearchStays(deps(async () => undefined))
    const asked = { ...order, terms: { ...terms, location: wanted, vendorIds } }
    return (await searchStays({ ...base, vendors: [silent, beta], properties }, asked, context)).warnings
  }

  test('a warning says that the property has no room if its vendor said so', async () => {
    expect(await searchWarnings()).toEqual([
      expect.stringContaining('Hotel Bellevue, Anytown has no room for this stay'),
    ])
  })

  test.each(['error', 'timeout'] as const)(
    'a warning says that the rooms of the property are unknown if its vendor failed (%s)',
    async (alpha) => {
      const [warning, ...others] = await searchWarnings({ alpha })
      expect(others).toEqual([])
      expect(warning).toMatch(/not known if Hotel Bellevue, Anytown has a room .* of alpha was incomplete/)
    },
  )

  test.each([
    ['its vendor was excluded', { vendorIds: ['beta'] }],
    ['it is outside the area', { isOutside: true }],
    ['its vendor does not sell such stays', { roomsMax: 0 }],
  ])('no warning mentions the rooms of the property if %s', async (_, more) => {
    const warnings = await searchWarnings(more)
    expect(warnings.filter((warning) => warning.includes('Hotel Bellevue'))).toEqual([])
  })
})
