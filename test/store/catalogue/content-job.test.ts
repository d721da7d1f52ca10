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
/** A vendor and a place of its own for every test, because all of them share one database. */
function aTown() {
  tests += 1
  const vendorId = `vendor_${tests}`
  const center = { lat: -40 + (tests % 40) * 2, lon: 100 + Math.floor(tests / 40) * 5 }
  let properties = NAMES.map((name, n) => propertyOf(vendorId, `${n}`, `Hotel ${name}`, north(center, n * 400)))
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

const propertyOf = (vendorId: string, id: string, name: string, location: VendorProperty['location']) =>
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
    // Each slice is one page, so that a test sees every step.
    settings: { job: 'feed', live: false, sliceMs: 0, quietMs: 0, ...more },
    requestsOf: () => vendor.pages,
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
  test('further languages are read of all properties once the feed is, slice by slice, and again only when they are old', async () => {
    const { vendor } = aTown()
    const german = { content: new Set(['de']), rates: new Set<string>() }
    Object.assign(vendor.capabilities, { languages: german })
    const one = aProcess(open(), vendor, manualClock(), { languages: ['de'] })
    await one.finish()
    const inGerman = () =>
      vendor.asked.flatMap((query) => (query.kind === 'ids' && query.language === 'de' ? query.ids : []))
    expect(inGerman().sort()).toEqual(NAMES.map((_, n) => String(n)))
    const property = one.catalogue.candidates({ center: { lat: 0, lon: 0 }, radiusKm: 20_000 }, 10_000)
    const id = property.find(({ vendors }) => vendors.some(({ vendorId }) => vendorId === vendor.id))?.propertyId ?? ''
    const content = await one.catalogue.propertyContent(id)
    const texts = await one.catalogue.texts(content?.contents ?? [], 'de-AT')
    expect(texts.get(vendor.id)).toMatchObject({ language: 'de', description: 'Auf Deutsch.' })
    expect((await one.catalogue.texts(content?.contents ?? [], 'fr')).size).toBe(0)
    one.clock.turn(2 * DAY_MS)
    await one.finish()
    expect(inGerman()).toHaveLength(NAMES.length)
    one.clock.turn(40 * DAY_MS)
    await one.finish()
    expect(inGerman()).toHaveLength(2 * NAMES.length)
    await one.catalogue.stop()
  })

  test('feed and languages are read on a machine that is searched all the time too', async () => {
    const { vendor, circle } = aTown()
    Object.assign(vendor.capabilities, { languages: { content: new Set(['de']), rates: new Set<string>() } })
    const one = aProcess(open(), vendor, manualClock(), { languages: ['de'], quietMs: 600_000 })
    await one.catalogue.around(circle, 100, CONTEXT)
    for (let slices = 0; slices < 4; slices += 1) await one.catalogue.keepContent()
    expect(vendor.asked.at(-1)).toMatchObject({ kind: 'ids', language: 'de' })
  })

  test('the whole feed is read once, and from then on no area is unread', async () => {
    const { vendor, circle } = aTown()
    const one = aProcess(open(), vendor)
    expect((await one.catalogue.around(circle, 100, CONTEXT)).visits[0]?.status).toBe('unread')
    await one.finish()
    const { visits, candidates } = await one.catalogue.around(circle, 100, CONTEXT)
    expect([visits[0]?.status, candidates.length]).toEqual(['known', NAMES.length])
    const pages = vendor.pages
    await one.finish()
    expect(vendor.pages).toBe(pages)
    expect(await status(one)).toMatchObject({ properties: NAMES.length, requestsToday: pages, failure: undefined })
  })

  test('a process that dies half-way is followed by another, from the last page on', async () => {
    const { vendor, circle } = aTown()
    const clock = manualClock()
    const first = aProcess(open(), vendor, clock)
    await first.catalogue.keepContent()
    // It dies during its next slice.
    expect(await createContentJobStore(open()).claim(vendor.id, clock.now(), 120_000)).toBeDefined()
    const second = aProcess(open(), vendor, clock)
    expect(await second.catalogue.keepContent()).toBe(0)
    clock.turn(10 * 60_000)
    await second.finish()
    expect(second.idsIn(circle)).toHaveLength(NAMES.length)
    expect(vendor.asked.map((query) => (query.kind === 'feed' ? query.cursor : ''))).toEqual([undefined, '3', '6'])
  })

  test('the vendor’s allowance of a day is not exceeded; the next day goes on', async () => {
    const { vendor, circle } = aTown()
    Object.assign(vendor.capabilities, { contentRequestsPerDay: 2 })
    const one = aProcess(open(), vendor)
    await one.finish()
    await one.finish()
    expect([vendor.pages, one.idsIn(circle).length]).toEqual([2, 6])
    expect(await status(one)).toMatchObject({
      requestsToday: 2,
      requestsPerDay: 2,
      feed: { properties: 6 },
      nextAt: Math.ceil(one.clock.now() / DAY_MS) * DAY_MS,
    })
    one.clock.turn(DAY_MS)
    await one.finish()
    expect(one.idsIn(circle)).toHaveLength(NAMES.length)
  })

  test('requests for content that others send between two slices count too', async () => {
    const { vendor } = aTown()
    Object.assign(vendor.capabilities, { contentRequestsPerDay: 5 })
    const one = aProcess(open(), vendor)
    await one.finish()
    expect(await status(one)).toMatchObject({ requestsToday: 3 })
    vendor.pages += 2
    await one.finish()
    expect(await status(one)).toMatchObject({ requestsToday: 5 })
  })

  test('it says when it is read next, and is late once its changes should have been read twice', async () => {
    const { vendor } = aTown()
    const one = aProcess(open(), vendor)
    await one.finish()
    const readAt = one.clock.now()
    expect(await status(one)).toMatchObject({ nextAt: readAt + DAY_MS, lateSince: undefined })
    one.clock.turn(2 * DAY_MS)
    expect(await status(one)).toMatchObject({ nextAt: readAt + 2 * DAY_MS, lateSince: undefined })
    one.clock.turn(1)
    expect(await status(one)).toMatchObject({ lateSince: readAt + 2 * DAY_MS })
    await one.finish()
    expect(await status(one)).toMatchObject({ lateSince: undefined })
  })

  test('after a day only the changes are asked for', async () => {
    const { vendor } = aTown()
    const one = aProcess(open(), vendor)
    await one.finish()
    one.clock.turn(DAY_MS + 1)
    await one.finish()
    const [, , , changes] = vendor.asked
    expect(changes).toMatchObject({ kind: 'feed', since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
  })

  test('what a whole feed no longer shows is not found any more, and is back under its id when it returns', async () => {
    const { vendor, circle, change } = aTown()
    const one = aProcess(open(), vendor)
    await one.finish()
    const before = one.idsIn(circle)
    let all: VendorProperty[] = []
    change((properties) => {
      all = properties
      return properties.slice(1)
    })
    one.clock.turn(31 * DAY_MS)
    await one.finish()
    expect(one.idsIn(circle)).toEqual(before.slice(1))
    expect(await status(one)).toMatchObject({ properties: NAMES.length - 1, dropped: 1 })
    expect(await one.catalogue.property(before[0] ?? '')).toMatchObject({ vendors: [] })
    change(() => all)
    one.clock.turn(31 * DAY_MS)
    await one.finish()
    expect(one.idsIn(circle)).toEqual(before)
    // Of a vendor that refuses a code that it does not know any more too.
    vendor.mode = 'refuses codes'
    change((properties) => properties.slice(1))
    one.clock.turn(31 * DAY_MS)
    await one.finish()
    expect(one.idsIn(circle)).toEqual(before.slice(1))
    expect(await status(one)).toMatchObject({ failure: undefined, fullAt: one.clock.now() })
  })

  test('what a feed has left out by mistake stays: it is asked for by its code before it is dropped', async () => {
    const { vendor, circle, change } = aTown()
    const one = aProcess(open(), vendor)
    await one.finish()
    let all: VendorProperty[] = []
    change((properties) => {
      all = properties
      return properties.slice(2)
    })
    const byCode = aContentVendor(vendor.id, () => all.slice(1))
    const { content } = vendor
    Object.assign(vendor, {
      content: (...asked: Parameters<typeof content>) =>
        asked[0].kind === 'ids' ? byCode.content(...asked) : content(...asked),
    })
    one.clock.turn(31 * DAY_MS)
    await one.finish()
    expect(one.idsIn(circle)).toHaveLength(NAMES.length - 1)
    expect(await status(one)).toMatchObject({ dropped: 1, fullAt: one.clock.now() })
  })

  test('a process that dies between a whole feed and what it drops is followed by another, which reads no page again', async () => {
    const { vendor, circle, change } = aTown()
    const clock = manualClock()
    const first = aProcess(open(), vendor, clock)
    await first.finish()
    change((properties) => properties.slice(1))
    clock.turn(31 * DAY_MS)
    // Three pages; the vendor is asked for what is missing in the slice of the last one.
    for (const _ of [1, 2, 3]) await first.catalogue.keepContent()
    expect(vendor.asked.at(-1)).toEqual({ kind: 'ids', ids: ['0'] })
    expect(await status(first)).toMatchObject({ fullAt: clock.now() - 31 * DAY_MS })
    const asked = vendor.asked.length
    clock.turn(10 * 60_000)
    const second = aProcess(open(), vendor, clock)
    await second.finish()
    expect(second.idsIn(circle)).toHaveLength(NAMES.length - 1)
    expect(await status(second)).toMatchObject({ dropped: 1, fullAt: clock.now() - 10 * 60_000 })
    expect(vendor.asked).toHaveLength(asked)
  })

  test('a whole feed that was read by command is not read again', async () => {
    const { vendor, circle } = aTown()
    const one = aProcess(open(), vendor)
    await one.catalogue.syncFeed(vendor, {}, CONTEXT)
    await one.finish()
    expect(vendor.asked).toHaveLength(1)
    expect(one.idsIn(circle)).toHaveLength(NAMES.length)
    expect(await status(one)).toMatchObject({ fullAt: one.clock.now() })
  })

  test.each([1, 2, 3, 4, 5])(
    'a process that dies at write %i of its progress leaves no area unread for good',
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
      clock.turn(11 * 60_000)
      const second = aProcess(open(), vendor, clock)
      await second.finish()
      const { candidates, visits } = await second.catalogue.around(circle, 100, CONTEXT)
      expect(candidates).toHaveLength(NAMES.length)
      expect(visits).toEqual([{ vendorId: vendor.id, status: 'known' }])
    },
  )

  test('a feed that was left alone for weeks begins again', async () => {
    const { vendor } = aTown()
    const one = aProcess(open(), vendor)
    vendor.mode = 'breaks'
    await expect(one.catalogue.syncFeed(vendor, {}, CONTEXT)).rejects.toThrow(vendor.id)
    vendor.mode = 'well'
    one.clock.turn(8 * DAY_MS)
    expect(await one.catalogue.syncFeed(vendor, {}, CONTEXT)).toMatchObject({
      properties: NAMES.length,
      isResumed: false,
    })
  })

  test('a feed that is far too short drops nothing, however long the remarks take that are read after it', async () => {
    const { vendor, circle, change } = aTown()
    const remarkPages = 10
    Object.assign(vendor, {
      async *remarks({ cursor = '0' }: { cursor?: string }) {
        for (let page = Number(cursor) + 1; page <= remarkPages; page += 1)
          yield { remarks: [], cursor: page < remarkPages ? String(page) : undefined }
      },
    })
    const one = aProcess(open(), vendor)
    await one.finish()
    expect(vendor.pages).toBe(3)
    change((properties) => properties.slice(0, 2))
    one.clock.turn(31 * DAY_MS)
    await one.finish()
    expect(vendor.pages).toBe(4)
    expect(one.idsIn(circle)).toHaveLength(NAMES.length)
    expect(await status(one)).toMatchObject({ dropped: 0, fullAt: one.clock.now(), feed: undefined })
  })

  test('a property under a new code keeps its id, whether the old code goes before or after', async () => {
    const { vendor, circle, change } = aTown()
    const one = aProcess(open(), vendor)
    await one.finish()
    const before = one.idsIn(circle)
    const recoded = (property: VendorProperty) => ({
      ...property,
      vendorPropertyId: `new-${property.vendorPropertyId}`,
    })
    const passMonth = async () => {
      one.clock.turn(31 * DAY_MS)
      await one.finish()
    }
    // In one feed: the old code is gone and the new one is there.
    change(([first, ...rest]) => [...(first === undefined ? [] : [recoded(first)]), ...rest])
    await passMonth()
    expect(one.idsIn(circle)).toEqual(before)
    await passMonth()
    expect(one.idsIn(circle)).toEqual(before)
    // Gone for a while, then back under a new code.
    let gone: VendorProperty | undefined
    change(([first, second, ...rest]) => {
      gone = second
      return [...(first === undefined ? [] : [first]), ...rest]
    })
    await passMonth()
    change((properties) => [...properties, ...(gone === undefined ? [] : [recoded(gone)])])
    await passMonth()
    expect(one.idsIn(circle)).toContain(before[1])
    expect(one.idsIn(circle)).toHaveLength(NAMES.length)
  })

  test('a vendor that fails is left alone for a while, and the failure can be seen', async () => {
    const { vendor, circle } = aTown()
    vendor.mode = 'down'
    const one = aProcess(open(), vendor)
    await one.finish()
    await one.finish()
    expect(vendor.asked).toHaveLength(1)
    expect((await status(one))?.failure).toContain(vendor.id)
    vendor.mode = 'well'
    one.clock.turn(11 * 60_000)
    await one.finish()
    expect(one.idsIn(circle)).toHaveLength(NAMES.length)
    expect((await status(one))?.failure).toBeUndefined()
  })

  test('an error of ours is seen too and not repeated at once; the round ends when all vendors have', async () => {
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
      expect.stringContaining('unexpected'),
      undefined,
    ])
    Object.assign(vendor, { content })
    clock.turn(11 * 60_000)
    await catalogue.keepContent()
    expect((await catalogue.contentStatus())[0]).toMatchObject({ failure: undefined, properties: 3 })
  })

  test('a process that closes while a vendor answers records no failure', async () => {
    const { vendor } = aTown()
    vendor.mode = 'hangs'
    const one = aProcess(open(), vendor)
    const slice = one.catalogue.keepContent()
    await expect.poll(() => vendor.asked.length).toBe(1)
    await one.catalogue.stop()
    await slice
    expect(await status(one)).toMatchObject({ failure: undefined })
  })

  test('a feed of changes that a later feed has overtaken is not told as being read', async () => {
    const { vendor } = aTown()
    const one = aProcess(open(), vendor)
    vendor.mode = 'breaks'
    await expect(one.catalogue.syncFeed(vendor, { since: '2020-01-01' }, CONTEXT)).rejects.toThrow(vendor.id)
    expect((await status(one))?.feed).toMatchObject({ since: '2020-01-01' })
    vendor.mode = 'well'
    one.clock.turn(1_000)
    await one.finish()
    expect((await status(one))?.feed).toBeUndefined()
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

  test('rooms that the vendor tells nothing usable of are asked for once, by the job and by who looks at the property', async () => {
    const { vendor, circle } = aTown()
    const { content } = vendor
    Object.assign(vendor, {
      async *content(...asked: Parameters<typeof content>) {
        for await (const page of content(...asked)) {
          const nowhere = page.properties.map((property) => ({ ...property, location: { lat: 0, lon: 0 } }))
          yield asked[0].kind === 'ids' ? { ...page, properties: nowhere } : page
        }
      },
    })
    const catalogue = readingAhead(vendor, circle)
    for (let rounds = 0; rounds < 5; rounds += 1) await catalogue.keepContent()
    const [first] = (await catalogue.around(circle, 100, CONTEXT)).candidates
    expect((await catalogue.propertyContent(first?.propertyId ?? ''))?.merged.rooms).toEqual([])
    expect(vendor.asked.map(({ kind }) => kind)).toEqual(['area', 'ids'])
  })

  test('right after the start no area is read ahead: who starts a service often searches at once', async () => {
    const { vendor, circle } = aTown()
    const catalogue = readingAhead(vendor, circle, 600_000)
    expect(await catalogue.keepContent()).toBe(0)
    expect(vendor.asked).toEqual([])
  })

  test('why an area could not be read is told', async () => {
    const { vendor, circle } = aTown()
    vendor.mode = 'down'
    const catalogue = readingAhead(vendor, circle)
    await catalogue.keepContent()
    expect((await catalogue.contentStatus())[0]?.failure).toBe(`${vendor.id}: unavailable`)
  })

  test('areas that are read ahead are known to the first search, and their rooms are read afterwards', async () => {
    const { vendor, circle } = aTown()
    const catalogue = readingAhead(vendor, circle)
    expect(await catalogue.keepContent()).toBe(1)
    const { visits, candidates } = await catalogue.around(circle, 100, CONTEXT)
    expect([visits[0]?.status, candidates.length]).toEqual(['known', NAMES.length])
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(NAMES.length)
    const [first, second] = candidates.map(({ propertyId }) => propertyId)
    // Somebody who looks at a property before that does not have to wait for the others.
    expect((await catalogue.propertyContent(first ?? ''))?.merged.rooms).toEqual([aRoom])
    while ((await catalogue.keepContent()) > 0);
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(0)
    expect((await catalogue.propertyContent(second ?? ''))?.merged.rooms).toEqual([aRoom])
    // Reading the area once more leaves the rooms as they are.
    await catalogue.around({ ...circle, radiusKm: 11 }, 100, CONTEXT)
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(0)
  })

  test('areas are read again after some days, and what was read in full before is read in full again', async () => {
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
      all.map((one) => ({
        ...one,
        description: 'Rebuilt.',
        rooms: one.rooms.map((room) => ({ ...room, name: 'Suite' })),
      })),
    )
    clock.turn(6 * DAY_MS)
    await finish()
    expect(await shown(propertyId)).toEqual(before)
    clock.turn(2 * DAY_MS)
    // It begins again with the first area; the list alone changes nothing of what is known in full.
    await catalogue.keepContent()
    await catalogue.keepContent()
    expect(await shown(propertyId)).toEqual(before)
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(NAMES.length)
    await finish()
    expect(await shown(propertyId)).toEqual(['Rebuilt.', ['Suite']])
    expect((await catalogue.contentStatus())[0]?.withoutRooms).toBe(0)
  })

  test('what is to be read again counts as read once a feed has brought it, changed or not', async () => {
    const { vendor, circle } = aTown()
    const clock = manualClock()
    const catalogue = readingAhead(vendor, circle, 0, clock)
    const withoutRooms = async () => (await catalogue.contentStatus())[0]?.withoutRooms
    for (let rounds = 0; rounds < 30 && (await catalogue.keepContent()) > 0; rounds += 1);
    clock.turn(8 * DAY_MS)
    await catalogue.keepContent()
    await catalogue.keepContent()
    expect(await withoutRooms()).toBe(NAMES.length)
    await catalogue.syncFeed(vendor, {}, CONTEXT)
    expect(await withoutRooms()).toBe(0)
  })
})
