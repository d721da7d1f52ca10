import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceKm } from '../../../../src/lib/geo.ts'
import { createSimulator } from '../../../../src/vendors/simulator/index.ts'
import { resolveSite, SIMULATOR_IDS, sitesAround } from '../../../../src/vendors/simulator/sites.ts'
import { manualClock } from '../../../support/time/clock.ts'

const { properties, vendors } = createSimulator({ clock: manualClock() })
const anyCircle = fc.record({
  center: fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  radiusKm: fc.double({ min: 0.1, max: 250, noNaN: true }),
})

test('every circle on earth contains properties whose ids encode their location', () => {
  fc.assert(
    fc.property(anyCircle, (circle) => {
      const town = sitesAround(circle)
      expect(new Set(town.map(({ propertyId }) => propertyId)).size).toBe(12)
      for (const site of town) {
        expect(site.propertyId).toMatch(/^sim_[0-9a-z]{1,5}_[0-9a-z]{1,5}_[0-9a-z]$/)
        expect(resolveSite(site.propertyId)).toEqual(site)
        expect(distanceKm(circle.center, site.point)).toBeLessThan(Math.max(circle.radiusKm, 0.12))
      }
    }),
  )
})

test('an id that was never issued always resolves to the same property', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), async (propertyId) => {
      const { merged } = await properties.content(propertyId)
      expect(merged).toEqual((await properties.content(propertyId)).merged)
      expect(merged.name).toMatch(/\S/)
      const [seller] = await properties.listVendors(propertyId)
      const vendor = vendors('success').find(({ id }) => id === seller?.vendorId)
      const stay = {
        checkIn: '2027-03-01',
        checkOut: '2027-03-02',
        occupancies: [{ adults: 14, childrenAges: [1, 2] }],
      }
      const market = { currency: 'USD', language: 'en', countryCode: 'US' }
      const rooms = await vendor?.rooms(
        { vendorPropertyId: seller?.vendorPropertyId ?? '', stay, market, timezone: 'UTC' },
        { signal: AbortSignal.timeout(1_000), requestId: 'unit' },
      )
      expect(rooms?.length).toBeGreaterThan(0)
    }),
    { numRuns: 60 },
  )
})

test('a malformed simulator id resolves to a property', () => {
  const sites = ['sim_4cfa75db', 'sim_zzzzz_0_1', 'sim_0_0_z', 'sim_1', 'sim_'].map(resolveSite)
  for (const site of sites) {
    expect(site.sellers).toEqual(SIMULATOR_IDS)
    expect(distanceKm(site.point, { lat: 48.8566, lon: 2.3522 })).toBeLessThan(3.1)
  }
})

test('images of simulated properties are small data URLs', () => {
  for (const { propertyId } of properties.candidates({ center: { lat: 40.7, lon: -74 }, radiusKm: 10 }, 20)) {
    const { images, guestRatings, popularAmenities } = properties.property(propertyId)
    expect(images.length).toBeGreaterThan(2)
    for (const { hi, med, lo } of images) {
      expect([hi, med, lo].every((address) => /^data:image\/svg\+xml,%3Csvg[^\s"<>#]+%3C\/svg%3E$/.test(address))).toBe(
        true,
      )
      expect(hi.length).toBeLessThan(500)
    }
    expect(guestRatings.overall).toBeGreaterThan(3)
    expect(guestRatings.overall).toBeLessThanOrEqual(5)
    expect(popularAmenities.length).toBeGreaterThan(2)
  }
})

test('candidates are sorted by distance, some sold by both vendors and some by one', () => {
  const found = properties.candidates({ center: { lat: 40.7, lon: -74 }, radiusKm: 10 }, 20)
  expect(found.map((candidate) => candidate.distanceKm)).toEqual(
    found.map((candidate) => candidate.distanceKm).sort((a, b) => a - b),
  )
  expect(new Set(found.map((candidate) => candidate.vendors.length))).toEqual(new Set([1, 2]))
})

test('a property id without a prefix has rooms at every simulated vendor', async () => {
  const stay = { checkIn: '2027-03-01', checkOut: '2027-03-02', occupancies: [{ adults: 2, childrenAges: [] }] }
  const market = { currency: 'EUR', language: 'en', countryCode: 'US' }
  for (const { propertyId } of properties.candidates({ center: { lat: 40.7, lon: -74 }, radiusKm: 10 }, 20)) {
    for (const vendor of vendors('success')) {
      const query = { vendorPropertyId: propertyId, stay, market, timezone: 'UTC' }
      const rooms = await vendor.rooms(query, { signal: AbortSignal.timeout(1_000), requestId: 'unit' })
      expect(rooms).toHaveLength(6)
    }
  }
})
