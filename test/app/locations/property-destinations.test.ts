import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'

type Place = { id: string; name: string; type: string; country_code: string; location: { lat: number; lon: number } }

let app: SearchApp
let hotel = { property_id: '', name: '', location: { lat: 0, lon: 0 } }
beforeAll(async () => {
  app = await searchApp()
  await searchUntilComplete(app)
  const { availability } = await app.search()
  hotel = availability.at(-1) ?? hotel
  // Names are indexed shortly after the search.
  await vi.waitUntil(async () => findHotel(await find(hotel.name)) !== undefined, { timeout: 10_000, interval: 100 })
})
afterAll(() => app.close())

async function find(text: string, more = ''): Promise<Place[]> {
  const url = `/api/locations/search?starts_with=${encodeURIComponent(text)}${more}`
  return (await app.get(url)).json<{ data: Place[] }>().data
}
const PROPERTY_FILTER = '&filters[]=type:==<property'
const findHotel = (places: readonly Place[]) => places.find(({ name }) => name.startsWith(`${hotel.name}, `))

test('a property is found by its name, with its town and country, under a stable id', async () => {
  const place = findHotel(await find(hotel.name))
  const { property_id, location } = hotel
  expect(place).toMatchObject({ type: 'property', country_code: 'CH', location, property_id })
  expect(place?.name).toMatch(/, Switzerland$/)
  expect(place?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(findHotel(await find(hotel.name))?.id).toBe(place?.id)
})

test('a property is found with one letter missing', async () => {
  const letters = [...hotel.name]
  const index = letters.length - 3
  const misspelt = [...letters.slice(0, index), ...letters.slice(index + 1)].join('')
  expect(findHotel(await find(misspelt, PROPERTY_FILTER))?.type).toBe('property')
})

test('places rank first, and at most five of the first ten are properties unless a filter asks for them', async () => {
  for (const text of ['hotel', 'zermatt', 'alpin', 'par']) {
    const types = (await find(text)).slice(0, 10).map(({ type }) => type)
    expect(types.filter((type) => type === 'property').length).toBeLessThanOrEqual(5)
  }
  const zermatt = await find('zermatt')
  expect(zermatt[0]).toMatchObject({ name: 'Zermatt, Valais, Switzerland', type: 'city' })
  const all = await find('hotel', PROPERTY_FILTER)
  expect(all.length).toBeGreaterThan(5)
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(['property']))
})

test('a search for a property lists it first, then its surroundings, also when the search is read again', async () => {
  const id = findHotel(await find(hotel.name))?.id
  const data = await app.search({ destination_id: id })
  expect(data.location).toMatchObject({ id, type: 'property', property_id: hotel.property_id })
  expect(data.availability[0]).toMatchObject({ property_id: hotel.property_id, distance_km: 0 })
  expect(data.availability.length).toBeGreaterThan(3)
  const page = (await app.get(`/api/accommodation_searches/${data.search_id}/availability`)).json()
  expect(page.data[0].property_id).toBe(hotel.property_id)
  const again = (await app.search({ destination_id: id?.toUpperCase() })).availability
  expect(again[0]?.property_id).toBe(hotel.property_id)
})

test('the id of a property is a destination, too, and has no neighbourhoods', async () => {
  const locationId = findHotel(await find(hotel.name))?.id
  const { location, availability } = await app.search({ destination_id: hotel.property_id, radius_km: 0.5 })
  expect(location).toMatchObject({ id: locationId, type: 'property', property_id: hotel.property_id, radius_km: 0.5 })
  expect(availability[0]).toMatchObject({ property_id: hotel.property_id, distance_km: 0 })
  expect((await app.get(`/api/locations/${hotel.property_id}/neighbourhoods`)).json().data).toEqual([])
})

test('if none of its vendors is searched, other properties are listed without a warning about it', async () => {
  const id = findHotel(await find(hotel.name))?.id
  const [vendor] = (await app.search({ destination_id: id })).availability[0]?.offers ?? []
  const other = ['expedia_rapid', 'hotelbeds'].find((vendorId) => vendorId !== vendor?.vendor_id)
  const data = await app.search({ destination_id: id, vendors: [other] })
  expect(data.availability.length).toBeGreaterThan(0)
  expect(data.warnings.filter((warning) => warning.includes(hotel.name))).toEqual([])
})

test('an id of neither a place nor a property returns 404', async () => {
  for (const destination_id of ['3f6c2b8e-1d54-5f0a-9c47-6b7a0e5d2a90', 'prp_0123456789abcdef']) {
    const answer = await app.post({ destination_id })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'location_not_found'])
  }
})
