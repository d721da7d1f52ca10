import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { PropertyKind } from '../contract.ts'
import { ASPECT, createRandom, hash } from '../hash.ts'
import type { Traits } from './traits.ts'

/** Probability of each amenity for one to five stars, in per cent. */
// biome-ignore format: a table reads better in rows
const BY_STARS: readonly (readonly [AmenitySlug, number, number, number, number, number])[] = [
  ['wifi', 90, 94, 98, 99, 100],
  ['breakfast', 35, 60, 80, 94, 100],
  ['front_desk_24h', 25, 35, 62, 92, 100],
  ['non_smoking', 60, 70, 82, 90, 92],
  ['air_conditioning', 30, 45, 70, 94, 100],
  ['elevator', 8, 25, 60, 92, 97],
  ['parking', 35, 45, 55, 70, 80],
  ['restaurant', 8, 22, 48, 84, 100],
  ['bar', 10, 25, 55, 88, 100],
  ['laundry', 25, 30, 48, 80, 96],
  ['family', 15, 30, 42, 50, 48],
  ['garden', 18, 25, 28, 30, 42],
  ['room_service', 1, 4, 18, 66, 98],
  ['fitness', 1, 4, 20, 66, 94],
  ['business', 2, 8, 26, 60, 78],
  ['wheelchair', 10, 18, 35, 62, 78],
  ['pets', 22, 26, 30, 28, 24],
  ['airport_shuttle', 8, 12, 16, 28, 42],
  ['spa', 0, 1, 7, 36, 84],
  ['ev_charging', 1, 4, 14, 30, 44],
  ['indoor_pool', 0, 1, 6, 22, 44],
  ['outdoor_pool', 1, 3, 9, 22, 40],
  ['casino', 0, 0, 0.3, 1.5, 4],
]

const ALWAYS: Record<PropertyKind, readonly AmenitySlug[]> = {
  hotel: [],
  apartment: ['kitchen'],
  hostel: ['laundry'],
  guesthouse: [],
  resort: ['restaurant', 'bar', 'garden'],
}
/** Amenities that a kind of property never has, however many stars. */
const NEVER: Record<PropertyKind, readonly AmenitySlug[]> = {
  hotel: [],
  apartment: ['casino', 'room_service'],
  hostel: ['casino', 'room_service', 'spa', 'indoor_pool', 'business'],
  guesthouse: ['casino', 'elevator', 'business', 'fitness', 'indoor_pool'],
  resort: [],
}

export function drawAmenities({ rootKey, stars, kind, setting, place, country }: Traits): AmenitySlug[] {
  const random = createRandom(hash(rootKey, ASPECT.amenities))
  const found = new Set<AmenitySlug>(ALWAYS[kind])
  const low = Math.floor(stars)
  const high = Math.ceil(stars)
  for (const row of BY_STARS) {
    const percent = (Number(row[low] ?? 0) + Number(row[high] ?? 0)) / 2
    if (random.next() * 100 < percent) found.add(row[0])
  }
  const hot = Math.abs(place.point.lat) < 32
  if (hot && random.chance(0.8)) found.add('air_conditioning')
  if (setting === 'beach') {
    if (random.chance(kind === 'resort' ? 0.8 : 0.3)) found.add('beachfront')
    if (random.chance(kind === 'resort' ? 0.95 : 0.12 * stars)) found.add('outdoor_pool')
  }
  if (setting === 'mountain' && random.chance(0.55)) found.add('ski')
  if (kind === 'resort' && random.chance(0.2)) found.add('golf')
  if (random.chance(setting === 'city' ? 0.3 : 0.5)) found.add('balcony')
  // Parking is rarely free in city centres.
  if (found.has('parking') && setting !== 'city' && country.level < 200 && random.chance(0.7)) found.add('free_parking')
  for (const slug of NEVER[kind]) found.delete(slug)
  return [...found]
}
