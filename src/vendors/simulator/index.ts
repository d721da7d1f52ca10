import type { VendorProperty } from '../../domain/property/property.ts'
import type { SimulatedOutcome } from '../../domain/simulation.ts'
import { type Circle, distanceKm } from '../../lib/geo.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Vendor } from '../contract.ts'
import { describeRoom, describeSimulatedProperty } from './describe.ts'
import { listRoomKinds } from './models.ts'
import { resolveSite, SIMULATOR_IDS, type Site, sitesAround, toVendorPropertyId } from './sites.ts'
import { createSimulatorVendor } from './vendor.ts'

/** Replaces all vendors for `x-simulate-return`. Deterministic on every machine. */
export function createSimulator({ clock }: { readonly clock: Clock }) {
  return {
    /** Two vendors that behave according to the header. */
    vendors: (outcome: SimulatedOutcome): readonly Vendor[] =>
      SIMULATOR_IDS.map((id) => createSimulatorVendor(id, outcome, clock)),

    /** Properties in the format that a search expects; every id is valid. */
    properties: {
      candidates: (circle: Circle, limit: number) =>
        sitesAround(circle)
          .slice(0, limit)
          .map((site) => ({
            propertyId: site.propertyId,
            point: site.point,
            distanceKm: distanceKm(circle.center, site.point),
            vendors: listSellers(site),
          })),
      listVendors: async (propertyId: string) => listSellers(resolveSite(propertyId)),
      property: describeSite,
      async content(propertyId: string) {
        const site = resolveSite(propertyId)
        const describeSoldRoom = (vendorId: string, roomId: string) => {
          const seller = site.sellers.find((id) => id === vendorId)
          const kind = listRoomKinds(site.model).find(({ id }) => id === roomId)
          return seller && kind && describeRoom(seller, site, kind)
        }
        const contents = site.sellers.map((id) => describeSimulatedProperty(id, site))
        return { merged: describeSite(propertyId), contents, findRoom: describeSoldRoom, listNotices: () => [] }
      },
    },
  }
}

const listSellers = ({ propertyId, sellers }: Site) =>
  sellers.map((vendorId) => ({ vendorId, vendorPropertyId: toVendorPropertyId(vendorId, propertyId) }))

/** Uses the description of its first vendor. */
function describeSite(propertyId: string): VendorProperty {
  const site = resolveSite(propertyId)
  return describeSimulatedProperty(site.sellers[0] ?? 'simulator_a', site)
}
