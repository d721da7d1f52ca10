import { expect, test } from 'vitest'
import { createCatalogueStores } from '../../../src/catalogue/store/stores.ts'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import { propertyLocationId } from '../../../src/domain/property/property-location.ts'
import type { Point } from '../../../src/lib/geo.ts'
import type { Database } from '../../../src/store/database.ts'
import { openCatalogue } from '../../support/store/catalogue.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'
import { aVendorProperty, north } from '../../unit/catalogue/a-vendor-property.ts'
import { aContentVendor, type ContentVendor } from './catalogue-vendor.ts'

const NAMES = [
  'Bellevue',
  'Astoria',
  'Royal',
  'Lion d’Or',
  'Panorama',
  'Verdi',
  'Meridian',
  'Savoy',
  'Aurora',
  'Olympia',
]
const CONTEXT = { signal: new AbortController().signal, requestId: 'test' }
const DAY_MS = 86_400_000

/** Ten properties of a vendor in a line north of `center`, 400 m apart; the other vendor has the same ones. */
function town(vendorId: string, center: { lat: number; lon: number }, count = NAMES.length): VendorProperty[] {
  return NAMES.slice(0, count).map((name, n) =>
    aVendorProperty({
      vendorId,
      vendorPropertyId: `${center.lat}/${n}`,
      name: vendorId === 'alpha' ? `Hotel ${name}` : `${name.toUpperCase()} HOTEL`,
      location: north(center, n * 400 + (vendorId === 'alpha' ? 0 : 35)),
      phone: '',
      address: { line1: '', line2: '', city: 'Anytown', region: '', postalCode: '', countryCode: 'FR' },
    }),
  )
}

let places = 0
/** A place that no other test uses. */
const somewhere = () => {
  places += 1
  return { lat: -40 + (places % 40) * 3, lon: 20 + Math.floor(places / 40) * 20 }
}

function setUp(database: Database, vendors: readonly ContentVendor[], clock = manualClock(), settings = {}) {
  const bugs: unknown[] = []
  const catalogue = openCatalogue({
    ...createCatalogueStores(database),
    vendors,
    clock,
    settings: { vendorTimeoutMs: 150, ...settings },
    onBug: (error) => bugs.push(error),
  })
  return { catalogue, bugs, clock }
}

const patientFor = (ms: number) => ({ ...CONTEXT, signal: AbortSignal.timeout(ms) })

const aTown = (center: { lat: number; lon: number }) => [
  aContentVendor('alpha', () => town('alpha', center)),
  aContentVendor('beta', () => town('beta', center)),
]

