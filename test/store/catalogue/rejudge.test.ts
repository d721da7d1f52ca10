import { expect, test } from 'vitest'
import { MATCH_RULES } from '../../../src/catalogue/matching/match-properties.ts'
import { createCatalogueStore } from '../../../src/catalogue/store/catalogue.ts'
import { createMatchProgressStore } from '../../../src/catalogue/store/match-progress.ts'
import { createCatalogueStores } from '../../../src/catalogue/store/stores.ts'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import type { Database } from '../../../src/store/database.ts'
import { openCatalogue } from '../../support/store/catalogue.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'
import { aVendorProperty, north } from '../../unit/catalogue/a-vendor-property.ts'

const NO_ADDRESS = { line1: '', line2: '', city: 'Anytown', region: '', postalCode: '', countryCode: 'FR' }
let places = 0
/** A place that no other test uses. */
const somewhere = () => ({ lat: 10 + (places++ % 20), lon: 100 })

function setUp(database: Database, clock = manualClock()) {
  const open = () =>
    openCatalogue({
      ...createCatalogueStores(database),
      vendors: [],
      clock,
      onBug: (error) => expect(error).toBeUndefined(),
    })
  const catalogue = open()
  const center = somewhere()
  const createRecord = (vendorId: string, name: string, more: Partial<VendorProperty> = {}) =>
    aVendorProperty({
      vendorId,
      vendorPropertyId: `${center.lat}`,
      name,
      location: north(center, vendorId === 'alpha' ? 0 : 30),
      phone: '',
      chain: '',
      address: NO_ADDRESS,
      ...more,
    })
  const findId = async (vendorId: string) => {
    const rows = await createCatalogueStore(database).synced(vendorId, [`${center.lat}`])
    return rows[0]?.property_id ?? ''
  }
  const judgeAll = async () => {
    await catalogue.rejudgeAgain()
    for (;;) {
      const progress = await catalogue.rejudge()
      if (progress === undefined || progress.isDone) return progress
    }
  }
  return { catalogue, open, createRecord, findId, judgeAll, clock }
}

/** A name that no rule matches. A record keeps its id when its vendor corrects the name later. */
const UNRELATED = 'Zum Wilden Mann'

