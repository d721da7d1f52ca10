import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createAllotment } from '../../../sandbox/server/allotment.ts'
import { createLedger, type LedgerEntry } from '../../../sandbox/server/ledger.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { aPlace } from '../../support/sandbox/places.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

const world = createWorld({ places: [aPlace('Paris')] })
const nights = ['2027-05-03', '2027-05-04']

/** A property with a room that has two units free. */
function findFreeRoom() {
  const allotment = createAllotment()
  for (const property of world.near({ center: aPlace('Paris').point, radiusKm: 20 }, 200)) {
    const room = property.rooms.find((candidate) => allotment.left(property.key, candidate, nights) >= 2)
    if (room !== undefined) return { property, room }
  }
  throw new Error('nothing is free')
}
const { property, room } = findFreeRoom()

const anEntry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  vendorReference: 'V1',
  ourReference: 'OURS',
  status: 'confirmed',
  createdAt: 1,
  visibleFrom: 1,
  propertyKey: property.key,
  roomNumber: room.number,
  nights,
  count: 1,
  total: { minor: 24_990, currency: 'EUR' },
  email: 'ada@example.org',
  holder: 'Ada Lovelace',
  raw: { anything: ['goes', 1] },
  ...more,
})

describe('the ledger', () => {
  test('the ledger records the same reference twice, so that duplicates are found', () => {
    const ledger = createLedger()
    ledger.append(anEntry())
    ledger.append(anEntry({ vendorReference: 'V2' }))
    expect(ledger.byReference('OURS').map(({ vendorReference }) => vendorReference)).toEqual(['V1', 'V2'])
    expect(ledger.byReference('V2')).toHaveLength(1)
    expect(ledger.byReference('none')).toEqual([])
    expect(ledger.all()).toHaveLength(2)
  })

  test('the ledger is on disk when append returns, and survives a restart', () => {
    const path = join(folder, 'deep', 'a.jsonl')
    const ledger = createLedger({ path })
    ledger.append(anEntry())
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(anEntry())
    ledger.append(anEntry({ status: 'cancelled' }))
    const again = createLedger({ path })
    expect(again.all()).toEqual(ledger.all())
    expect(again.current()).toEqual([anEntry({ status: 'cancelled' })])
  })

  test('the ledger removes an incomplete line of a killed process', () => {
    const path = join(folder, 'b.jsonl')
    createLedger({ path }).append(anEntry())
    appendFileSync(path, '{"vendorReference":"V9","holder":"Zo')
    const again = createLedger({ path })
    expect(again.all()).toHaveLength(1)
    again.append(anEntry({ vendorReference: 'V2' }))
    expect(createLedger({ path }).all()).toHaveLength(2)
  })

  test('the ledger includes entries that another process has written to the same file', () => {
    const path = join(folder, 'c.jsonl')
    const [service, command] = [createLedger({ path }), createLedger({ path })]
    command.append(anEntry())
    expect(service.all()).toEqual([anEntry()])
    service.append(anEntry({ status: 'cancelled' }))
    expect(service.all()).toHaveLength(2)
    expect(command.visible('OURS', 2)).toEqual([anEntry({ status: 'cancelled' })])
    expect(command.byReference('V1')).toHaveLength(2)
    expect(command.current()).toHaveLength(1)
  })

  test('a reloaded ledger takes the rooms of confirmed bookings, but not of cancelled ones', () => {
    const ledger = createLedger()
    ledger.append(anEntry())
    ledger.append(anEntry({ vendorReference: 'V2' }))
    ledger.append(anEntry({ vendorReference: 'V2', status: 'cancelled' }))
    const allotment = createAllotment()
    ledger.replayInto(allotment, world)
    const before = createAllotment().left(property.key, room, nights)
    expect(allotment.left(property.key, room, nights)).toBe(before - 1)
  })
})
