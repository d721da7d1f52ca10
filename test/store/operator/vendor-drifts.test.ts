import { expect, test } from 'vitest'
import { driftSource } from '../../../src/operator/attention/drift-attention.ts'
import { createVendorDriftStore } from '../../../src/operator/store/vendor-drifts.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const DAY = 86_400_000
const NOW = Date.parse('2027-01-15T12:00:00Z')

onBothDatabases('drift of vendors', (open) => {
  test('what was learned is read again, and a later state replaces it', async () => {
    const store = createVendorDriftStore(open())
    const shape = { vendor: 'v', operation: 'availability', responses: 30, counts: new Map([['.a:string', 30]]) }
    await store.saveShapes([shape])
    const later = { ...shape, responses: 45.5, counts: new Map([['.a:string', 45.5]]) }
    await store.saveShapes([later, { ...shape, operation: 'rooms' }])
    const stored = await store.shapes()
    expect(stored.sort((a, b) => a.operation.localeCompare(b.operation))).toEqual([
      later,
      { ...shape, operation: 'rooms' },
    ])
    await store.saveShapes([])
  })

  test('a drift is on the attention list once, for a week, and is deleted later', async () => {
    const store = createVendorDriftStore(open())
    const drift = {
      vendor_id: 'v',
      operation: 'availability',
      kind: 'new_field',
      path: '.hotels[].extra',
      seen_at: NOW,
    }
    await store.addDrift(drift)
    await store.addDrift({ ...drift, seen_at: NOW + 1 })
    await store.addDrift({ ...drift, kind: 'vanished_field', path: '.hotels[].code', seen_at: NOW + DAY })
    const attention = driftSource(store)
    const entries = await attention(NOW + 2 * DAY, 10)
    expect(entries).toMatchObject([
      { id: 'vendor_drift.v.availability', kind: 'vendor_drift', since: NOW, worsenedAt: NOW + DAY, vendorId: 'v' },
    ])
    expect(entries[0]?.whatHappened).toBe('new field .hotels[].extra; vanished field .hotels[].code.')
    expect(await attention(NOW + 9 * DAY, 10)).toEqual([])
    await store.deleteOld(NOW + DAY)
    expect(await store.drifts(0)).toHaveLength(1)
  })
})
