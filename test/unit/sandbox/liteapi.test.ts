import { describe, expect, test } from 'vitest'
import { createAllotment } from '../../../sandbox/server/allotment.ts'
import { createLedger } from '../../../sandbox/server/ledger.ts'
import { DEFAULT_SETTINGS } from '../../../sandbox/server/settings.ts'
import { liteapi } from '../../../sandbox/vendors/liteapi/stand-in.ts'
import { createVendorWorld } from '../../../sandbox/world/vendor-view/vendor-view.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import { aPlace } from '../../support/sandbox/places.ts'
import { testWorld } from '../../support/sandbox/vendor-bench.ts'

const NOW = Date.parse('2027-01-10T12:00:00Z')
const KEY = liteapi.environment('').SERAI_LITEAPI_API_KEY
const { point } = aPlace('Paris')
const today = dateIn('UTC', NOW)
const STAY = {
  checkin: addDays(today, 40),
  checkout: addDays(today, 42),
  currency: 'EUR',
  guestNationality: 'FR',
  occupancies: [{ adults: 2, children: [] }],
  margin: 5,
}
const AROUND = { latitude: point.lat, longitude: point.lon, radius: 3_000 }

type Listed = { hotelId: string; roomTypes: { offerId?: string; offerRetailRate: unknown }[] }
type Answer = { data?: Listed[] & Record<string, unknown>; error?: { code: number }; total?: number }

function open() {
  const clock = { now: () => NOW }
  const handler = liteapi.create({
    world: createVendorWorld(liteapi, testWorld),
    allotment: createAllotment(),
    ledger: createLedger(),
    clock,
    settings: { ...DEFAULT_SETTINGS, ...liteapi.settings },
    pictureBase: 'http://127.0.0.1:9',
  })
  return (method: string, path: string, body?: unknown, key = KEY) => {
    const url = new URL(`http://127.0.0.1/v3.0${path}`)
    const { status, body: text } = handler.route({ method, url, headers: { 'x-api-key': key }, body }).work([], NOW)
    return { status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Answer }
  }
}

describe('rates', () => {
  test('rates are found around a point, up to the requested number', () => {
    const ask = open()
    const { body } = ask('POST', '/hotels/rates', { ...STAY, ...AROUND, limit: 20, maxRatesPerHotel: 2 })
    expect(body.data?.length).toBeGreaterThan(5)
    expect(body.data?.length).toBeLessThanOrEqual(20)
    for (const { roomTypes } of body.data ?? []) expect(roomTypes.length).toBeLessThanOrEqual(2)
  })

  test('a stream returns the same rates as a complete response', () => {
    const ask = open()
    const query = { ...STAY, ...AROUND, limit: 60, maxRatesPerHotel: 4 }
    const whole = ask('POST', '/hotels/rates', query).body.data ?? []
    const events = ask('POST', '/hotels/rates', { ...query, stream: true })
      .text.split('\n\n')
      .filter(Boolean)
    expect(events.at(-1)).toBe('data: [DONE]')
    const messages = events
      .slice(0, -1)
      .map((event) => JSON.parse(event.slice('data: '.length)) as { rates?: Listed[] })
    const parts = messages.flatMap(({ rates = [] }) => rates)
    expect(parts.length).toBeGreaterThan(whole.length)
    const counts = Map.groupBy(parts, ({ hotelId }) => hotelId)
    for (const { hotelId, roomTypes } of whole) {
      expect(counts.get(hotelId)?.flatMap((part) => part.roomTypes)).toHaveLength(roomTypes.length)
    }
  })

  test.each([
    ['no nationality', { ...STAY, ...AROUND, guestNationality: undefined }, 4002],
    ['no place', STAY, 4000],
    ['unknown ids', { ...STAY, hotelIds: ['lpffffffff', '17'] }, 4000],
    ['no guests', { ...STAY, ...AROUND, occupancies: [] }, 4002],
    ['a fraction of a guest', { ...STAY, ...AROUND, occupancies: [{ adults: 1.5 }] }, 4002],
    ['an arrival in the past', { ...STAY, ...AROUND, checkin: addDays(today, -3) }, 4000],
    ['a negative margin', { ...STAY, ...AROUND, margin: -1 }, 4000],
  ])('a search for rates with %s is refused', (_, body, code) => {
    expect(open()('POST', '/hotels/rates', body)).toMatchObject({ status: 400, body: { error: { code } } })
  })

  test('rates without a margin are shown but cannot be checked', () => {
    const ask = open()
    const { body } = ask('POST', '/hotels/rates', { ...STAY, ...AROUND, margin: 0 })
    const offerId = body.data
      ?.flatMap(({ roomTypes }) => roomTypes)
      .find((offer) => offer.offerId !== undefined)?.offerId
    expect(ask('POST', '/rates/prebook', { offerId, usePaymentSdk: false })).toMatchObject({
      status: 409,
      body: { error: { code: 2001 } },
    })
    expect(ask('POST', '/rates/prebook', { offerId })).toMatchObject({ status: 400, body: { error: { code: 4002 } } })
  })
})

test('the first properties around a point are not the nearest ones, because the vendor guarantees no order', () => {
  const ask = open()
  const around = (limit: number) => {
    const path = `/data/hotels?latitude=${point.lat}&longitude=${point.lon}&radius=5000&limit=${limit}`
    const data = (ask('GET', path).body.data ?? []) as unknown as { latitude: number; longitude: number }[]
    return data.map(({ latitude, longitude }) => distanceKm(point, { lat: latitude, lon: longitude }))
  }
  const all = around(5000).toSorted((a, b) => a - b)
  expect(all.length).toBeGreaterThan(20)
  expect(Math.max(...around(7))).toBeGreaterThan((all[6] ?? 0) + 0.5)
})

test('a country is listed page by page without duplicates, and has no recent changes', () => {
  const ask = open()
  const page = (offset: number) => ask('GET', `/data/hotels?countryCode=IS&limit=20&offset=${offset}`).body
  const [first, second] = [page(0), page(20)]
  const ids = [...(first.data ?? []), ...(second.data ?? [])].map(({ id }: Record<string, unknown>) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(first.total).toBeGreaterThan(20)
  expect(ask('GET', '/data/hotels?countryCode=IS&lastUpdatedAt=2027-01-01T00:00:00Z').body).toMatchObject({
    data: [],
    total: 0,
  })
})

test('a wrong key, an unknown path and an empty look-up are refused', () => {
  const ask = open()
  expect(ask('GET', '/data/countries', undefined, 'sand_other').status).toBe(401)
  expect(ask('GET', '/nowhere').status).toBe(404)
  expect(ask('GET', '/bookings')).toMatchObject({ status: 400, body: { error: { code: 4002 } } })
  expect(ask('GET', '/bookings/nobody').status).toBe(204)
})
