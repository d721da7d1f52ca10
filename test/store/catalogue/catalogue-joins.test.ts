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

/** Two buildings: alpha and beta sell one, gamma the other. Every test has its own vendors. */
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
  const createRecord = (name: string, meters: number, vendor: string, id = '1'): VendorProperty =>
    aVendorProperty({
      vendorId: `${vendor}_${tests}`,
      vendorPropertyId: id,
      name,
      location: north(center, meters),
      phone: '',
      chain: '',
      address: NO_ADDRESS,
    })
  const alpha = createRecord('Hotel Bellevue', 0, 'alpha')
  const beta = createRecord('Bellevue Hotel', 20, 'beta')
  const gamma = createRecord('Zum Wilden Mann', 60, 'gamma')
  for (const property of [alpha, beta, gamma]) await catalogue.ingest([property])
  const findId = async ({ vendorId, vendorPropertyId }: VendorProperty) =>
    (await store.synced(vendorId, [vendorPropertyId]))[0]?.property_id ?? ''
  /** Drops all records of the vendor except `shown`; it does not know the others by code either. */
  const dropAll = async (vendorId: string, shown: readonly string[] = []) => {
    clock.advance(1_000)
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
    findId,
    parts: { alpha, beta, gamma },
    joinedId: await findId(alpha),
    keptId: await findId(gamma),
    recoded: (property: VendorProperty, code = '2'): VendorProperty => ({ ...property, vendorPropertyId: code }),
    dropAll,
    async drop({ vendorId }: VendorProperty) {
      expect(await dropAll(vendorId)).toEqual({ dropped: 1, isDone: true })
    },
    async judgeAll() {
      await catalogue.rejudgeAgain()
      for (let slices = 0; slices < 100; slices += 1) if ((await catalogue.rejudge())?.isDone !== false) return
    },
    /** Restores the state of an earlier version, whose joins did not move dropped records. */
    leaveBehind: ({ vendorId, vendorPropertyId }: VendorProperty, propertyId: string) =>
      store.write((writer) => writer.moveVendorProperty({ vendorId, vendorPropertyId }, propertyId)),
  }
}

onBothDatabases('a join of properties', (open) => {
  test('a dropped record that comes back belongs to the joined property', async () => {
    const { catalogue, findId, parts, joinedId, keptId, drop } = await setUp(open())
    expect(await findId(parts.beta)).toBe(joinedId)
    await drop(parts.beta)
    expect(await catalogue.join(keptId, joinedId)).toMatchObject({ ok: true })
    expect(await findId(parts.beta)).toBe(keptId)

    await catalogue.ingest([parts.beta])
    expect(await findId(parts.beta)).toBe(keptId)
    for (const id of [keptId, joinedId])
      expect(await catalogue.property(id)).toMatchObject({ propertyId: keptId, vendors: [{}, {}, {}] })
    const links = (await catalogue.explain(keptId))?.links ?? []
    expect(links.map(({ ref, decidedBy }) => [ref.vendorId, decidedBy]).sort()).toEqual([
      [parts.alpha.vendorId, 'operator'],
      [parts.beta.vendorId, 'operator'],
      [parts.gamma.vendorId, 'founder'],
    ])
  })

  test.each(['under its code', 'under a new code'])(
    'a dropped record left behind by an earlier version follows several joins when it comes back %s',
    async (code) => {
      const { catalogue, findId, parts, joinedId, keptId, drop, leaveBehind, recoded } = await setUp(open())
      await drop(parts.beta)
      expect(await catalogue.join(keptId, joinedId)).toMatchObject({ ok: true })
      const split = await catalogue.split(keptId, parts.alpha)
      if (!split.ok) throw new Error(split.why)
      expect(await catalogue.join(split.propertyId, keptId)).toMatchObject({ ok: true })
      await leaveBehind(parts.beta, joinedId)

      const back = code === 'under its code' ? parts.beta : recoded(parts.beta)
      await catalogue.ingest([back])
      expect(await findId(back)).toBe(split.propertyId)
      for (const id of [keptId, joinedId, split.propertyId])
        expect(await catalogue.property(id)).toMatchObject({ propertyId: split.propertyId, vendors: [{}, {}, {}] })
    },
  )

  test.each(['join', 'keepSeparate'] as const)('%s also applies to dropped records', async (decide) => {
    const { catalogue, parts, joinedId, keptId, drop, database } = await setUp(open())
    await drop(parts.beta)
    expect(await catalogue[decide](keptId, joinedId)).toMatchObject({ ok: true })
    const pins = await createCatalogueStore(database).pins([`${parts.beta.vendorId}:1`])
    const kind = decide === 'join' ? 'join' : 'split'
    expect(pins).toMatchObject([{ a: `${parts.beta.vendorId}:1`, b: `${parts.gamma.vendorId}:1`, kind }])
  })

  test('two properties that no vendor sells can be joined, and the join holds when one is sold again', async () => {
    const { catalogue, parts, joinedId, keptId, drop } = await setUp(open())
    for (const part of Object.values(parts)) await drop(part)
    expect(await catalogue.join(keptId, joinedId)).toMatchObject({ ok: true })
    expect(await catalogue.property(joinedId)).toMatchObject({ propertyId: keptId, vendors: [] })
    await catalogue.ingest([parts.beta])
    for (const id of [keptId, joinedId])
      expect(await catalogue.property(id)).toMatchObject({ propertyId: keptId, vendors: [{}] })
  })
})

