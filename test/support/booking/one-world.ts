import type { SearchStore } from '../../../src/search/store/searches.ts'
import type { Worlds } from '../../../src/search/world.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'

/** A world with one vendor and no catalogue, whatever is asked for. */
export function oneWorld(vendor: Vendor): Worlds {
  const world = {
    vendors: [vendor],
    properties: {
      around: async () => ({ radiusKm: 0, candidates: [], gaps: new Map() }),
      summaries: async () => new Map(),
      vendorsOf: async () => [],
      vendorProperty: async () => undefined,
      content: async () => undefined,
      remarks: async () => new Map(),
    },
    answers: { availability: nobodyAsks, rooms: nobodyAsks },
    simulated: false,
  } as const
  return { real: world, of: () => world }
}

const nobodyAsks = Object.assign(() => Promise.reject(new Error('nobody searches here')), {
  forget: () => undefined,
  forgotten: () => 0,
})

/** Nothing was ever searched for: a booking that is sold out finds no alternatives. */
export const noSearches: SearchStore = {
  listing: () => {
    throw new Error('nobody lists searches here')
  },
  save: async () => undefined,
  withResults: async () => undefined,
  forgetExpired: async () => 0,
}
