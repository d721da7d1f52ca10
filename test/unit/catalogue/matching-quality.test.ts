import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { assignMatches } from '../../../src/catalogue/matching/assign-matches.ts'
import { matchTraitsOf } from '../../../src/catalogue/matching/match-traits.ts'
import { pairNeighbours } from '../../../src/catalogue/matching/pair-neighbours.ts'
import { type Place, SANDBOX_VENDORS } from '../../../src/sandbox/world/contract.ts'
import { createWorld } from '../../../src/sandbox/world/world.ts'

/** Real places, a mixture of sizes and countries (GeoNames, CC BY 4.0). */
const places = readFileSync(new URL('./fixtures/places.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  // A third of the places keeps this ring quick; bench/matching.ts measures all of them, 14,000 pairs.
  .filter((_, row) => row % 3 === 0)
  .map((line): Place => {
    const [id, name = '', countryCode = '', lat, lon, population, timezone = ''] = line.split('\t')
    const point = { lat: Number(lat), lon: Number(lon) }
    return {
      sourceId: Number(id),
      name,
      region: '',
      countryCode,
      countryName: countryCode,
      point,
      population: Number(population),
      timezone,
    }
  })

test('over thousands of pairs with look-alikes, precision is at least 0.995 and recall at least 0.97', () => {
  const world = createWorld({ places })
  const truth: number[] = []
  const nodes = SANDBOX_VENDORS.flatMap((vendor) =>
    world.walk(vendor, 0, 1_000_000).properties.flatMap((property) => {
      const view = world.view(vendor, property)
      if (view === undefined) return []
      truth.push(property.key)
      const traits = matchTraitsOf({
        vendor_id: vendor,
        vendor_property_id: String(view.vendorPropertyId),
        lat: view.point.lat,
        lon: view.point.lon,
        name: view.name,
        chain: view.chain,
        category: property.kind,
        star_rating: view.stars,
        phone: view.phone,
        address: view.address.line1,
        city: view.address.city,
        postal_code: view.address.postalCode,
        country_code: view.address.countryCode,
      })
      return [{ traits, propertyId: undefined }]
    }),
  )
  const groups = assignMatches({ nodes, pairs: pairNeighbours(nodes, () => true) })
  const matched = groups.filter(({ members }) => members.length === 2)
  const right = matched.filter(({ members: [a = 0, b = 0] }) => truth[a] === truth[b]).length
  const possible = truth.length - new Set(truth).size
  expect(possible).toBeGreaterThan(4_000)
  expect(right / matched.length).toBeGreaterThanOrEqual(0.995)
  expect(right / possible).toBeGreaterThanOrEqual(0.97)
})
