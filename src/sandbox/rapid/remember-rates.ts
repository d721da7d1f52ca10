import { occupancyKey } from '../../domain/stay.ts'
import type { World, WorldRate } from '../world/contract.ts'

/** About a hundred searches' worth of nothing but numbers. */
const RATES_KEPT = 4_000

/** The same world, that does not work out twice what the same party pays for the same nights on the same day. */
export function rememberRates(world: World): World {
  const kept = new Map<string, WorldRate[]>()
  return {
    ...world,
    rates(property, checkIn, checkOut, occupancy, today) {
      const key = `${property.key} ${checkIn} ${checkOut} ${occupancyKey(occupancy)} ${today}`
      const known = kept.get(key)
      if (known !== undefined) return known
      if (kept.size >= RATES_KEPT) kept.clear()
      const rates = world.rates(property, checkIn, checkOut, occupancy, today)
      kept.set(key, rates)
      return rates
    },
  }
}
