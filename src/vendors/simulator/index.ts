import type { VendorProperty } from '../../domain/property/property.ts'
import type { SimulatedOutcome } from '../../domain/simulation.ts'
import { type Circle, distanceKm } from '../../lib/geo.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Vendor } from '../contract.ts'
import { describeProperty, describeRoom } from './describe.ts'
import { roomKindsOf } from './models.ts'
import { SIMULATOR_IDS, type Site, siteOf, sitesAround, vendorPropertyIdOf } from './sites.ts'
import { createSimulatorVendor } from './vendor.ts'

/** Stands for all vendors behind `x-simulate-return`: the same question has the same answer on every machine. */
export function createSimulator({ clock }: { readonly clock: Clock }) {
  return {
    /** Two vendors that behave as the header asks. */
    vendors: (outcome: SimulatedOutcome): readonly Vendor[] =>
      SIMULATOR_IDS.map((id) => createSimulatorVendor(id, outcome, clock)),

    /** Their properties, in the shape in which a search looks for them; every id has one. */
    properties: {
      candidates: (circle: Circle, limit: number) =>
        sitesAround(circle)
          .slice(0, limit)
          .map((site) => ({
            propertyId: site.propertyId,
            point: site.point,
            distanceKm: distanceKm(circle.center, site.point),
            vendors: soldAs(site),
          })),
      vendorsOf: async (propertyId: string) => soldAs(siteOf(propertyId)),
      property: propertyOf,
      async content(propertyId: string) {
        const site = siteOf(propertyId)
        const roomOf = (vendorId: string, roomId: string) => {
          const seller = site.sellers.find((id) => id === vendorId)
          const kind = roomKindsOf(site.model).find(({ id }) => id === roomId)
          return seller && kind && describeRoom(seller, site, kind)
        }
        const contents = site.sellers.map((id) => describeProperty(id, site))
        return { merged: propertyOf(propertyId), contents, roomOf, noticesOf: () => [] }
      },
    },
  }
}

const soldAs = ({ propertyId, sellers }: Site) =>
  sellers.map((vendorId) => ({ vendorId, vendorPropertyId: vendorPropertyIdOf(vendorId, propertyId) }))

/** As its first vendor describes it. */
function propertyOf(propertyId: string): VendorProperty {
  const site = siteOf(propertyId)
  return describeProperty(site.sellers[0] ?? 'simulator_a', site)
}
