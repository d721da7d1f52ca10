import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseRoomName } from '../../../../sandbox/world/rooms/room-parts.ts'
import { spellRoom } from '../../../../sandbox/world/rooms/spell-room.ts'
import { propertiesIn, roomsAtVendors, scoreRoomMatching } from '../../../support/sandbox/labelled-rooms.ts'
import { readPlaces } from '../../../support/sandbox/labelled-world.ts'

const places = readPlaces(readFileSync(new URL('../fixtures/places.tsv', import.meta.url), 'utf8'))
// bench/rooms.ts measures more.
const properties = propertiesIn(places, 600)

test('rooms in the spellings of four vendors are matched with precision 0.99 and recall 0.95', () => {
  const { right, wrong, missed } = scoreRoomMatching(properties)
  expect(right).toBeGreaterThan(15_000)
  expect(right / (right + wrong.length), wrong.slice(0, 5).join('\n')).toBeGreaterThanOrEqual(0.99)
  expect(right / (right + missed.length), missed.slice(0, 5).join('\n')).toBeGreaterThanOrEqual(0.95)
})

test('the sandbox world has near misses: rooms with and without a view, and rooms named like a suite', () => {
  const has = (test: (names: string[]) => boolean) =>
    properties.filter(({ rooms }) => test(rooms.map(({ name }) => name)))
  const withView = has((names) =>
    names.some((name) => names.some((other) => other.startsWith(`${name} with`) && / View$/.test(other))),
  )
  const likeSuite = has((names) => names.includes('Executive Suite') && names.includes('Executive King Room'))
  expect(withView.length).toBeGreaterThan(properties.length / 10)
  expect(likeSuite.length).toBeGreaterThan(10)
})

test('the sandbox world would expose a matcher that ignores views', () => {
  const blind = properties.flatMap((property) => {
    const seen = new Map<string, number>()
    return roomsAtVendors(property).filter(({ vendorId, truth, attributes }) => {
      const key = JSON.stringify([
        vendorId === 'a',
        attributes.grades,
        attributes.kinds,
        attributes.beds,
        attributes.access,
      ])
      const earlier = seen.get(key)
      seen.set(key, earlier ?? truth)
      return vendorId === 'a' && earlier !== undefined && earlier !== truth && attributes.views.length > 0
    })
  })
  expect(blind.length).toBeGreaterThan(50)
})

test('each spelling habit of the sandbox is deterministic and distinct', () => {
  const [property] = properties.filter(({ rooms }) => rooms.some(({ name }) => name === 'Superior Double'))
  const room = property?.rooms.find(({ name }) => name === 'Superior Double')
  if (property === undefined || room === undefined) throw new Error('no such room')
  expect(spellRoom('commas', property, room)).toBe(spellRoom('commas', property, room))
  expect(spellRoom('capitals', property, room)).toMatch(/^(DOUBLE SUPERIOR|DBL SUP)$/)
  expect(spellRoom('sentence', property, room)).toMatch(/^Superior Double Room/)
  expect(parseRoomName('Superior Twin with Partial Sea View')).toMatchObject({
    grade: 'Superior',
    sleeping: 'Twin',
    view: 'Partial sea',
  })
})
