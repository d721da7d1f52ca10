import type { SearchStore } from '../../../src/search/store/searches.ts'
import type { Worlds } from '../../../src/search/world.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'

/** Worlds with one vendor and no catalogue. */
export function oneWorld(vendor: Vendor): Worlds {
  const world = {
    vendors: [vendor],
    properties: {
      around: async () => ({ radiusKm: 0, candidates: [], gaps: new Map() }),
      summaries: async () => new Map(),
      listVendors: async () => [],
      vendorProperty: async () => undefined,
      content: async () => undefined,
      remarks: async () => new Map(),
    },
    answers: { availability: failOnSearch, rooms: failOnSearch },
    simulated: false,
  } as const
  return { real: world, select: () => world }
}

const failOnSearch = Object.assign(() => Promise.reject(new Error('unexpected search')), {
  forget: () => undefined,
  forgotten: () => 0,
})

/** An empty search store: a sold-out booking finds no alternatives. */
export const noSearches: SearchStore = {
  listing: () => {
    throw new Error('unexpected listing of searches')
  },
  save: async () => undefined,
  withResults: async () => undefined,
  forgetExpired: async () => 0,
}
