import { expect, test } from 'vitest'
import { createContentJobStore } from '../../../src/catalogue/store/content-jobs.ts'
import { createCatalogueStores } from '../../../src/catalogue/store/stores.ts'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import type { Circle } from '../../../src/lib/geo.ts'
import type { Database } from '../../../src/store/database.ts'
import { openCatalogue } from '../../support/store/catalogue.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'
import { aVendorProperty, north } from '../../unit/catalogue/a-vendor-property.ts'
import { aContentVendor, type ContentVendor } from './catalogue-vendor.ts'

const DAY_MS = 86_400_000
const CONTEXT = { signal: new AbortController().signal, requestId: 'test' }
const NAMES = ['Bellevue', 'Astoria', 'Royal', 'Panorama', 'Verdi', 'Meridian', 'Savoy', 'Aurora']

let tests = 0
/** A separate vendor and place for every test, because all tests share one database. */
function aTown() {
  tests += 1
  const vendorId = `vendor_${tests}`
  const center = { lat: -40 + (tests % 40) * 2, lon: 100 + Math.floor(tests / 40) * 5 }
  let properties = NAMES.map((name, n) => createProperty(vendorId, `${n}`, `Hotel ${name}`, north(center, n * 400)))
  const vendor = aContentVendor(vendorId, () => properties)
  vendor.pageSize = 3
  return {
    vendor,
    circle: { center, radiusKm: 10 },
    change(next: (before: VendorProperty[]) => VendorProperty[]) {
      properties = next(properties)
    },
  }
}

/** Like a vendor whose lists have no rooms, which are read by id. */
function listInShortForm(vendor: ContentVendor): void {
  const { content } = vendor
  Object.assign(vendor, {
    async *content(...args: Parameters<typeof content>) {
      for await (const page of content(...args))
        yield args[0].kind === 'feed'
          ? { ...page, properties: page.properties.map((property) => ({ ...property, rooms: [], roomsUnread: true })) }
          : page
    },
  })
}

const createProperty = (vendorId: string, id: string, name: string, location: VendorProperty['location']) =>
  aVendorProperty({ vendorId, vendorPropertyId: id, name, location, phone: '', rooms: [aRoom] })
const aRoom = {
  id: '1',
  name: 'Double',
  description: '',
  squareMeters: 20,
  squareFeet: 215,
  sleeps: 2,
  beds: [],
  images: [],
  amenities: {},
}

function aProcess(
  database: Database,
  vendor: ContentVendor,
  clock = manualClock(),
  more: { languages?: readonly string[]; quietMs?: number } = {},
  stores = createCatalogueStores(database),
) {
  const catalogue = openCatalogue({
    ...stores,
    vendors: [vendor],
    clock,
    // Each slice is one page, so that tests see every step.
    settings: { job: 'feed', live: false, sliceMs: 0, quietMs: 0, ...more },
    countRequests: () => vendor.pages,
    places: () => [],
    onBug(error) {
      throw error
    },
  })
  const finish = async () => {
    for (let rounds = 0; rounds < 30 && (await catalogue.keepContent()) > 0; rounds += 1);
    await catalogue.refresh()
  }
  const idsIn = (circle: { center: VendorProperty['location']; radiusKm: number }) =>
    catalogue.candidates(circle, 100).map(({ propertyId }) => propertyId)
  return { catalogue, clock, finish, idsIn }
}

const status = async ({ catalogue }: ReturnType<typeof aProcess>) => (await catalogue.contentStatus())[0]