onBothDatabases('a second entry of a vendor for one property', (open) => {
  /** Beta has a second entry for the building that alpha and beta sell. */
  async function withSecond(database: Database) {
    const all = await setUp(database)
    const second = all.recoded(all.parts.beta)
    await all.catalogue.ingest([second])
    const twin = { vendor_id: second.vendorId, vendor_property_id: '2', property_id: all.joinedId, found_at: 0 }
    const store = createCatalogueStore(database)
    await store.write((writer) => writer.putTwins([twin]))
    return {
      ...all,
      second,
      twins: async () => (await all.catalogue.twins(1_000)).filter((row) => row.vendor_id === second.vendorId),
      /** Drops the first entry, which its vendor no longer shows. */
      dropFirst: () => all.dropAll(second.vendorId, ['2']),
    }
  }

  test('a vendor’s second entry replaces a dropped first one under the same property id, even after a join', async () => {
    for (const isJoined of [false, true]) {
      const { catalogue, findId, second, joinedId, keptId, twins, dropFirst } = await withSecond(open())
      if (isJoined) await catalogue.join(keptId, joinedId)
      const current = isJoined ? keptId : joinedId
      expect(await twins()).toMatchObject([{ property_id: current }])
      await dropFirst()
      expect(await findId(second)).toBe(current)
      expect(await twins()).toEqual([])
    }
  })

  test('a second entry is no longer reported when an operator joins the two', async () => {
    const { catalogue, findId, second, joinedId, twins } = await withSecond(open())
    expect(await catalogue.join(joinedId, await findId(second))).toMatchObject({ ok: true })
    expect(await twins()).toEqual([])
  })

  test('a second entry stays separate if an operator keeps the two separate', async () => {
    const { catalogue, findId, second, joinedId, dropFirst } = await withSecond(open())
    const own = await findId(second)
    expect(await catalogue.keepSeparate(joinedId, own)).toMatchObject({ ok: true })
    await dropFirst()
    expect(await findId(second)).toBe(own)
  })
})

