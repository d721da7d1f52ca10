import { expect, test } from 'vitest'
import { createVendorDriftStore } from '../../../src/operator/store/vendor-drifts.ts'
import type { Drift } from '../../../src/vendors/transport/drift/compare-shapes.ts'
import { describeShape } from '../../../src/vendors/transport/drift/describe-shape.ts'
import { createShapeWatch } from '../../../src/vendors/transport/drift/watch-shapes.ts'
import { searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

test('a shape has no values of the body, and a new field within a new object is reported once', () => {
  const body = { holder: { name: 'Ana' }, hotels: [{ code: 'H1', price: '12.50', 'x y': { id: 1 } }] }
  const shape = describeShape(body)
  expect(shape).toEqual(
    expect.arrayContaining(['.hotels:array', '.hotels[].code:string', '.hotels[].*.id:number', '.holder.name:string']),
  )
  expect(shape.join()).not.toMatch(/Ana|12\.50|H1|x y/)
  const found: Drift[] = []
  const watch = createShapeWatch({ onDrift: (_, drift) => found.push(drift) })
  const source = { vendor: 'v', operation: 'o' }
  for (let count = 0; count < 500; count += 1) watch.add(source, shape)
  const changed = describeShape({ ...body, extra: { inner: { deep: 1 } } })
  for (let count = 0; count < 90; count += 1) watch.add(source, changed)
  expect(found).toEqual([{ kind: 'new_field', path: '.extra' }])
})

test('all responses are described until enough are known, and later one of twenty', () => {
  const watch = createShapeWatch({ onDrift: () => undefined })
  const source = { vendor: 'v', operation: 'o' }
  let described = 0
  for (let count = 0; count < 4_000; count += 1)
    if (watch.isWanted(source)) {
      described += 1
      watch.add(source, ['.:object'])
    }
  expect(described).toBeGreaterThanOrEqual(580)
  expect(described).toBeLessThanOrEqual(650)
})

test('responses are described on the main thread and in the reading threads alike, and kept in the database', async () => {
  const database = await openMigrated()
  const app = await searchApp({}, { database })
  await searchUntilComplete(app)
  for (let index = 0; index < 35; index += 1) {
    await app.search({ check_in: app.day(30 + index), check_out: app.day(32 + index) })
    app.clock.advance(60_000)
  }
  await app.keepShapes()
  const shapes = await createVendorDriftStore(database).shapes()
  await app.close()
  const availability = shapes.filter(({ operation }) => operation === 'availability')
  expect(availability.length).toBeGreaterThan(0)
  for (const { counts, responses } of availability) {
    expect(responses).toBeGreaterThanOrEqual(30)
    expect([...counts.keys()].some((key) => key.endsWith(':array'))).toBe(true)
  }
})
