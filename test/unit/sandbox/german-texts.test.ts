import { expect, test } from 'vitest'
import {
  germanBeds,
  germanRoomName,
  hasGermanTexts,
  localizeTexts,
} from '../../../sandbox/world/property/german-texts.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { aPlace, TEST_PLACES } from '../../support/sandbox/places.ts'

const world = createWorld({ places: TEST_PLACES })
const properties = world.near({ center: aPlace('Paris').point, radiusKm: 20 }, 200)
const roomNamed = (name: string) => {
  const room = properties.flatMap(({ rooms }) => rooms)[0]
  if (room === undefined) throw new Error('no room')
  return germanRoomName({ ...room, name })
}

test('rooms have German names', () => {
  expect(roomNamed('Superior Double')).toBe('Superior-Doppelzimmer')
  expect(roomNamed('Small Double')).toBe('Kleines Doppelzimmer')
  expect(roomNamed('Deluxe King')).toBe('Deluxe-Zimmer mit Kingsize-Bett')
  expect(roomNamed('Two-Bedroom Apartment')).toBe('Apartment mit 2 Schlafzimmern')
  expect(roomNamed('Superior Room with Balcony')).toBe('Superior-Zimmer mit Balkon')
  expect(roomNamed('Bed in 8-Bed Female Dormitory')).toBe('Bett im 8-Bett-Schlafsaal (nur Frauen)')
  expect(
    germanBeds([
      { type: 'king', quantity: 1 },
      { type: 'sofa', quantity: 2 },
    ]),
  ).toBe('1 Kingsize-Bett und 2 Schlafsofas')
})

test('a German description contains no English words or placeholders', () => {
  expect(properties.length).toBeGreaterThan(50)
  for (const property of properties) {
    const texts = localizeTexts(property, true)
    const all = [texts.headline, ...texts.paragraphs, ...property.rooms.map(texts.roomDescription)].join(' ')
    expect(all.replaceAll(property.name, '').replaceAll(property.place.name, '')).not.toMatch(
      /[{}]|undefined|\b(the|and|with|room|bed|view)\b/i,
    )
  }
})

test('each vendor has some properties only in English', () => {
  const share = properties.filter((property) => hasGermanTexts(property, 1)).length / properties.length
  expect(share).toBeGreaterThan(0.7)
  expect(share).toBeLessThan(1)
})