onBothDatabases('keeping content fresh', (open) => {
  test('after the feed, other languages of all properties are read in slices, and again only when they are outdated', async () => {
    const { vendor } = aTown()
    const german = { content: new Set(['de']), rates: new Set<string>() }
    Object.assign(vendor.capabilities, { languages: german })
    const job = aProcess(open(), vendor, manualClock(), { languages: ['de'] })
    await job.finish()
    const inGerman = () =>
      vendor.asked.flatMap((query) => (query.kind === 'ids' && query.language === 'de' ? query.ids : []))
    expect(inGerman().sort()).toEqual(NAMES.map((_, n) => String(n)))
    const property = job.catalogue.candidates({ center: { lat: 0, lon: 0 }, radiusKm: 20_000 }, 10_000)
    const id = property.find(({ vendors }) => vendors.some(({ vendorId }) => vendorId === vendor.id))?.propertyId ?? ''
    const content = await job.catalogue.propertyContent(id)
    const texts = await job.catalogue.texts(content?.contents ?? [], 'de-AT')
    expect(texts.get(vendor.id)).toMatchObject({ language: 'de', description: 'Auf Deutsch.' })
    expect((await job.catalogue.texts(content?.contents ?? [], 'fr')).size).toBe(0)
    job.clock.advance(2 * DAY_MS)
    await job.finish()
    expect(inGerman()).toHaveLength(NAMES.length)
    job.clock.advance(40 * DAY_MS)
    await job.finish()
    expect(inGerman()).toHaveLength(2 * NAMES.length)
    await job.catalogue.stop()
  })

  test('feed and languages are read even under constant searches', async () => {
    const { vendor, circle } = aTown()
    Object.assign(vendor.capabilities, { languages: { content: new Set(['de']), rates: new Set<string>() } })
    const job = aProcess(open(), vendor, manualClock(), { languages: ['de'], quietMs: 600_000 })
    await job.catalogue.around(circle, 100, CONTEXT)
    for (let slices = 0; slices < 4; slices += 1) await job.catalogue.keepContent()
    expect(vendor.asked.at(-1)).toMatchObject({ kind: 'ids', language: 'de' })
  })

  test('after the whole feed is read once, every area is known', async () => {
    const { vendor, circle } = aTown()
    const job = aProcess(open(), vendor)
    expect((await job.catalogue.around(circle, 100, CONTEXT)).visits[0]?.status).toBe('unread')
    await job.finish()
    const { visits, candidates } = await job.catalogue.around(circle, 100, CONTEXT)
    expect([visits[0]?.status, candidates.length]).toEqual(['known', NAMES.length])
    const pages = vendor.pages
    await job.finish()
    expect(vendor.pages).toBe(pages)
    expect(await status(job)).toMatchObject({ properties: NAMES.length, requestsToday: pages, failure: undefined })
  })

  test('if a process dies in the middle of a feed, another one resumes from the last page', async () => {
    const { vendor, circle } = aTown()
    const clock = manualClock()
    const first = aProcess(open(), vendor, clock)
    await first.catalogue.keepContent()
    // The first process dies during its next slice.
    expect(await createContentJobStore(open()).claim(vendor.id, clock.now(), 120_000)).toBeDefined()
    const second = aProcess(open(), vendor, clock)
    expect(await second.catalogue.keepContent()).toBe(0)
    clock.advance(10 * 60_000)
    await second.finish()
    expect(second.idsIn(circle)).toHaveLength(NAMES.length)
    expect(vendor.asked.map((query) => (query.kind === 'feed' ? query.cursor : ''))).toEqual([undefined, '3', '6'])
  })

  test('the content job stays within the daily quota of a vendor and continues the next day', async () => {
    const { vendor, circle } = aTown()
    Object.assign(vendor.capabilities, { contentRequestsPerDay: 2 })
    const job = aProcess(open(), vendor)
    await job.finish()
    await job.finish()
    expect([vendor.pages, job.idsIn(circle).length]).toEqual([2, 6])
    expect(await status(job)).toMatchObject({
      requestsToday: 2,
      requestsPerDay: 2,
      feed: { properties: 6 },
      nextAt: Math.ceil(job.clock.now() / DAY_MS) * DAY_MS,
    })
    job.clock.advance(DAY_MS)
    await job.finish()
    expect(job.idsIn(circle)).toHaveLength(NAMES.length)
  })

  test('content requests sent between two slices count towards the daily quota', async () => {
    const { vendor } = aTown()
    Object.assign(vendor.capabilities, { contentRequestsPerDay: 5 })
    const job = aProcess(open(), vendor)
    await job.finish()
    expect(await status(job)).toMatchObject({ requestsToday: 3 })
    vendor.pages += 2
    await job.finish()
    expect(await status(job)).toMatchObject({ requestsToday: 5 })
  })

  test('the status reports the next read, and lateness once two reads of changes are missed', async () => {
    const { vendor } = aTown()
    const job = aProcess(open(), vendor)
    await job.finish()
    const readAt = job.clock.now()
    expect(await status(job)).toMatchObject({ nextAt: readAt + DAY_MS, lateSince: undefined })
    job.clock.advance(2 * DAY_MS)
    expect(await status(job)).toMatchObject({ nextAt: readAt + 2 * DAY_MS, lateSince: undefined })
    job.clock.advance(1)
    expect(await status(job)).toMatchObject({ lateSince: readAt + 2 * DAY_MS })
    await job.finish()
    expect(await status(job)).toMatchObject({ lateSince: undefined })
  })

  test('after a day only changes are requested', async () => {
    const { vendor } = aTown()
    const job = aProcess(open(), vendor)
    await job.finish()
    job.clock.advance(DAY_MS + 1)
    await job.finish()
    const [, , , changes] = vendor.asked
    expect(changes).toMatchObject({ kind: 'feed', since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
  })

  test('a property missing from a whole feed is no longer found, and gets its id back when it returns', async () => {
    const { vendor, circle, change } = aTown()
    const job = aProcess(open(), vendor)
    await job.finish()
    const before = job.idsIn(circle)
    let all: VendorProperty[] = []
    change((properties) => {
      all = properties
      return properties.slice(1)
    })
    job.clock.advance(31 * DAY_MS)
    await job.finish()
    expect(job.idsIn(circle)).toEqual(before.slice(1))
    expect(await status(job)).toMatchObject({ properties: NAMES.length - 1, dropped: 1 })
    expect(await job.catalogue.property(before[0] ?? '')).toMatchObject({ vendors: [] })
    change(() => all)
    job.clock.advance(31 * DAY_MS)
    await job.finish()
    expect(job.idsIn(circle)).toEqual(before)
    // The same applies to a vendor that refuses unknown codes.
    vendor.mode = 'refuses codes'
    change((properties) => properties.slice(1))
    job.clock.advance(31 * DAY_MS)
    await job.finish()
    expect(job.idsIn(circle)).toEqual(before.slice(1))
    expect(await status(job)).toMatchObject({ failure: undefined, fullAt: job.clock.now() })
  })

  test('a feed in short form has changed properties read again in full, and drops those that it no longer lists', async () => {
    const { vendor, circle, change } = aTown()
    listInShortForm(vendor)
    const job = aProcess(open(), vendor)
    // Rooms are read after the round that ends the feed.
    const finish = async () => {
      await job.finish()
      await job.finish()
    }
    await finish()
    const ids = job.idsIn(circle)
    const shown = async () => (await job.catalogue.propertyContent(ids[1] ?? ''))?.merged
    expect(await shown()).toMatchObject({ description: expect.not.stringContaining('Rebuilt.'), rooms: [aRoom] })
    change((all) => all.map((property) => ({ ...property, description: 'Rebuilt.' })))
    job.clock.advance(2 * DAY_MS)
    await finish()
    expect(await shown()).toMatchObject({ description: 'Rebuilt.', rooms: [aRoom] })
    change((all) => all.slice(1))
    job.clock.advance(31 * DAY_MS)
    await finish()
    expect(job.idsIn(circle)).toEqual(ids.slice(1))
    expect(await shown()).toMatchObject({ rooms: [aRoom] })
  })

  test('a property left out of a feed by mistake is kept, because it is requested by code before it is dropped', async () => {
    const { vendor, circle, change } = aTown()
    const job = aProcess(open(), vendor)
    await job.finish()
    let all: VendorProperty[] = []
    change((properties) => {
      all = properties
      return properties.slice(2)
    })
    const byCode = aContentVendor(vendor.id, () => all.slice(1))
    const { content } = vendor
    Object.assign(vendor, {
      content: (...args: Parameters<typeof content>) =>
        args[0].kind === 'ids' ? byCode.content(...args) : content(...args),
    })
    job.clock.advance(31 * DAY_MS)
    await job.finish()
    expect(job.idsIn(circle)).toHaveLength(NAMES.length - 1)
    expect(await status(job)).toMatchObject({ dropped: 1, fullAt: job.clock.now() })
  })

  test('if a process dies between a whole feed and its drops, another one continues without reading a page again', async () => {
    const { vendor, circle, change } = aTown()
    const clock = manualClock()
    const first = aProcess(open(), vendor, clock)
    await first.finish()
    change((properties) => properties.slice(1))
    clock.advance(31 * DAY_MS)
    // Three pages; the slice of the last one also requests the missing properties.
    for (const _ of [1, 2, 3]) await first.catalogue.keepContent()
    expect(vendor.asked.at(-1)).toEqual({ kind: 'ids', ids: ['0'] })
    expect(await status(first)).toMatchObject({ fullAt: clock.now() - 31 * DAY_MS })
    const asked = vendor.asked.length
    clock.advance(10 * 60_000)
    const second = aProcess(open(), vendor, clock)
    await second.finish()
    expect(second.idsIn(circle)).toHaveLength(NAMES.length - 1)
    expect(await status(second)).toMatchObject({ dropped: 1, fullAt: clock.now() - 10 * 60_000 })
    expect(vendor.asked).toHaveLength(asked)
  })

  test('a whole feed that was read by a command is not read again', async () => {
    const { vendor, circle } = aTown()
    const job = aProcess(open(), vendor)
    await job.catalogue.syncFeed(vendor, {}, CONTEXT)
    await job.finish()
    expect(vendor.asked).toHaveLength(1)
    expect(job.idsIn(circle)).toHaveLength(NAMES.length)
    expect(await status(job)).toMatchObject({ fullAt: job.clock.now() })
  })

  test.each([1, 2, 3, 4, 5])(
    'if a process dies at write %i of its progress, another one still reads every area',
    async (dying) => {
      const { vendor, circle } = aTown()
      const clock = manualClock()
      const stores = createCatalogueStores(open())
      let writes = 0
      const unlessDead = async (write: () => Promise<void>) => {
        writes += 1
        if (writes >= dying) throw new Error('killed')
        await write()
      }
      const progress: typeof stores.progress = {
        ...stores.progress,
        putFeed: (row) => unlessDead(() => stores.progress.putFeed(row)),
        putAreas: (...areas) => unlessDead(() => stores.progress.putAreas(...areas)),
      }
      const first = aProcess(open(), vendor, clock, {}, { ...stores, progress })
      await expect(first.finish()).rejects.toThrow('killed')
      clock.advance(11 * 60_000)
      const second = aProcess(open(), vendor, clock)
      await second.finish()
      const { candidates, visits } = await second.catalogue.around(circle, 100, CONTEXT)
      expect(candidates).toHaveLength(NAMES.length)
      expect(visits).toEqual([{ vendorId: vendor.id, status: 'known' }])
    },
  )

  test('a feed that was interrupted more than a week ago starts again', async () => {
    const { vendor } = aTown()
    const job = aProcess(open(), vendor)
    vendor.mode = 'breaks'
    await expect(job.catalogue.syncFeed(vendor, {}, CONTEXT)).rejects.toThrow(vendor.id)
    vendor.mode = 'well'
    job.clock.advance(8 * DAY_MS)
    expect(await job.catalogue.syncFeed(vendor, {}, CONTEXT)).toMatchObject({
      properties: NAMES.length,
      isResumed: false,
    })
  })

  test('a feed that is far too short drops nothing, even if many pages of remarks follow it', async () => {
    const { vendor, circle, change } = aTown()
    const remarkPages = 10
    Object.assign(vendor, {
      async *remarks({ cursor = '0' }: { cursor?: string }) {
        for (let page = Number(cursor) + 1; page <= remarkPages; page += 1)
          yield { remarks: [], cursor: page < remarkPages ? String(page) : undefined }
      },
    })
    const job = aProcess(open(), vendor)
    await job.finish()
    expect(vendor.pages).toBe(3)
    change((properties) => properties.slice(0, 2))
    job.clock.advance(31 * DAY_MS)
    await job.finish()
    expect(vendor.pages).toBe(4)
    expect(job.idsIn(circle)).toHaveLength(NAMES.length)
    expect(await status(job)).toMatchObject({ dropped: 0, fullAt: job.clock.now(), feed: undefined })
  })

  test('a property under a new code keeps its id, both in the same feed and after an absence', async () => {
    const { vendor, circle, change } = aTown()
    const job = aProcess(open(), vendor)
    await job.finish()
    const before = job.idsIn(circle)
    const recoded = (property: VendorProperty) => ({
      ...property,
      vendorPropertyId: `new-${property.vendorPropertyId}`,
    })
    const passMonth = async () => {
      job.clock.advance(31 * DAY_MS)
      await job.finish()
    }
    // One feed replaces the old code by the new one.
    change(([first, ...rest]) => [...(first === undefined ? [] : [recoded(first)]), ...rest])
    await passMonth()
    expect(job.idsIn(circle)).toEqual(before)
    await passMonth()
    expect(job.idsIn(circle)).toEqual(before)
    // The property is absent for a month, then returns under a new code.
    let gone: VendorProperty | undefined
    change(([first, second, ...rest]) => {
      gone = second
      return [...(first === undefined ? [] : [first]), ...rest]
    })
    await passMonth()
    change((properties) => [...properties, ...(gone === undefined ? [] : [recoded(gone)])])
    await passMonth()
    expect(job.idsIn(circle)).toContain(before[1])
    expect(job.idsIn(circle)).toHaveLength(NAMES.length)
  })

  test('after a failure a vendor is not asked for a while, and the status shows the failure', async () => {
    const { vendor, circle } = aTown()
    vendor.mode = 'down'
    const job = aProcess(open(), vendor)
    await job.finish()
    await job.finish()
    expect(vendor.asked).toHaveLength(1)
    expect((await status(job))?.failure).toContain(vendor.id)
    vendor.mode = 'well'
    job.clock.advance(11 * 60_000)
    await job.finish()
    expect(job.idsIn(circle)).toHaveLength(NAMES.length)
    expect((await status(job))?.failure).toBeUndefined()
  })

  test('an internal error is shown in the status and not retried at once, and the other vendors are still read', async () => {
    const [{ vendor }, { vendor: other }] = [aTown(), aTown()]
    const { content } = vendor
    Object.assign(vendor, {
      content() {
        vendor.asked.push({ kind: 'feed' })
        throw new TypeError('a bug')
      },
    })
    other.delayMs = 50
    const clock = manualClock()
    const catalogue = openCatalogue({
      ...createCatalogueStores(open()),
      vendors: [vendor, other],
      clock,
      settings: { job: 'feed', live: false, sliceMs: 0, quietMs: 0 },
      onBug(error) {
        throw error
      },
    })
    await expect(catalogue.keepContent()).rejects.toThrow('a bug')
    expect(other.pages).toBe(1)
    await catalogue.keepContent()
    expect(vendor.asked).toHaveLength(1)
    expect((await catalogue.contentStatus()).map(({ failure }) => failure)).toEqual([
      expect.stringContaining('Unexpected error'),
      undefined,
    ])
    Object.assign(vendor, { content })
    clock.advance(11 * 60_000)
    await catalogue.keepContent()
    expect((await catalogue.contentStatus())[0]).toMatchObject({ failure: undefined, properties: 3 })
  })

  test('a process that stops while a vendor answers records no failure', async () => {
    const { vendor } = aTown()
    vendor.mode = 'hangs'
    const job = aProcess(open(), vendor)
    const slice = job.catalogue.keepContent()
    await expect.poll(() => vendor.asked.length).toBe(1)
    await job.catalogue.stop()
    await slice
    expect(await status(job)).toMatchObject({ failure: undefined })
  })

  test('a feed of changes that a later feed has superseded is not reported as in progress', async () => {
    const { vendor } = aTown()
    const job = aProcess(open(), vendor)
    vendor.mode = 'breaks'
    await expect(job.catalogue.syncFeed(vendor, { since: '2020-01-01' }, CONTEXT)).rejects.toThrow(vendor.id)
    expect((await status(job))?.feed).toMatchObject({ since: '2020-01-01' })
    vendor.mode = 'well'
    job.clock.advance(1_000)
    await job.finish()
    expect((await status(job))?.feed).toBeUndefined()
  })

  /** A catalogue whose content job reads one area. */
  const readingAhead = (vendor: ContentVendor, circle: Circle, quietMs = 0, clock = manualClock()) =>
    openCatalogue({
      ...createCatalogueStores(open()),
      vendors: [vendor],
      clock,
      settings: { job: 'areas', live: true, quietMs },
      places: () => [circle],
      onBug(error) {
        throw error
      },
    })

  test('rooms for which a vendor sends nothing usable are requested only once, by the job and by property views together', async () => {
    const { vendor, circle } = aTown()
    const { content } = vendor
    Object.assign(vendor, {
      async *content(...args: Parameters<typeof content>) {
        for await (const page of content(...args)) {
          const nowhere = page.properties.map((property) => ({ ...property, location: { lat: 0, lon: 0 } }))
          yield args[0].kind === 'ids' ? { ...page, properties: nowhere } : page
        }
      },
    })
    const catalogue = readingAhead(vendor, circle)
    for (let rounds = 0; rounds < 5; rounds += 1) await catalogue.keepContent()
    const [first] = (await catalogue.around(circle, 100, CONTEXT)).candidates
    expect((await catalogue.propertyContent(first?.propertyId ?? ''))?.merged.rooms).toEqual([])
    expect(vendor.asked.map(({ kind }) => kind)).toEqual(['area', 'ids'])
  })

  test('no area is read ahead right after the start, when the first searches are likely', async () => {
    const { vendor, circle } = aTown()
    const catalogue = readingAhead(vendor, circle, 600_000)
    expect(await catalogue.keepContent()).toBe(0)
    expect(vendor.asked).toEqual([])
  })

  test('the status shows why an area could not be read', async () => {
    const { vendor, circle } = aTown()
    vendor.mode = 'down'
    const catalogue = readingAhead(vendor, circle)
    await catalogue.keepContent()
    expect((await catalogue.contentStatus())[0]?.failure).toBe(`${vendor.id}: unavailable`)
  })

  test('areas read ahead are known to the first search, and their rooms are read afterwards', async () => {
    const { vendor, circle } = aTown()
    const catalogue = readingAhead(vendor, circle)
    expect(await catalogue.keepContent()).toBe(1)
    const { visits, candidates } = await catalogue.around(circle, 100, CONTEXT)
    expect([visits[0]?.status, candidates.length]).toEqual(['known', NAMES.length])
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(NAMES.length)
    const [first, second] = candidates.map(({ propertyId }) => propertyId)
    // Viewing a property before that reads its own rooms only.
    expect((await catalogue.propertyContent(first ?? ''))?.merged.rooms).toEqual([aRoom])
    while ((await catalogue.keepContent()) > 0);
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(0)
    expect((await catalogue.propertyContent(second ?? ''))?.merged.rooms).toEqual([aRoom])
    // Reading the area again does not change the rooms.
    await catalogue.around({ ...circle, radiusKm: 11 }, 100, CONTEXT)
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(0)
  })

  test('areas are read again after some days, and properties with rooms are read again in full', async () => {
    const { vendor, circle, change } = aTown()
    const clock = manualClock()
    const catalogue = readingAhead(vendor, circle, 0, clock)
    const finish = async () => {
      for (let rounds = 0; rounds < 30 && (await catalogue.keepContent()) > 0; rounds += 1);
    }
    const shown = async (propertyId: string) => {
      const merged = (await catalogue.propertyContent(propertyId))?.merged
      return [merged?.description, merged?.rooms.map(({ name }) => name)]
    }
    await finish()
    const [{ propertyId } = { propertyId: '' }] = (await catalogue.around(circle, 100, CONTEXT)).candidates
    const before = await shown(propertyId)
    change((all) =>
      all.map((property) => ({
        ...property,
        description: 'Rebuilt.',
        rooms: property.rooms.map((room) => ({ ...room, name: 'Suite' })),
      })),
    )
    clock.advance(6 * DAY_MS)
    await finish()
    expect(await shown(propertyId)).toEqual(before)
    clock.advance(2 * DAY_MS)
    // The job restarts with the first area; the list alone does not change properties read in full.
    await catalogue.keepContent()
    await catalogue.keepContent()
    expect(await shown(propertyId)).toEqual(before)
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(NAMES.length)
    await finish()
    expect(await shown(propertyId)).toEqual(['Rebuilt.', ['Suite']])
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(0)
  })

  test('properties due for another read are no longer due after a feed has sent them, changed or not', async () => {
    const { vendor, circle } = aTown()
    const clock = manualClock()
    const catalogue = readingAhead(vendor, circle, 0, clock)
    const withoutRooms = async () => (await catalogue.contentStatus())[0]?.withoutRooms
    for (let rounds = 0; rounds < 30 && (await catalogue.keepContent()) > 0; rounds += 1);
    clock.advance(8 * DAY_MS)
    await catalogue.keepContent()
    await catalogue.keepContent()
    expect(await withoutRooms()).toBe(NAMES.length)
    await catalogue.syncFeed(vendor, {}, CONTEXT)
    expect(await withoutRooms()).toBe(0)
  })
})
