import { LRUCache } from 'lru-cache'
import { occupancyKey } from '../../../src/domain/stay.ts'
import type { World, WorldRate } from '../contract.ts'

/** Rates of the last few searches: every vendor requests the same ones, once for each kind of rate. */
const RATES_KEPT = 4_000

/** Caches rates by property, stay, party and day. */
export function cacheRates(rates: World['rates']): World['rates'] {
  const kept = new LRUCache<string, WorldRate[]>({ max: RATES_KEPT })
  return (property, checkIn, checkOut, occupancy, today) => {
    const key = `${property.key} ${checkIn} ${checkOut} ${occupancyKey(occupancy)} ${today}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = rates(property, checkIn, checkOut, occupancy, today)
    kept.set(key, found)
    return found
  }
}
