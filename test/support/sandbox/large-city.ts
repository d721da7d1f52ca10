import type { Place } from '../../../sandbox/world/contract.ts'
import { TEST_PLACES } from './places.ts'

const barcelona = TEST_PLACES.find(({ name }) => name === 'Barcelona')

/** The towns of the tests, and suburbs around Barcelona: with them it has more properties than one page or call holds. */
export const withLargeCity = (suburbs: number): readonly Place[] => [
  ...TEST_PLACES,
  ...(barcelona === undefined ? [] : Array.from({ length: suburbs }, (_, at) => suburbOf(barcelona, at, suburbs))),
]

function suburbOf(city: Place, at: number, suburbs: number): Place {
  const angle = (at / suburbs) * 2 * Math.PI
  return {
    ...city,
    sourceId: 16_000_000 + at,
    name: `Suburb ${at}`,
    population: 2_000_000,
    point: { lat: city.point.lat + 0.03 * Math.sin(angle), lon: city.point.lon + 0.04 * Math.cos(angle) },
  }
}
