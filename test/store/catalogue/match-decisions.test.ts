import { expect, test } from 'vitest'
import { MATCH_LIST, NEAR_LIST } from '../../../src/catalogue/matching/inspect-matches.ts'
import { createCatalogueStore } from '../../../src/catalogue/store/catalogue.ts'
import { createCatalogueStores } from '../../../src/catalogue/store/stores.ts'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import type { ListDefinition } from '../../../src/lists/definition.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import { noCharge } from '../../../src/lists/work.ts'
import type { Database } from '../../../src/store/database.ts'
import { openCatalogue } from '../../support/store/catalogue.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'
import { aVendorProperty, north } from '../../unit/catalogue/a-vendor-property.ts'

const cursors = createCursorCodec(Buffer.alloc(32))
const NO_ADDRESS = { line1: '', line2: '', city: 'Paris', region: '', postalCode: '', countryCode: 'FR' }
const said = { by: 'acc_1', reason: 'they share a lobby' }
let places = 0

function planOf(definition: ListDefinition, params: object) {
  const parsed = parseListQuery(definition, { ...params }, { cursors, scope: 'test' })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.plan
}

function setUp(database: Database) {
  const catalogue = openCatalogue({
    ...createCatalogueStores(database),
    vendors: [],
    clock: manualClock(),
    onBug: (error) => expect(error).toBeUndefined(),
  })
  const center = { lat: -40 + places++, lon: 20 }
  const city = `City ${center.lat}`
  const one = (vendorId: string, name: string, meters: number, some: Partial<VendorProperty> = {}) => {
    const property = aVendorProperty({
      vendorId,
      vendorPropertyId: `d${center.lat}`,
      name,
      location: north(center, meters),
      ...some,
    })
    return { ...property, address: { ...property.address, city } }
  }
  const filters = [{ field: 'city', op: '==', value: city }]
  const judgeAll = async () => {
    await catalogue.rejudgeAgain()
    for (let slices = 0; slices < 100; slices += 1) if ((await catalogue.rejudge())?.isDone !== false) return
  }
  const idOf = async (vendorId: string) => {
    const rows = await createCatalogueStore(database).synced(vendorId, [`d${center.lat}`])
    return rows[0]?.property_id ?? ''
  }
  return {
    catalogue,
    one,
    idOf,
    judgeAll,
    near: async () => (await catalogue.inspect.near(planOf(NEAR_LIST, { filters, limit: 10 }), noCharge)).data,
    matches: async () => (await catalogue.inspect.list(planOf(MATCH_LIST, { filters, limit: 10 }), noCharge)).data,
  }
}

onBothDatabases('matches that operators look through', (open) => {
  test('a pair that nearly matched is kept with its evidence, and leaves the list by a decision', async () => {
    const { catalogue, one, near, matches } = setUp(open())
    await catalogue.ingest([one('alpha', 'Hotel Bellevue Rivoli', 0)])
    await catalogue.ingest([one('beta', 'Bellevue Rivoli', 40)])
    await catalogue.ingest([one('gamma', 'Bellevue', 200, { phone: '', address: NO_ADDRESS })])
    expect(await matches()).toMatchObject([{ vendorId: 'beta', decidedBy: 'auto', evidence: expect.any(Array) }])
    const pairs = await near()
    expect(pairs.length).toBeGreaterThan(0)
    expect(pairs[0]?.evidence.length).toBeGreaterThan(2)
    const [one_, other] = pairs[0]?.sides ?? []
    expect(await catalogue.keepSeparate(one_?.propertyId ?? '', other?.propertyId ?? '', said)).toMatchObject({
      ok: true,
    })
    expect(await near()).toEqual([])
    const shown = await catalogue.inspect.show(one_?.propertyId ?? '')
    expect(shown?.decisions).toContainEqual(
      expect.objectContaining({ kind: 'split', decided_by: 'acc_1', reason: said.reason }),
    )
  })

  test('a property whose record of a vendor lies far away does not get another record of that vendor', async () => {
    const { catalogue, one, idOf, judgeAll } = setUp(open())
    await catalogue.ingest([one('alpha', 'Hotel Bellevue', 0), one('beta', 'Hotel Bellevue', 20_000)])
    await catalogue.join(await idOf('alpha'), await idOf('beta'), said)
    const another = { vendorPropertyId: `${one('beta', '', 0).vendorPropertyId}-another` }
    await catalogue.ingest([one('beta', 'Hotel Bellevue', 30, another)])
    await judgeAll()
    expect((await catalogue.property(await idOf('alpha')))?.vendors).toHaveLength(2)
  })

  test('judging everything again joins nothing that somebody has kept separate, and joins it without that', async () => {
    for (const isKept of [true, false]) {
      const { catalogue, one, idOf, judgeAll } = setUp(open())
      await catalogue.ingest([one('alpha', 'Hotel Corona Lisboa', 0)])
      // An entry that its vendor corrects later keeps the id that it has.
      await catalogue.ingest([one('beta', 'Zum Wilden Mann', 20, { phone: '', address: NO_ADDRESS })])
      await catalogue.ingest([one('beta', 'Hotel Corona Lisboa', 20)])
      const [alpha, beta] = [await idOf('alpha'), await idOf('beta')]
      expect(alpha).not.toBe(beta)
      if (isKept) await catalogue.keepSeparate(alpha, beta, said)
      await judgeAll()
      expect((await idOf('alpha')) === (await idOf('beta'))).toBe(!isKept)
    }
  })
})
