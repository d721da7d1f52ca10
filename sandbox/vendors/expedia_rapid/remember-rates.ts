import { LRUCache } from 'lru-cache'
import { occupancyKey } from '../../../src/domain/stay.ts'
import type { VendorWorld, WorldRate } from '../../world/contract.ts'

/** About a hundred searches. */
const RATES_KEPT = 4_000

/** The same world with a cache of the rates by property, stay, party and day. */
export function rememberRates(world: VendorWorld): VendorWorld {
  const kept = new LRUCache<string, WorldRate[]>({ max: RATES_KEPT })
  return {
    ...world,
    rates(property, checkIn, checkOut, occupancy, today) {
      const key = `${property.key} ${checkIn} ${checkOut} ${occupancyKey(occupancy)} ${today}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const rates = world.rates(property, checkIn, checkOut, occupancy, today)
      kept.set(key, rates)
      return rates
    },
  }
}
