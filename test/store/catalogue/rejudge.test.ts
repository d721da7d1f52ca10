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
/** A place that no other test has used. */
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
  const one = (vendorId: string, name: string, more: Partial<VendorProperty> = {}) =>
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
  const idOf = async (vendorId: string) => {
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
  return { catalogue, open, one, idOf, judgeAll, clock }
}

/** An entry that no rule can match, and that its vendor corrects later: then it has an id that it keeps. */
const UNRELATED = 'Zum Wilden Mann'

onBothDatabases('judging links again', (open) => {
  test('joins properties that the rules of today find to be one, and the id that goes leads to the one that stays', async () => {
    const { catalogue, one, idOf, judgeAll } = setUp(open())
    await catalogue.ingest([one('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([one('beta', UNRELATED)])
    await catalogue.ingest([one('beta', 'HOTEL BELLEVUE')])
    const before = [await idOf('alpha'), await idOf('beta')]
    expect(new Set(before).size).toBe(2)

    expect(await judgeAll()).toMatchObject({ isDone: true })
    const after = await idOf('alpha')
    expect(await idOf('beta')).toBe(after)
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

  test('splits off what is clearly another property; the others keep their id', async () => {
    const { catalogue, one, idOf, judgeAll } = setUp(open())
    await catalogue.ingest([one('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([one('beta', 'Bellevue Hotel')])
    const id = await idOf('alpha')
    expect(await idOf('beta')).toBe(id)
    await catalogue.ingest([one('beta', UNRELATED)])
    await judgeAll()
    expect(await idOf('alpha')).toBe(id)
    expect(await idOf('beta')).not.toBe(id)
    expect((await catalogue.property(id))?.vendors).toHaveLength(1)
  })

  test('splits off the record that founded a property, if it is clearly another one than all the others', async () => {
    const { catalogue, one, idOf, judgeAll } = setUp(open())
    await catalogue.ingest([one('alpha', 'Hotel Bellevue')])
    await catalogue.ingest([one('beta', 'Bellevue Hotel')])
    await catalogue.ingest([one('gamma', 'Hotel Bellevue')])
    const id = await idOf('alpha')
    await catalogue.ingest([one('alpha', UNRELATED)])
    await judgeAll()
    expect([await idOf('beta'), await idOf('gamma')]).toEqual([id, id])
    expect(await idOf('alpha')).not.toBe(id)
    expect(await catalogue.propertyContent(id)).toMatchObject({ merged: { name: 'Bellevue Hotel' } })
  })

  test('leaves an operator’s decisions as they are', async () => {
    const joined = setUp(open())
    await joined.catalogue.ingest([joined.one('alpha', 'Hotel Bellevue')])
    await joined.catalogue.ingest([joined.one('beta', UNRELATED)])
    await joined.catalogue.join(await joined.idOf('alpha'), await joined.idOf('beta'))
    const split = setUp(open())
    await split.catalogue.ingest([split.one('alpha', 'Hotel Astoria')])
    await split.catalogue.ingest([split.one('beta', 'Hotel Astoria')])
    const ref = { vendorId: 'beta', vendorPropertyId: split.one('beta', '').vendorPropertyId }
    await split.catalogue.split(await split.idOf('alpha'), ref)

    await joined.judgeAll()
    expect(await joined.idOf('beta')).toBe(await joined.idOf('alpha'))
    expect(await split.idOf('beta')).not.toBe(await split.idOf('alpha'))
  })

  test('is done by one process; another takes over when that one is gone, and nothing is done twice', async () => {
    const { catalogue, open: openAnother, one, idOf, clock } = setUp(open())
    await catalogue.ingest([one('alpha', 'Hotel Savoy')])
    await catalogue.ingest([one('beta', UNRELATED)])
    await catalogue.ingest([one('beta', 'Savoy')])
    await catalogue.rejudgeAgain()
    const progress = createMatchProgressStore(open())
    const claimed = await progress.claim(MATCH_RULES, clock.now(), 60_000)
    if (claimed === undefined) return expect.fail('not claimed')
    expect(claimed.row.after_cell).toBe(-1)

    const another = openAnother()
    expect(await another.rejudge()).toBeUndefined()
    expect(await idOf('beta')).not.toBe(await idOf('alpha'))
    clock.turn(61_000)
    while (!(await another.rejudge())?.isDone) {}
    expect(await idOf('beta')).toBe(await idOf('alpha'))
    const late = { ...claimed, row: { ...claimed.row, after_cell: 5 } }
    expect(await progress.save(late, clock.now())).toBe(false)
  })

  test('reports a second entry of a vendor for one property', async () => {
    const { catalogue, one } = setUp(open())
    const again = `${one('beta', '').vendorPropertyId}-again`
    await catalogue.ingest([one('alpha', 'Hotel Belvoir')])
    await catalogue.ingest([one('beta', 'Hotel Belvoir'), one('beta', 'Hotel Belvoir', { vendorPropertyId: again })])
    const twins = await catalogue.twins(100)
    expect(twins.map(({ vendor_property_id: id }) => id.replace('-again', ''))).toContain(
      one('beta', '').vendorPropertyId,
    )
  })
})
