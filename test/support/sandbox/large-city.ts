import type { Place } from '../../../sandbox/world/contract.ts'
import { TEST_PLACES } from './places.ts'

const barcelona = TEST_PLACES.find(({ name }) => name === 'Barcelona')

/** Adds suburbs around Barcelona, so that it has more properties than fit into one page or call. */
export const withLargeCity = (suburbs: number): readonly Place[] => [
  ...TEST_PLACES,
  ...(barcelona === undefined
    ? []
    : Array.from({ length: suburbs }, (_, index) => createSuburb(barcelona, index, suburbs))),
]

function createSuburb(city: Place, index: number, suburbs: number): Place {
  const angle = (index / suburbs) * 2 * Math.PI
  return {
    ...city,
    sourceId: 16_000_000 + index,
    name: `Suburb ${index}`,
    population: 2_000_000,
    point: { lat: city.point.lat + 0.03 * Math.sin(angle), lon: city.point.lon + 0.04 * Math.cos(angle) },
  }
}
