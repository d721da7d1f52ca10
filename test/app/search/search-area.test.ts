import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { type SearchAnswer, type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'

const BOX = { south: 46.01, west: 7.738, north: 46.03, east: 7.758 }

let app: SearchApp
beforeAll(async () => {
  app = await searchApp()
  await searchUntilComplete(app)
})
afterAll(() => app.close())

const within = ({ south, west, north, east }: typeof BOX, { lat, lon }: { lat: number; lon: number }) =>
  lat >= south && lat <= north && lon >= west && lon <= east
const places = (data: SearchAnswer) =>
  new Map(data.availability.map(({ property_id, location }) => [property_id, location]))

test('a search returns exactly the properties in the box, with distances from the destination', async () => {
  const wide = await app.search({ vendors: [...STAND_IN_IDS] })
  const boxed = await app.search({ area: BOX })
  expect(boxed).toMatchObject({ area: BOX, partial: false, warnings: [] })
  const inBox = [...places(wide)].filter(([, point]) => within(BOX, point)).map(([id]) => id)
  expect(inBox.length).toBeGreaterThan(3)
  expect(new Set(places(boxed).keys())).toEqual(new Set(inBox))
  expect(new Set(boxed.availability.flatMap(({ offers }) => offers.map(({ vendor_id }) => vendor_id)))).toEqual(
    new Set(STAND_IN_IDS),
  )
  const distances = new Map(wide.availability.map(({ property_id, distance_km }) => [property_id, distance_km]))
  for (const { property_id, distance_km } of boxed.availability) expect(distance_km).toBe(distances.get(property_id))
})

test('an empty box stays empty and is not widened', async () => {
  const sea = { south: 48.6, west: -6.2, north: 48.7, east: -6 }
  const data = await app.search({ area: sea })
  expect(data.availability).toEqual([])
  expect(data.area).toEqual(sea)
})

test('the box is saved with the search, and radius_km beside it is ignored with a warning', async () => {
  const { search_id, warnings } = await app.search({ area: { ...BOX, nort: 1 }, radius_km: 5 })
  expect(warnings).toEqual([
    '`area.nort` was ignored; did you mean `north`?',
    '`radius_km` was ignored because `area` was sent',
  ])
  const page = (await app.get(`/api/accommodation_searches/${search_id}/availability`)).json()
  expect(page.meta.search.area).toEqual(BOX)
  expect((await app.search()).area).toBeNull()
})

test('a simulated search places its properties in the box, also across the 180th meridian', async () => {
  for (const area of [BOX, { south: -17, west: 179.8, north: -16.6, east: -179.9 }]) {
    const data = await app.search({ area }, { headers: { 'x-simulate-return': 'success' } })
    expect(data.availability.length).toBeGreaterThan(3)
    for (const { lat, lon } of places(data).values()) {
      expect(lat >= area.south && lat <= area.north).toBe(true)
      expect(area.west < area.east ? lon >= area.west && lon <= area.east : lon >= area.west || lon <= area.east).toBe(
        true,
      )
    }
  }
})