onBothDatabases('the catalogue', (open) => {
  test('the first visit of an area asks every vendor once and finds each building once; later visits ask no vendor', async () => {
    const center = somewhere()
    const [alpha, beta] = aTown(center)
    if (alpha === undefined || beta === undefined) throw new Error('two vendors')
    const { catalogue, bugs } = setUp(open(), [alpha, beta])
    const circle = { center, radiusKm: 6 }
    const first = await catalogue.around(circle, 100, CONTEXT)
    expect(first.visits.map(({ status }) => status)).toEqual(['synced', 'synced'])
    expect(first.candidates).toHaveLength(10)
    for (const { vendors } of first.candidates)
      expect(vendors.map(({ vendorId }) => vendorId).sort()).toEqual(['alpha', 'beta'])
    expect(first.candidates.map(({ distanceKm }) => distanceKm)).toEqual(
      first.candidates.map(({ distanceKm }) => distanceKm).sort((a, b) => a - b),
    )

    const again = await catalogue.around(circle, 100, CONTEXT)
    const within = await catalogue.around({ center: north(center, 500), radiusKm: 1 }, 100, CONTEXT)
    expect(again.visits.map(({ status }) => status)).toEqual(['known', 'known'])
    expect(within.visits.map(({ status }) => status)).toEqual(['known', 'known'])
    expect([alpha.asked.length, beta.asked.length, bugs.length]).toEqual([1, 1, 0])
  })

  test('of a town with too many properties the nearest are read first, and the others on a visit near them', async () => {
    const center = somewhere()
    const alpha = aContentVendor('alpha', () => town('alpha', center))
    const { catalogue } = setUp(open(), [alpha], manualClock(), { propertiesMax: 4 })
    const circle = { center, radiusKm: 6 }
    const first = await catalogue.around(circle, 100, CONTEXT)
    expect(first.candidates.map(({ point }) => point.lat)).toEqual(
      town('alpha', center, 4).map(({ location }) => location.lat),
    )
    expect((await catalogue.around(circle, 100, CONTEXT)).visits[0]?.status).toBe('known')
    const farthest = town('alpha', center).at(-1)?.location ?? center
    const beyond = await catalogue.around({ center: farthest, radiusKm: 1 }, 100, CONTEXT)
    expect(beyond.visits[0]?.status).toBe('synced')
    expect(beyond.candidates.length).toBeGreaterThan(0)
  })

  test('properties are found page by page, before the vendor has sent all', async () => {
    const center = somewhere()
    const alpha = aContentVendor('alpha', () => town('alpha', center))
    alpha.pageSize = 4
    const { catalogue } = setUp(open(), [alpha])
    const counts: number[] = []
    await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT, (candidates) => counts.push(candidates.length))
    expect(counts).toEqual([4, 8, 10])
  })

  test('without live requests an area is unread until another process has read it', async () => {
    const center = somewhere()
    const alpha = aContentVendor('alpha', () => town('alpha', center))
    const { catalogue } = setUp(open(), [alpha], manualClock(), { live: false })
    const before = await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
    expect([before.visits[0]?.status, before.candidates.length, alpha.asked.length]).toEqual(['unread', 0, 0])
    await setUp(open(), [alpha]).catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
    const after = await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
    expect([after.visits[0]?.status, after.candidates.length, alpha.asked.length]).toEqual(['known', 10, 1])
  })

  test('concurrent visits of an area share one fetch', async () => {
    const center = somewhere()
    const vendors = aTown(center)
    for (const vendor of vendors) vendor.delayMs = 30
    const { catalogue } = setUp(open(), vendors)
    const visits = await Promise.all(
      Array.from({ length: 12 }, (_, n) => catalogue.around({ center, radiusKm: n % 2 === 0 ? 6 : 3 }, 100, CONTEXT)),
    )
    for (const { candidates } of visits) expect(candidates.length).toBeGreaterThan(6)
    expect(vendors.map(({ asked }) => asked.length)).toEqual([1, 1])
  })

  test.each(['down', 'hangs', 'deaf', 'breaks'] as const)(
    'a vendor in mode "%s" loses only its own properties, within the deadline, and is asked again on the next visit',
    async (mode) => {
      const center = somewhere()
      const [alpha, beta] = aTown(center)
      if (alpha === undefined || beta === undefined) throw new Error('two vendors')
      const { catalogue } = setUp(open(), [alpha, beta])
      beta.mode = mode
      beta.pageSize = 4
      const started = performance.now()
      const first = await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
      expect(performance.now() - started).toBeLessThan(1_500)
      expect(first.candidates).toHaveLength(10)
      expect(first.visits.map(({ status }) => status)).toEqual([
        'synced',
        mode === 'down' || mode === 'breaks' ? 'error' : 'timeout',
      ])
      const matched = first.candidates.filter(({ vendors }) => vendors.length === 2)
      expect(matched).toHaveLength(mode === 'breaks' ? 4 : 0)

      beta.mode = 'well'
      const second = await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
      expect(second.visits.map(({ status }) => status)).toEqual(['known', 'synced'])
      expect(second.candidates.filter(({ vendors }) => vendors.length === 2)).toHaveLength(10)
      expect(second.candidates.map(({ propertyId }) => propertyId)).toEqual(
        first.candidates.map(({ propertyId }) => propertyId),
      )
      expect(alpha.asked).toHaveLength(1)
    },
  )

  test('a search that runs out of time returns the properties stored by then', async () => {
    const center = somewhere()
    const [alpha, beta] = aTown(center)
    if (alpha === undefined || beta === undefined) throw new Error('two vendors')
    beta.mode = 'deaf'
    const { catalogue } = setUp(open(), [alpha, beta], manualClock(), { vendorTimeoutMs: 3_000 })
    const started = performance.now()
    const found = await catalogue.around({ center, radiusKm: 6 }, 100, patientFor(400))
    expect(performance.now() - started).toBeLessThan(1_500)
    expect(found.candidates).toHaveLength(10)
    expect(found.visits.map(({ status }) => status)).toEqual(['synced', 'timeout'])
    await catalogue.stop()
  })

  test('a vendor that timed out gets a shorter timeout until it answers again', async () => {
    const towns = [somewhere(), somewhere(), somewhere(), somewhere()]
    const alpha = aContentVendor('alpha', () => towns.flatMap((center) => town('alpha', center)))
    const beta = aContentVendor('beta', () => towns.flatMap((center) => town('beta', center)))
    beta.mode = 'deaf'
    const settings = { vendorTimeoutMs: 1_000, lateVendorMs: 100 }
    const { catalogue } = setUp(open(), [alpha, beta], manualClock(), settings)
    const visit = async (town: number) => {
      const started = performance.now()
      const { visits } = await catalogue.around({ center: towns[town] as Point, radiusKm: 6 }, 100, patientFor(4_000))
      return { status: visits[1]?.status, ms: performance.now() - started }
    }
    const first = await visit(0)
    expect(first.status).toBe('timeout')
    expect(first.ms).toBeGreaterThan(900)
    const second = await visit(1)
    expect(second.status).toBe('timeout')
    expect(second.ms).toBeLessThan(900)
    beta.mode = 'well'
    await expect.poll(async () => (await visit(2)).status).toMatch(/synced|known/)
    beta.delayMs = 400
    expect((await visit(3)).status).toBe('synced')
    await catalogue.stop()
  }, 20_000)

  test('stopping the catalogue aborts a background read without an error', async () => {
    const alpha = aContentVendor('alpha', () => [])
    alpha.mode = 'deaf'
    const { catalogue, bugs } = setUp(open(), [alpha], manualClock(), { vendorTimeoutMs: 60_000 })
    const visit = catalogue.around({ center: somewhere(), radiusKm: 3 }, 100, CONTEXT)
    await expect.poll(() => alpha.asked.length).toBe(1)
    await catalogue.stop()
    expect((await visit).visits).toEqual([{ vendorId: 'alpha', status: 'timeout' }])
    expect(bugs).toEqual([])
  })

  test('properties stored by another process are found without asking the vendors', async () => {
    const center = somewhere()
    const vendors = aTown(center)
    const first = setUp(open(), vendors).catalogue
    const second = setUp(open(), vendors).catalogue
    await second.start()
    await first.around({ center, radiusKm: 6 }, 100, CONTEXT)
    expect(second.candidates({ center, radiusKm: 6 }, 100)).toHaveLength(0)
    const found = await second.around({ center, radiusKm: 6 }, 100, CONTEXT)
    expect(found.candidates).toHaveLength(10)
    expect(vendors.map(({ asked }) => asked.length)).toEqual([1, 1])
    await second.stop()
  })

  test('names stored by another process are found, except that of a property it joined to another', async () => {
    const center = somewhere()
    const vendors = [aContentVendor('alpha', () => town('alpha', center, 3))]
    const here = setUp(open(), vendors)
    const there = setUp(open(), vendors)
    const { candidates } = await here.catalogue.around({ center, radiusKm: 5 }, 100, CONTEXT)
    const found = async (text: string) => {
      await there.catalogue.refresh()
      await there.catalogue.namesSettled()
      const ours = new Set(candidates.map(({ propertyId }) => propertyId))
      return there.catalogue.names.find(text, 200, true).filter(({ propertyId }) => ours.has(propertyId))
    }
    const [bellevue] = await found('bellevue anytown')
    const [astoria] = await found('hotel astoria')
    expect([bellevue?.grade, astoria?.grade]).toEqual(['words', 'exact'])
    const named = await there.catalogue.named([bellevue?.propertyId ?? ''])
    expect([...named.values()]).toMatchObject([{ name: 'Hotel Bellevue', town: 'Anytown', countryCode: 'FR' }])

    await here.catalogue.join(bellevue?.propertyId ?? '', astoria?.propertyId ?? '')
    expect((await found('astoria')).map(({ propertyId }) => propertyId)).toEqual([bellevue?.propertyId])
    const locationId = propertyLocationId(astoria?.propertyId ?? '')
    const redirected = await there.catalogue.property(there.catalogue.names.findPropertyId(locationId) ?? '')
    expect(redirected?.propertyId).toBe(bellevue?.propertyId)
  })

  test('processes that visit a place at the same time give each building one id', async () => {
    const center = somewhere()
    const vendors = aTown(center)
    const all = [1, 2, 3].map(() => setUp(open(), vendors).catalogue)
    await Promise.all(all.map((catalogue) => catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)))
    for (const catalogue of all) {
      await catalogue.refresh()
      const found = catalogue.candidates({ center, radiusKm: 6 }, 100)
      expect(found).toHaveLength(10)
      expect(found.every(({ vendors: refs }) => refs.length === 2)).toBe(true)
    }
  })

  test('an outdated area is answered at once and refreshed in the background', async () => {
    const center = somewhere()
    let properties = town('alpha', center)
    const alpha = aContentVendor('alpha', () => properties)
    const { catalogue, clock } = setUp(open(), [alpha], manualClock(), { refreshAfterMs: DAY_MS })
    const { candidates } = await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
    const id = candidates[0]?.propertyId ?? ''
    expect((await catalogue.summaries([id])).get(id)?.name).toBe('Hotel Bellevue')

    clock.advance(2 * DAY_MS)
    properties = properties.map((property) => ({ ...property, byeLine: 'Newly painted' }))
    const later = await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
    expect(later.visits[0]?.status).toBe('known')
    await expect.poll(() => alpha.asked.length).toBe(2)
    await expect.poll(async () => (await catalogue.summaries([id])).get(id)?.tagline).toBe('Newly painted')
  })

  test('an area without properties is widened until one is found', async () => {
    const center = somewhere()
    const far = north(center, 14_000)
    const { catalogue } = setUp(open(), aTown(far))
    const found = await catalogue.around({ center, radiusKm: 5 }, 100, CONTEXT)
    expect(found.circle.radiusKm).toBe(15)
    expect(found.candidates.length).toBeGreaterThan(0)
  })

  test('content is read back complete, both merged and per vendor', async () => {
    const center = somewhere()
    const { catalogue } = setUp(open(), aTown(center))
    const { candidates } = await catalogue.around({ center, radiusKm: 1 }, 1, CONTEXT)
    const [candidate] = candidates
    const found = await catalogue.propertyContent(candidate?.propertyId ?? '')
    expect(found?.contents.map(({ vendorId }) => vendorId).sort()).toEqual(['alpha', 'beta'])
    // The name of the vendor whose content came first.
    expect(['Hotel Bellevue', 'BELLEVUE HOTEL']).toContain(found?.merged.name)
    expect(await catalogue.content({ vendorId: 'alpha', vendorPropertyId: `${center.lat}/0` })).toEqual(
      town('alpha', center)[0],
    )
    expect(await catalogue.propertyContent('prp_0000000000000000')).toBeUndefined()
  })

  test('content without a name or a valid location is dropped and counted', async () => {
    const { catalogue } = setUp(open(), [])
    const odd = [
      aVendorProperty({ vendorId: 'odd', name: '' }),
      aVendorProperty({ vendorId: 'odd', location: { lat: 400, lon: 4 } }),
      aVendorProperty({ vendorId: 'odd', vendorPropertyId: "3'); drop table properties; --", location: somewhere() }),
      aVendorProperty({
        vendorId: 'odd',
        vendorPropertyId: '4',
        location: somewhere(),
        name: "Robert'); drop table properties",
      }),
    ]
    expect(await catalogue.ingest(odd)).toEqual({ added: 1, changed: 0, unchanged: 0, dropped: 3 })
    expect(await catalogue.ingest(odd.slice(3))).toEqual({ added: 0, changed: 0, unchanged: 1, dropped: 0 })
  })

  test('an interrupted feed resumes from its last page, and afterwards every area is known', async () => {
    const center = somewhere()
    const properties = town('gamma', center)
    const gamma = aContentVendor('gamma', () => properties)
    gamma.pageSize = 3
    const { catalogue } = setUp(open(), [gamma])
    gamma.mode = 'breaks'
    await expect(catalogue.syncFeed(gamma, {}, CONTEXT)).rejects.toThrow('gamma')
    gamma.mode = 'well'
    const seen: number[] = []
    const done = await catalogue.syncFeed(gamma, { onProgress: ({ properties }) => seen.push(properties) }, CONTEXT)
    expect(gamma.asked.map((query) => (query.kind === 'feed' ? query.cursor : '?'))).toEqual([undefined, '3'])
    expect(done).toMatchObject({ properties: 10, total: 10, isResumed: true })
    expect(seen).toEqual([3, 6, 9, 10])

    const found = await catalogue.around({ center, radiusKm: 6 }, 100, CONTEXT)
    expect(found.visits[0]?.status).toBe('known')
    expect(found.candidates).toHaveLength(10)
  })

  test('splits and joins by an operator survive later syncs, and replaced ids redirect', async () => {
    const center = somewhere()
    const [alpha, beta] = aTown(center)
    if (alpha === undefined || beta === undefined) throw new Error('two vendors')
    const { catalogue } = setUp(open(), [alpha, beta])
    const circle = { center, radiusKm: 6 }
    const { candidates } = await catalogue.around(circle, 100, CONTEXT)
    const [first] = candidates
    if (first === undefined) throw new Error('there are candidates')
    const ref = { vendorId: 'beta', vendorPropertyId: `${center.lat}/0` }

    const explained = await catalogue.explain(first.propertyId)
    expect(explained?.links.map(({ decidedBy }) => decidedBy).sort()).toEqual(['auto', 'founder'])
    expect(explained?.links.find(({ decidedBy }) => decidedBy === 'auto')?.evidence.map(({ fact }) => fact)).toContain(
      '35 m away',
    )

    const split = await catalogue.split(first.propertyId, ref)
    if (!split.ok) throw new Error(split.why)
    await catalogue.refresh()
    expect(catalogue.candidates(circle, 100)).toHaveLength(11)
    await catalogue.ingest(town('beta', center).map((property) => ({ ...property, byeLine: 'Changed' })))
    expect((await catalogue.property(first.propertyId))?.vendors).toHaveLength(1)
    expect((await catalogue.explain(first.propertyId))?.lookAlikes[0]?.propertyId).toBe(split.propertyId)

    expect(await catalogue.join(first.propertyId, split.propertyId)).toEqual({ ok: true, propertyId: first.propertyId })
    await catalogue.refresh()
    expect(catalogue.candidates(circle, 100)).toHaveLength(10)
    expect(await catalogue.property(split.propertyId)).toMatchObject({
      propertyId: first.propertyId,
      vendors: [{}, {}],
    })
    const usesOtherId = { ok: false, why: expect.stringContaining(`joined to ${first.propertyId}. Use that id.`) }
    expect(await catalogue.join(first.propertyId, split.propertyId)).toMatchObject(usesOtherId)
    expect(await catalogue.split(split.propertyId, ref)).toMatchObject(usesOtherId)
    for (const decide of [catalogue.join, catalogue.keepSeparate])
      expect(await decide(first.propertyId, first.propertyId)).toMatchObject({
        why: expect.stringContaining('one property'),
      })
    expect(await catalogue.split(first.propertyId, { vendorId: 'nobody', vendorPropertyId: '1' })).toMatchObject({
      ok: false,
    })
  })
})
