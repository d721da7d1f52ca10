import { afterAll, beforeAll, expect, test } from 'vitest'
import { offsetMinutes } from '../../../src/lib/time/zoned-time.ts'
import { loadCityPlaces } from '../../../src/locations/load-locations.ts'
import { type SearchAnswer, type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'

/** Neighbouring towns in different time zones. */
const TOWNS = new Set(['Haparanda', 'Tornio'])

let app: SearchApp
let found: SearchAnswer
beforeAll(async () => {
  const places = [...loadCityPlaces()].filter(
    ({ name, countryCode }) => TOWNS.has(name) && ['SE', 'FI'].includes(countryCode),
  )
  app = await searchApp({}, { town: 'Haparanda', places })
  found = await searchUntilComplete(app)
})
afterAll(() => app.close())

test('a property across the border keeps its own time zone in its detail, terms and booking', async () => {
  const zones = new Map<string, number>()
  let booked = false
  for (const { property_id, free_cancellation_until } of found.availability) {
    const { overview, available_rooms } = (await app.detail(found.search_id, property_id)).json().accommodation
    const country = overview.address.country_code
    const zone = country === 'FI' ? 'Europe/Helsinki' : 'Europe/Stockholm'
    expect([country, overview.timezone]).toEqual([country, zone])
    zones.set(zone, (zones.get(zone) ?? 0) + 1)
    const readOffsetMinutes = (time: string) => Number(/([+-]\d\d):00$/.exec(time)?.[1]) * 60
    for (const { cancel_policy } of available_rooms) {
      const times = [cancel_policy.expires, ...cancel_policy.penalties.map(({ from }: { from: string }) => from)]
      expect(cancel_policy.timezone).toBe(zone)
      for (const time of times)
        expect([time, readOffsetMinutes(time)]).toEqual([time, offsetMinutes(zone, Date.parse(time))])
    }
    if (free_cancellation_until !== null)
      expect(readOffsetMinutes(free_cancellation_until)).toBe(offsetMinutes(zone, Date.parse(free_cancellation_until)))
    if (country !== 'FI' || booked) continue
    const answer = await app.as(app.token, {
      method: 'POST',
      url: '/api/accommodation/book',
      payload: available_rooms[0].booking_info,
    })
    expect(answer.statusCode, answer.body).toBe(201)
    const { property, cancel_policy } = answer.json().data
    expect([property.timezone, cancel_policy.timezone]).toEqual([zone, zone])
    booked = true
  }
  expect(booked).toBe(true)
  expect(zones.get('Europe/Helsinki')).toBeGreaterThan(0)
  expect(zones.get('Europe/Stockholm')).toBeGreaterThan(0)
}, 60_000)
