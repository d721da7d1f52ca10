import { expect, test } from 'vitest'
import type { Location } from '../../../src/domain/property/location.ts'
import type { Box } from '../../../src/lib/geo.ts'
import { type FindNearby, pricedSearch, resolveTerms } from '../../../src/search/search-terms.ts'
import type { World } from '../../../src/search/world.ts'
import { createSeller } from '../../../src/selling/seller.ts'
import { RATES } from './arbitrary-searches.ts'

const place = (id: string, countryCode: string, lat: number, lon: number): Location => ({
  id,
  name: id,
  type: 'city',
  countryCode,
  point: { lat, lon },
  radiusKm: 10,
  timezone: 'Europe/Paris',
})
const PARIS = place('paris', 'FR', 48.8566, 2.3522)
const MADRID = place('madrid', 'ES', 40.4168, -3.7038)
const nearby: FindNearby = ({ lat }, radiusKm) =>
  [PARIS, MADRID].filter(({ point }) => Math.abs(point.lat - lat) * 111 < radiusKm).slice(0, 1)
const world = { vendors: [], simulated: false } as unknown as World
const around = ({ point: { lat, lon } }: Location, further = 0): Box => ({
  south: lat - 0.1 + further,
  north: lat + 0.1 + further,
  west: lon - 0.1,
  east: lon + 0.1,
})

/** Selling price of 100 euros under rules for a country and a destination. */
function sold(destinationId: string, area: Box | undefined): number | undefined {
  const asked = {
    ...{ destinationId, area, checkIn: '2027-03-12', checkOut: '2027-03-15', occupancies: [], customerIp: undefined },
    ...{ currency: 'EUR', language: 'en', countryCode: 'FR', radiusKm: undefined, vendorIds: undefined, timeoutMs: 1 },
    conditions: undefined,
  }
  const location = [PARIS, MADRID].find(({ id }) => id === destinationId)
  const terms = resolveTerms(location, nearby, world, asked, '::1')
  const search = pricedSearch(terms, 'acc_1', Date.parse('2027-01-15T12:00:00Z'))
  const rules = [
    { priority: 1, match: { location: ['madrid'] }, percent: 1 },
    { priority: 2, match: { country: ['FR'] }, percent: 20 },
    { priority: 3, match: { country: ['ES'] }, percent: 10 },
  ]
  const seller = createSeller({ rules: { version: 1, rules }, exchangePercent: 0, rates: RATES }, search)
  const offer = seller.forOffer({ vendorId: 'alpha', propertyId: 'prp_1', stars: 3 })
  return offer.total({ minor: 100_00, currency: 'EUR' }, false, undefined)?.selling
}

test('an area is sold by the rules of its own location, not by those of a destination elsewhere', () => {
  expect(sold('paris', undefined)).toBe(120_00)
  expect(sold('paris', around(PARIS))).toBe(120_00)
  expect(sold('madrid', around(MADRID))).toBe(101_00)
  expect(sold('madrid', around(PARIS))).toBe(120_00)
  expect(sold('paris', around(MADRID))).toBe(110_00)
})

test('an area without a city belongs to the country of the nearest one, or else of the destination', () => {
  expect(sold('paris', around(MADRID, 2))).toBe(110_00)
  expect(sold('paris', around(MADRID, -40))).toBe(120_00)
})