onBothDatabases('judging links again', (open) => {
  test('rejudging joins properties that match by the current rules, and the replaced id redirects', async () => {
    const { catalogue, createRecord, findId, judgeAll } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([createRecord('beta', UNRELATED)])
    await catalogue.ingest([createRecord('beta', 'HOTEL BELLEVUE')])
    const before = [await findId('alpha'), await findId('beta')]
    expect(new Set(before).size).toBe(2)

    expect(await judgeAll()).toMatchObject({ isDone: true })
    const after = await findId('alpha')
    expect(await findId('beta')).toBe(after)
    for (const id of before) {
      expect(await catalogue.property(id)).toMatchObject({ propertyId: after, vendors: [{}, {}] })
      expect((await catalogue.propertyContent(id))?.contents).toHaveLength(2)
      expect((await catalogue.summaries([id])).get(id)).toBeDefined()
    }
    expect((await catalogue.explain(after))?.links.map(({ decidedBy }) => decidedBy).sort()).toEqual([
      'auto',
      'founder',
    ])
    expect(await catalogue.rejudge()).toBeUndefined()
  })

  test('rejudging splits off a record that is clearly another property, and the others keep their id', async () => {
    const { catalogue, createRecord, findId, judgeAll } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([createRecord('beta', 'Bellevue Hotel')])
    const id = await findId('alpha')
    expect(await findId('beta')).toBe(id)
    await catalogue.ingest([createRecord('beta', UNRELATED)])
    await judgeAll()
    expect(await findId('alpha')).toBe(id)
    expect(await findId('beta')).not.toBe(id)
    expect((await catalogue.property(id))?.vendors).toHaveLength(1)
  })

  test('rejudging splits off the founding record of a property if it clearly differs from all the others', async () => {
    const { catalogue, createRecord, findId, judgeAll } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([createRecord('beta', 'Bellevue Hotel')])
    await catalogue.ingest([createRecord('gamma', 'Hotel Bellevue')])
    const id = await findId('alpha')
    await catalogue.ingest([createRecord('alpha', UNRELATED)])
    await judgeAll()
    expect([await findId('beta'), await findId('gamma')]).toEqual([id, id])
    expect(await findId('alpha')).not.toBe(id)
    expect(await catalogue.propertyContent(id)).toMatchObject({ merged: { name: 'Bellevue Hotel' } })
  })

  test('rejudging does not split off a record that an operator confirms meanwhile', async () => {
    const database = open()
    const { catalogue, createRecord, findId } = setUp(database)
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([createRecord('beta', 'Bellevue Hotel')])
    await catalogue.ingest([createRecord('beta', UNRELATED)])
    const id = await findId('alpha')
    const { store, ...stores } = createCatalogueStores(database)
    const ref = { vendorId: 'beta', vendorPropertyId: createRecord('beta', '').vendorPropertyId }
    const confirmFirst: typeof store.write = async (work) => {
      expect(await catalogue.confirm(id, ref)).toMatchObject({ ok: true })
      return store.write(work)
    }
    const judge = openCatalogue({
      ...stores,
      store: { ...store, write: confirmFirst },
      vendors: [],
      clock: manualClock(),
      onBug: (error) => expect(error).toBeUndefined(),
    })
    await judge.rejudgeAgain()
    while ((await judge.rejudge())?.isDone === false);
    expect(await findId('beta')).toBe(id)
  })

  test('rejudging does not change an operator’s decisions', async () => {
    const joined = setUp(open())
    await joined.catalogue.ingest([joined.createRecord('alpha', 'Hotel Bellevue')])
    await joined.catalogue.ingest([joined.createRecord('beta', UNRELATED)])
    await joined.catalogue.join(await joined.findId('alpha'), await joined.findId('beta'))
    const split = setUp(open())
    await split.catalogue.ingest([split.createRecord('alpha', 'Hotel Astoria')])
    await split.catalogue.ingest([split.createRecord('beta', 'Hotel Astoria')])
    const ref = { vendorId: 'beta', vendorPropertyId: split.createRecord('beta', '').vendorPropertyId }
    await split.catalogue.split(await split.findId('alpha'), ref)

    await joined.judgeAll()
    expect(await joined.findId('beta')).toBe(await joined.findId('alpha'))
    expect(await split.findId('beta')).not.toBe(await split.findId('alpha'))
  })

  test('a record that an operator confirmed stays joined, even if its vendor renames it', async () => {
    const { catalogue, createRecord, findId, judgeAll } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([createRecord('beta', 'Bellevue Hotel')])
    const id = await findId('alpha')
    const ref = { vendorId: 'beta', vendorPropertyId: createRecord('beta', '').vendorPropertyId }
    const before = (await catalogue.explain(id))?.links.find(({ decidedBy }) => decidedBy === 'auto')
    expect(await catalogue.confirm(id, ref, { by: 'acc_1', reason: 'same building' })).toEqual({
      ok: true,
      propertyId: id,
    })
    const link = (await catalogue.explain(id))?.links.find(({ decidedBy }) => decidedBy === 'operator')
    expect(link).toEqual({ ...before, decidedBy: 'operator' })

    await catalogue.ingest([createRecord('beta', UNRELATED)])
    await judgeAll()
    expect([await findId('alpha'), await findId('beta')]).toEqual([id, id])
    expect(await catalogue.confirm(id, { ...ref, vendorId: 'gamma' })).toMatchObject({ ok: false })
  })

  test('one process rejudges at a time, and another takes over when its lease has expired', async () => {
    const { catalogue, open: openAnother, createRecord, findId, clock } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Savoy')])
    await catalogue.ingest([createRecord('beta', UNRELATED)])
    await catalogue.ingest([createRecord('beta', 'Savoy')])
    await catalogue.rejudgeAgain()
    const progress = createMatchProgressStore(open())
    const claimed = await progress.claim(MATCH_RULES, clock.now(), 60_000)
    if (claimed === undefined) return expect.fail('not claimed')
    expect(claimed.row.after_cell).toBe(-1)

    const another = openAnother()
    expect(await another.rejudge()).toBeUndefined()
    expect(await findId('beta')).not.toBe(await findId('alpha'))
    clock.advance(61_000)
    while (!(await another.rejudge())?.isDone) {}
    expect(await findId('beta')).toBe(await findId('alpha'))
    const late = { ...claimed, row: { ...claimed.row, after_cell: 5 } }
    expect(await progress.save(late, clock.now())).toBe(false)
  })

  test('rejudging reports a second entry of a vendor for one property', async () => {
    const { catalogue, createRecord } = setUp(open())
    const again = `${createRecord('beta', '').vendorPropertyId}-again`
    await catalogue.ingest([createRecord('alpha', 'Hotel Belvoir')])
    await catalogue.ingest([
      createRecord('beta', 'Hotel Belvoir'),
      createRecord('beta', 'Hotel Belvoir', { vendorPropertyId: again }),
    ])
    const twins = await catalogue.twins(100)
    expect(twins.map(({ vendor_property_id: id }) => id.replace('-again', ''))).toContain(
      createRecord('beta', '').vendorPropertyId,
    )
  })
})
