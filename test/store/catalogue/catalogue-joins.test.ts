import { expect, test } from 'vitest'
import { createCatalogueStore } from '../../../src/catalogue/store/catalogue.ts'
import { createCatalogueStores } from '../../../src/catalogue/store/stores.ts'
import { createDropMissing } from '../../../src/catalogue/sync/drop-properties.ts'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import type { Database } from '../../../src/store/database.ts'
import { openCatalogue } from '../../support/store/catalogue.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'
import { aVendorProperty, north } from '../../unit/catalogue/a-vendor-property.ts'
import { aContentVendor } from './catalogue-vendor.ts'

const NO_ADDRESS = { line1: '', line2: '', city: 'Anytown', region: '', postalCode: '', countryCode: 'FR' }
const CONTEXT = { signal: new AbortController().signal, requestId: 'test' }
let tests = 0

/** Two buildings: one that alpha and beta sell, and one that only gamma sells. Every test has vendors of its own. */
async function setUp(database: Database) {
  tests += 1
  const center = { lat: -40 + tests, lon: 60 }
  const store = createCatalogueStore(database)
  const clock = manualClock()
  const catalogue = openCatalogue({
    ...createCatalogueStores(database),
    vendors: [],
    clock,
    onBug: (error) => expect(error).toBeUndefined(),
  })
  const one = (name: string, meters: number, vendor: string, id = '1'): VendorProperty =>
    aVendorProperty({
      vendorId: `${vendor}_${tests}`,
      vendorPropertyId: id,
      name,
      location: north(center, meters),
      phone: '',
      chain: '',
      address: NO_ADDRESS,
    })
  const alpha = one('Hotel Bellevue', 0, 'alpha')
  const beta = one('Bellevue Hotel', 20, 'beta')
  const gamma = one('Zum Wilden Mann', 60, 'gamma')
  for (const property of [alpha, beta, gamma]) await catalogue.ingest([property])
  const idOf = async ({ vendorId, vendorPropertyId }: VendorProperty) =>
    (await store.synced(vendorId, [vendorPropertyId]))[0]?.property_id ?? ''
  /** Drops what the vendor has not shown for a second, except `shown`; it knows nothing of it by code either. */
  const dropAll = async (vendorId: string, shown: readonly string[] = []) => {
    clock.turn(1_000)
    await store.write((writer) => writer.touch(vendorId, shown, clock.now()))
    const dropMissing = createDropMissing({ store, clock, ingest: catalogue.ingest })
    return dropMissing(
      aContentVendor(vendorId, () => []),
      clock.now(),
      CONTEXT,
      async () => true,
    )
  }
  return {
    catalogue,
    clock,
    database,
    idOf,
    parts: { alpha, beta, gamma },
    going: await idOf(alpha),
    kept: await idOf(gamma),
    recoded: (property: VendorProperty, code = '2'): VendorProperty => ({ ...property, vendorPropertyId: code }),
    dropAll,
    async drop({ vendorId }: VendorProperty) {
      expect(await dropAll(vendorId)).toEqual({ dropped: 1, isDone: true })
    },
    async judgeAll() {
      await catalogue.rejudgeAgain()
      for (let slices = 0; slices < 100; slices += 1) if ((await catalogue.rejudge())?.isDone !== false) return
    },
    /** Puts a record back to where it was before joins took dropped records along. */
    leaveBehind: ({ vendorId, vendorPropertyId }: VendorProperty, propertyId: string) =>
      store.write((writer) => writer.moveVendorProperty({ vendorId, vendorPropertyId }, propertyId)),
  }
}

