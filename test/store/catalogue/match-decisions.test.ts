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
const decision = { by: 'acc_1', reason: 'they share a lobby' }
let places = 0

function parsePlan(definition: ListDefinition, params: object) {
  const parsed = parseListQuery(definition, { ...params }, { cursors, scope: 'test' })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.plan
}

function setUp(database: Database) {
  const clock = manualClock()
  const catalogue = openCatalogue({
    ...createCatalogueStores(database),
    vendors: [],
    clock,
    onBug: (error) => expect(error).toBeUndefined(),
  })
  const center = { lat: -40 + places++, lon: 20 }
  const city = `City ${center.lat}`
  const createRecord = (vendorId: string, name: string, meters: number, some: Partial<VendorProperty> = {}) => {
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
  const findId = async (vendorId: string) => {
    const rows = await createCatalogueStore(database).synced(vendorId, [`d${center.lat}`])
    return rows[0]?.property_id ?? ''
  }
  return {
    catalogue,
    clock,
    createRecord,
    findId,
    judgeAll,
    near: async () => (await catalogue.inspect.near(parsePlan(NEAR_LIST, { filters, limit: 10 }), noCharge)).data,
    matches: async () => (await catalogue.inspect.list(parsePlan(MATCH_LIST, { filters, limit: 10 }), noCharge)).data,
  }
}

onBothDatabases('matches reviewed by operators', (open) => {
  test('a near match is listed with its evidence until an operator decides on it', async () => {
    const { catalogue, createRecord, near, matches } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue Rivoli', 0)])
    await catalogue.ingest([createRecord('beta', 'Bellevue Rivoli', 40)])
    await catalogue.ingest([createRecord('gamma', 'Bellevue', 220, { phone: '', address: NO_ADDRESS })])
    expect(await matches()).toMatchObject([{ vendor_id: 'beta', decided_by: 'auto', evidence: expect.any(Array) }])
    const pairs = await near()
    expect(pairs.length).toBeGreaterThan(0)
    expect(pairs[0]?.evidence.length).toBeGreaterThan(2)
    const { property_id: one = '', other_property_id: other = '' } = pairs[0] ?? {}
    expect(await catalogue.keepSeparate(one, other, decision)).toMatchObject({ ok: true })
    expect(await near()).toEqual([])
    const shown = await catalogue.inspect.show(one)
    expect(shown?.decisions).toContainEqual(
      expect.objectContaining({ kind: 'split', decided_by: 'acc_1', reason: decision.reason }),
    )
  })

  test('a near match says why it was not joined', async () => {
    const { catalogue, createRecord, findId, near, judgeAll } = setUp(open())
    const again = { vendorPropertyId: `${createRecord('beta', '', 0).vendorPropertyId}-again` }
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue Rivoli', 0)])
    await catalogue.ingest([createRecord('beta', 'Bellevue Rivoli', 40)])
    await catalogue.ingest([createRecord('beta', 'Bellevue Rivoli', 45, again)])
    await catalogue.ingest([createRecord('gamma', 'Bellevue', 220, { phone: '', address: NO_ADDRESS })])
    await judgeAll()
    const pairs = await near()
    const findReason = (vendorId: string, otherId: string) =>
      pairs.find((pair) => pair.vendor_id === vendorId && pair.other_vendor_id === otherId)?.reason
    expect(findReason('alpha', 'beta')).toBe('same_vendor')
    expect(findReason('alpha', 'gamma')).toBe('too_weak')
    const compared = await catalogue.comparePair(await findId('alpha'), pairs[0]?.other_property_id ?? '')
    expect(compared.reasons).toEqual(['same_vendor'])
    expect(compared.score).toBeGreaterThan(0.79)
  })

  test('two properties that can never be one say why', async () => {
    const { catalogue, createRecord, findId } = setUp(open())
    const compare = async (one: string, other: string) => catalogue.comparePair(await findId(one), await findId(other))
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue', 0)])
    await catalogue.ingest([createRecord('beta', 'Hotel Bellevue', 20_000)])
    await catalogue.ingest([createRecord('gamma', 'Zum Wilden Mann', 30, { phone: '' })])
    await catalogue.ingest([createRecord('delta', 'Hotel Bellevue', 30)])
    expect(await compare('alpha', 'beta')).toMatchObject({ score: undefined, evidence: [], reasons: ['too_far'] })
    expect((await compare('alpha', 'gamma')).reasons).toEqual(['names_differ'])
    expect((await compare('alpha', 'delta')).reasons).toEqual([])
    await catalogue.keepSeparate(await findId('alpha'), await findId('beta'), decision)
    expect((await compare('alpha', 'beta')).reasons).toEqual(['kept_separate', 'too_far'])
  })

  test('a near match that was put off returns after a month', async () => {
    const { catalogue, createRecord, near, clock } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue Rivoli', 0)])
    await catalogue.ingest([createRecord('gamma', 'Bellevue', 220, { phone: '', address: NO_ADDRESS })])
    const [pair] = await near()
    expect(await catalogue.postpone(pair?.property_id ?? '', pair?.other_property_id ?? '')).toMatchObject({ ok: true })
    expect(await near()).toEqual([])
    clock.advance(31 * 86_400_000)
    expect(await near()).toHaveLength(1)
  })

  test('a property with a distant record of a vendor gets no second record of that vendor', async () => {
    const { catalogue, createRecord, findId, judgeAll } = setUp(open())
    await catalogue.ingest([createRecord('alpha', 'Hotel Bellevue', 0), createRecord('beta', 'Hotel Bellevue', 20_000)])
    await catalogue.join(await findId('alpha'), await findId('beta'), decision)
    const another = { vendorPropertyId: `${createRecord('beta', '', 0).vendorPropertyId}-another` }
    await catalogue.ingest([createRecord('beta', 'Hotel Bellevue', 30, another)])
    await judgeAll()
    expect((await catalogue.property(await findId('alpha')))?.vendors).toHaveLength(2)
  })

  test('rejudging joins matching properties unless an operator has kept them separate', async () => {
    for (const isKept of [true, false]) {
      const { catalogue, createRecord, findId, judgeAll } = setUp(open())
      await catalogue.ingest([createRecord('alpha', 'Hotel Corona Lisboa', 0)])
      // A record that its vendor corrects later keeps its id.
      await catalogue.ingest([createRecord('beta', 'Zum Wilden Mann', 20, { phone: '', address: NO_ADDRESS })])
      await catalogue.ingest([createRecord('beta', 'Hotel Corona Lisboa', 20)])
      const [alpha, beta] = [await findId('alpha'), await findId('beta')]
      expect(alpha).not.toBe(beta)
      if (isKept) await catalogue.keepSeparate(alpha, beta, decision)
      await judgeAll()
      expect((await findId('alpha')) === (await findId('beta'))).toBe(!isKept)
    }
  })
})
