import type { RoomContent, VendorProperty } from '../../domain/property.ts'
import type { SimulatedOutcome } from '../../domain/simulation.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Circle, distanceKm, type Point } from '../../lib/geo.ts'
import type { Vendor } from '../contract.ts'
import { describeProperty, houseOf, sellersOf } from './describe.ts'
import { describeRoom, roomKindsOf } from './rooms.ts'
import { createSimulatorVendor } from './simulator-vendor.ts'
import { type Site, siteOf, townAround } from './town.ts'
import { SIMULATOR_IDS, vendorPropertyIdOf } from './vendor-ids.ts'

export { SIMULATOR_IDS } from './vendor-ids.ts'

type SoldAs = { readonly vendorId: string; readonly vendorPropertyId: string }

/** The simulator's properties, in the shape in which a search looks for them. */
export type SimulatedProperties = {
  candidates(
    circle: Circle,
    limit: number,
  ): readonly {
    readonly propertyId: string
    readonly point: Point
    readonly distanceKm: number
    readonly vendors: readonly SoldAs[]
  }[]
  vendorsOf(propertyId: string): Promise<readonly SoldAs[]>
  content(propertyId: string): Promise<{
    readonly merged: VendorProperty
    roomOf(vendorId: string, roomId: string): RoomContent | undefined
  }>
  /** What a result line says of the property; every id has one. */
  property(propertyId: string): VendorProperty
}

export type Simulator = {
  /** Two vendors that behave as the header asks. */
  vendors(outcome: SimulatedOutcome): readonly Vendor[]
  readonly properties: SimulatedProperties
}

/** Stands in for all vendors behind `x-simulate-return`: the same question has the same answer on every machine. */
export function createSimulator({ clock }: { readonly clock: Clock }): Simulator {
  const made = new Map<SimulatedOutcome, readonly Vendor[]>()
  return {
    vendors(outcome) {
      const vendors = made.get(outcome) ?? SIMULATOR_IDS.map((id) => createSimulatorVendor(id, outcome, clock))
      made.set(outcome, vendors)
      return vendors
    },
    properties: {
      candidates: (circle, limit) =>
        townAround(circle)
          .slice(0, limit)
          .map(({ propertyId, point }) => ({
            propertyId,
            point,
            distanceKm: distanceKm(circle.center, point),
            vendors: soldAs(propertyId),
          })),
      vendorsOf: async (propertyId) => soldAs(propertyId),
      async content(propertyId) {
        const site = siteOf(propertyId)
        return {
          merged: propertyOf(propertyId),
          roomOf: (vendorId, roomId) => roomOf(site, vendorId, roomId),
        }
      },
      property: propertyOf,
    },
  }
}

const soldAs = (propertyId: string): SoldAs[] =>
  sellersOf(siteOf(propertyId)).map((vendorId) => ({
    vendorId,
    vendorPropertyId: vendorPropertyIdOf(vendorId, propertyId),
  }))

function roomOf(site: Site, vendorId: string, roomId: string): RoomContent | undefined {
  const seller = sellersOf(site).find((id) => id === vendorId)
  const kind = roomKindsOf(houseOf(site)).find(({ id }) => id === roomId)
  return seller && kind && describeRoom(seller, site, kind)
}

function propertyOf(propertyId: string): VendorProperty {
  const site = siteOf(propertyId)
  const [first = 'simulator_a'] = sellersOf(site)
  return describeProperty(first, site)
}