onBothDatabases('a join of properties', (open) => {
  test('holds when a record comes back that its vendor had dropped before: it belongs to the joined property', async () => {
    const { catalogue, idOf, parts, going, kept, drop } = await setUp(open())
    expect(await idOf(parts.beta)).toBe(going)
    await drop(parts.beta)
    expect(await catalogue.join(kept, going)).toMatchObject({ ok: true })
    expect(await idOf(parts.beta)).toBe(kept)

    await catalogue.ingest([parts.beta])
    expect(await idOf(parts.beta)).toBe(kept)
    for (const id of [kept, going])
      expect(await catalogue.property(id)).toMatchObject({ propertyId: kept, vendors: [{}, {}, {}] })
    const links = (await catalogue.explain(kept))?.links ?? []
    expect(links.map(({ ref, decidedBy }) => [ref.vendorId, decidedBy]).sort()).toEqual([
      [parts.alpha.vendorId, 'operator'],
      [parts.beta.vendorId, 'operator'],
      [parts.gamma.vendorId, 'founder'],
    ])
  })

  test.each(['under its code', 'under a new code'])(
    'holds when a dropped record that was left behind by an earlier version comes back %s, over several joins',
    async (how) => {
      const { catalogue, idOf, parts, going, kept, drop, leaveBehind, recoded } = await setUp(open())
      await drop(parts.beta)
      expect(await catalogue.join(kept, going)).toMatchObject({ ok: true })
      const split = await catalogue.split(kept, parts.alpha)
      if (!split.ok) throw new Error(split.why)
      expect(await catalogue.join(split.propertyId, kept)).toMatchObject({ ok: true })
      await leaveBehind(parts.beta, going)

      const back = how === 'under its code' ? parts.beta : recoded(parts.beta)
      await catalogue.ingest([back])
      expect(await idOf(back)).toBe(split.propertyId)
      for (const id of [kept, going, split.propertyId])
        expect(await catalogue.property(id)).toMatchObject({ propertyId: split.propertyId, vendors: [{}, {}, {}] })
    },
  )

  test.each(['join', 'keepSeparate'] as const)('%s decides on dropped records too', async (decide) => {
    const { catalogue, parts, going, kept, drop, database } = await setUp(open())
    await drop(parts.beta)
    expect(await catalogue[decide](kept, going)).toMatchObject({ ok: true })
    const pins = await createCatalogueStore(database).pins([`${parts.beta.vendorId}:1`])
    const kind = decide === 'join' ? 'join' : 'split'
    expect(pins).toMatchObject([{ a: `${parts.beta.vendorId}:1`, b: `${parts.gamma.vendorId}:1`, kind }])
  })

  test('of two that no vendor sells at present is made too, and holds when one is sold again', async () => {
    const { catalogue, parts, going, kept, drop } = await setUp(open())
    for (const part of Object.values(parts)) await drop(part)
    expect(await catalogue.join(kept, going)).toMatchObject({ ok: true })
    expect(await catalogue.property(going)).toMatchObject({ propertyId: kept, vendors: [] })
    await catalogue.ingest([parts.beta])
    for (const id of [kept, going])
      expect(await catalogue.property(id)).toMatchObject({ propertyId: kept, vendors: [{}] })
  })
})

onBothDatabases('a second entry of a vendor for one property', (open) => {
  /** Beta has a second entry for the building that alpha and beta sell. */
  async function withSecond(database: Database) {
    const all = await setUp(database)
    const second = all.recoded(all.parts.beta)
    await all.catalogue.ingest([second])
    const twin = { vendor_id: second.vendorId, vendor_property_id: '2', property_id: all.going, found_at: 0 }
    const store = createCatalogueStore(database)
    await store.write((writer) => writer.putTwins([twin]))
    return {
      ...all,
      second,
      twins: async () => (await all.catalogue.twins(1_000)).filter((row) => row.vendor_id === second.vendorId),
      /** The second entry takes the place of the first, which its vendor shows no longer. */
      dropFirst: () => all.dropAll(second.vendorId, ['2']),
    }
  }

  test('takes its place when the first goes, under the id of the property, also after that was joined with another', async () => {
    for (const isJoined of [false, true]) {
      const { catalogue, idOf, second, going, kept, twins, dropFirst } = await withSecond(open())
      if (isJoined) await catalogue.join(kept, going)
      const current = isJoined ? kept : going
      expect(await twins()).toMatchObject([{ property_id: current }])
      await dropFirst()
      expect(await idOf(second)).toBe(current)
      expect(await twins()).toEqual([])
    }
  })

  test('is one no longer when an operator joins the two', async () => {
    const { catalogue, idOf, second, going, twins } = await withSecond(open())
    expect(await catalogue.join(going, await idOf(second))).toMatchObject({ ok: true })
    expect(await twins()).toEqual([])
  })

  test('stays on its own where an operator keeps them separate', async () => {
    const { catalogue, idOf, second, going, dropFirst } = await withSecond(open())
    const own = await idOf(second)
    expect(await catalogue.keepSeparate(going, own)).toMatchObject({ ok: true })
    await dropFirst()
    expect(await idOf(second)).toBe(own)
  })
})

