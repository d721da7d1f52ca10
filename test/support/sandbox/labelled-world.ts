import { STAND_INS } from '../../../sandbox/stand-ins.ts'
import type { Place, VendorView, WorldProperty } from '../../../sandbox/world/contract.ts'
import { createVendorWorld } from '../../../sandbox/world/vendor-view/vendor-view.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import type { LabelledPair, LabelledSet } from '../../../scripts/score/labelled-set.ts'
import type { MatchFacts } from '../../../src/catalogue/matching/match-traits.ts'
import { rowKey } from '../../../src/catalogue/properties/vendor-key.ts'

/** Rows of fixtures/places.tsv: real places, a mixture of sizes and countries (GeoNames, CC BY 4.0). */
export function readPlaces(tsv: string): Place[] {
  return tsv
    .trim()
    .split('\n')
    .map((line) => {
      const [id, name = '', countryCode = '', lat, lon, population, timezone = ''] = line.split('\t')
      return {
        sourceId: Number(id),
        name,
        region: '',
        countryCode,
        countryName: countryCode,
        point: { lat: Number(lat), lon: Number(lon) },
        population: Number(population),
        timezone,
      }
    })
}

/** All properties that stand-in vendors sell in these places, and the pairs that are the same. A vendor may list one twice. */
export function labelledWorld(places: readonly Place[]): LabelledSet {
  const world = createWorld({ places })
  const entries = STAND_INS.flatMap((seller) => {
    const sold = createVendorWorld(seller, world)
    return sold.walk(0, Number.POSITIVE_INFINITY).properties.flatMap((property) => {
      const view = sold.view(property)
      return view === undefined ? [] : [{ truth: property.key, facts: toMatchFacts(seller.id, property, view) }]
    })
  })
  const same: LabelledPair[] = []
  for (const group of Map.groupBy(entries, ({ truth }) => truth).values()) {
    for (const { facts: a } of group) {
      for (const { facts: b } of group) if (a.vendor_id < b.vendor_id) same.push([rowKey(a), rowKey(b)])
    }
  }
  return { records: entries.map(({ facts }) => facts), same, different: [], renamed: [] }
}

const toMatchFacts = (vendorId: string, { kind }: WorldProperty, view: VendorView): MatchFacts => ({
  vendor_id: vendorId,
  vendor_property_id: String(view.vendorPropertyId),
  lat: view.point.lat,
  lon: view.point.lon,
  name: view.name,
  chain: view.chain,
  category: kind,
  star_rating: view.stars,
  phone: view.phone,
  address: view.address.line1,
  city: view.address.city,
  postal_code: view.address.postalCode,
  country_code: view.address.countryCode,
})