onBothDatabases('a property under a new code', (open) => {
  test('a property keeps its id and other vendors if its new code appears before the old one is gone', async () => {
    const { catalogue, findId, parts, joinedId, recoded, dropAll } = await setUp(open())
    const renewed = recoded(parts.beta)
    await catalogue.ingest([renewed])
    const own = await findId(renewed)
    expect(own).not.toBe(joinedId)
    await dropAll(renewed.vendorId, ['2'])
    expect(await findId(renewed)).toBe(joinedId)
    for (const id of [joinedId, own])
      expect(await catalogue.property(id)).toMatchObject({
        propertyId: joinedId,
        vendors: [{}, { vendorPropertyId: '2' }],
      })
  })

  test('a new code is not matched if the vendor has several entries of that name', async () => {
    const { catalogue, findId, parts, recoded, dropAll } = await setUp(open())
    const flats = [recoded(parts.beta), recoded(parts.beta, '3')]
    for (const flat of flats) await catalogue.ingest([flat])
    const before = await Promise.all(flats.map(findId))
    await dropAll(parts.beta.vendorId, ['2', '3'])
    expect(await Promise.all(flats.map(findId))).toEqual(before)
  })

  test('the id with more vendors is kept, and the property of the dropped code redirects to it', async () => {
    const { catalogue, findId, parts, joinedId, recoded, dropAll } = await setUp(open())
    const second = recoded(parts.beta)
    await catalogue.ingest([second])
    const own = await findId(second)
    await dropAll(second.vendorId, ['1'])
    for (const id of [joinedId, own])
      expect(await catalogue.property(id)).toMatchObject({
        propertyId: joinedId,
        vendors: [{}, { vendorPropertyId: '1' }],
      })
  })

  test.each(['before the old one is gone', 'after the old one is gone'])(
    'a property under a new code stays split by an operator if it appears %s, even after rejudging',
    async (when) => {
      const { catalogue, findId, parts, joinedId, recoded, drop, dropAll, judgeAll } = await setUp(open())
      const split = await catalogue.split(joinedId, parts.beta)
      if (!split.ok) throw new Error(split.why)
      const renewed = recoded(parts.beta)
      if (when === 'after the old one is gone') await drop(parts.beta)
      await catalogue.ingest([renewed])
      await dropAll(renewed.vendorId, ['2'])
      expect(await findId(renewed)).toBe(split.propertyId)
      await judgeAll()
      expect(await findId(renewed)).toBe(split.propertyId)
      expect(await findId(parts.alpha)).toBe(joinedId)
    },
  )

  test('a property under a new code stays joined by an operator', async () => {
    const { catalogue, findId, parts, keptId, recoded, dropAll, judgeAll } = await setUp(open())
    expect(await catalogue.join(await findId(parts.alpha), keptId)).toMatchObject({ ok: true })
    const joined = await findId(parts.alpha)
    const renewed = recoded(parts.gamma)
    await catalogue.ingest([renewed])
    await dropAll(renewed.vendorId, ['2'])
    await judgeAll()
    expect(await findId(renewed)).toBe(joined)
  })

  test('a new code joins a property with another entry of its vendor only if an operator joined the two', async () => {
    const { catalogue, findId, parts, joinedId, recoded, dropAll } = await setUp(open())
    const second = { ...recoded(parts.beta), name: 'Zur Alten Post' }
    await catalogue.ingest([second])
    await catalogue.join(joinedId, await findId(second))
    await dropAll(second.vendorId, ['2'])
    await catalogue.ingest([recoded(parts.beta, '3')])
    expect(await findId(recoded(parts.beta, '3'))).toBe(joinedId)
    expect((await catalogue.property(joinedId))?.vendors).toHaveLength(3)
  })

  test('after a change of code, neither a further code of that name nor the old one joins the property', async () => {
    const { catalogue, findId, parts, joinedId, recoded, drop } = await setUp(open())
    await drop(parts.beta)
    const codes = [recoded(parts.beta), recoded(parts.beta, '3'), parts.beta]
    for (const record of codes) await catalogue.ingest([record])
    const ids = await Promise.all(codes.map(findId))
    expect(ids[0]).toBe(joinedId)
    expect(new Set(ids).size).toBe(3)
    expect((await catalogue.property(joinedId))?.vendors).toHaveLength(2)
  })
})

onBothDatabases('two properties that an operator keeps separate', (open) => {
  test('properties kept separate by an operator are not joined while the decided record is dropped', async () => {
    const { catalogue, findId, parts, joinedId, recoded, drop, judgeAll } = await setUp(open())
    const split = await catalogue.split(joinedId, parts.beta)
    if (!split.ok) throw new Error(split.why)
    // Another vendor's record, which looks like alpha's, belongs to the property of the dropped one.
    const delta = { ...recoded(parts.beta, '1'), vendorId: parts.beta.vendorId.replace('beta', 'delta') }
    await catalogue.ingest([{ ...delta, name: 'Zur Alten Post' }])
    await catalogue.join(split.propertyId, await findId(delta))
    await catalogue.ingest([delta])
    await drop(parts.beta)
    await judgeAll()
    expect([await findId(delta), await findId(parts.alpha)]).toEqual([split.propertyId, joinedId])
  })

  test('a split also keeps a record separate from records that are dropped at the time', async () => {
    const { catalogue, parts, joinedId, keptId, drop, database } = await setUp(open())
    await catalogue.join(joinedId, keptId)
    await drop(parts.beta)
    expect(await catalogue.split(joinedId, parts.gamma)).toMatchObject({ ok: true })
    const pins = await createCatalogueStore(database).pins([`${parts.beta.vendorId}:1`])
    expect(pins).toMatchObject([{ b: `${parts.gamma.vendorId}:1`, kind: 'split' }])
  })
})