onBothDatabases('a property under a new code', (open) => {
  test('keeps its id and its other vendors where the new code is shown before the old one is gone', async () => {
    const { catalogue, idOf, parts, going, recoded, dropAll } = await setUp(open())
    const renewed = recoded(parts.beta)
    await catalogue.ingest([renewed])
    const own = await idOf(renewed)
    expect(own).not.toBe(going)
    await dropAll(renewed.vendorId, ['2'])
    expect(await idOf(renewed)).toBe(going)
    for (const id of [going, own])
      expect(await catalogue.property(id)).toMatchObject({
        propertyId: going,
        vendors: [{}, { vendorPropertyId: '2' }],
      })
  })

  test('is not looked for among several entries of that name', async () => {
    const { catalogue, idOf, parts, recoded, dropAll } = await setUp(open())
    const flats = [recoded(parts.beta), recoded(parts.beta, '3')]
    for (const flat of flats) await catalogue.ingest([flat])
    const before = await Promise.all(flats.map(idOf))
    await dropAll(parts.beta.vendorId, ['2', '3'])
    expect(await Promise.all(flats.map(idOf))).toEqual(before)
  })

  test('leaves an id that more vendors sell as it is: the property of the code that goes leads to it', async () => {
    const { catalogue, idOf, parts, going, recoded, dropAll } = await setUp(open())
    const second = recoded(parts.beta)
    await catalogue.ingest([second])
    const own = await idOf(second)
    await dropAll(second.vendorId, ['1'])
    for (const id of [going, own])
      expect(await catalogue.property(id)).toMatchObject({
        propertyId: going,
        vendors: [{}, { vendorPropertyId: '1' }],
      })
  })

  test.each(['before the old one is gone', 'after the old one is gone'])(
    'stays split from what an operator split it from, shown %s and judged again',
    async (when) => {
      const { catalogue, idOf, parts, going, recoded, drop, dropAll, judgeAll } = await setUp(open())
      const split = await catalogue.split(going, parts.beta)
      if (!split.ok) throw new Error(split.why)
      const renewed = recoded(parts.beta)
      if (when === 'after the old one is gone') await drop(parts.beta)
      await catalogue.ingest([renewed])
      await dropAll(renewed.vendorId, ['2'])
      expect(await idOf(renewed)).toBe(split.propertyId)
      await judgeAll()
      expect(await idOf(renewed)).toBe(split.propertyId)
      expect(await idOf(parts.alpha)).toBe(going)
    },
  )

  test('stays joined to what an operator joined it to', async () => {
    const { catalogue, idOf, parts, kept, recoded, dropAll, judgeAll } = await setUp(open())
    expect(await catalogue.join(await idOf(parts.alpha), kept)).toMatchObject({ ok: true })
    const joined = await idOf(parts.alpha)
    const renewed = recoded(parts.gamma)
    await catalogue.ingest([renewed])
    await dropAll(renewed.vendorId, ['2'])
    await judgeAll()
    expect(await idOf(renewed)).toBe(joined)
  })

  test('comes to a property that has another entry of its vendor only where an operator has joined the two', async () => {
    const { catalogue, idOf, parts, going, recoded, dropAll } = await setUp(open())
    const second = { ...recoded(parts.beta), name: 'Zur Alten Post' }
    await catalogue.ingest([second])
    await catalogue.join(going, await idOf(second))
    await dropAll(second.vendorId, ['2'])
    await catalogue.ingest([recoded(parts.beta, '3')])
    expect(await idOf(recoded(parts.beta, '3'))).toBe(going)
    expect((await catalogue.property(going))?.vendors).toHaveLength(3)
  })

  test('is one property only: neither a further code of that name nor the old one comes to it', async () => {
    const { catalogue, idOf, parts, going, recoded, drop } = await setUp(open())
    await drop(parts.beta)
    const codes = [recoded(parts.beta), recoded(parts.beta, '3'), parts.beta]
    for (const one of codes) await catalogue.ingest([one])
    const ids = await Promise.all(codes.map(idOf))
    expect(ids[0]).toBe(going)
    expect(new Set(ids).size).toBe(3)
    expect((await catalogue.property(going))?.vendors).toHaveLength(2)
  })
})

onBothDatabases('two properties that an operator keeps separate', (open) => {
  test('are not joined while the record that this was said of is dropped', async () => {
    const { catalogue, idOf, parts, going, recoded, drop, judgeAll } = await setUp(open())
    const split = await catalogue.split(going, parts.beta)
    if (!split.ok) throw new Error(split.why)
    // Another vendor's record, which looks like alpha's, is sold under the property of the one that goes.
    const delta = { ...recoded(parts.beta, '1'), vendorId: parts.beta.vendorId.replace('beta', 'delta') }
    await catalogue.ingest([{ ...delta, name: 'Zur Alten Post' }])
    await catalogue.join(split.propertyId, await idOf(delta))
    await catalogue.ingest([delta])
    await drop(parts.beta)
    await judgeAll()
    expect([await idOf(delta), await idOf(parts.alpha)]).toEqual([split.propertyId, going])
  })

  test('are so by a split too, also from records that are dropped at the time', async () => {
    const { catalogue, parts, going, kept, drop, database } = await setUp(open())
    await catalogue.join(going, kept)
    await drop(parts.beta)
    expect(await catalogue.split(going, parts.gamma)).toMatchObject({ ok: true })
    const pins = await createCatalogueStore(database).pins([`${parts.beta.vendorId}:1`])
    expect(pins).toMatchObject([{ b: `${parts.gamma.vendorId}:1`, kind: 'split' }])
  })
})
