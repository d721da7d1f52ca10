import { type GuestRatings, NO_RATINGS } from '../../../src/domain/property/property.ts'
import { ASPECT, createRandom, hash } from '../hash.ts'
import type { Traits } from './traits.ts'

/** Better properties have higher ratings on average. About 3 % have no ratings yet. */
export function drawRatings({ key, stars, kind, place }: Traits): GuestRatings {
  const random = createRandom(hash(key, ASPECT.ratings))
  if (random.chance(0.03)) return NO_RATINGS
  const charm = kind === 'guesthouse' ? 0.25 : kind === 'hostel' ? 0.45 : 0
  const luck = (random.next() + random.next() + random.next() - 1.5) * 0.75
  const raw = 3.05 + 0.27 * stars + charm + luck
  // Perfect ratings are rare.
  const base = raw > 4.4 ? 4.4 + (raw - 4.4) * 0.4 : raw
  const mark = (lift: number) =>
    Math.round(Math.max(1.6, Math.min(5, base + lift + random.between(-0.22, 0.22))) * 10) / 10
  const marks = {
    cleanliness: mark(0.12),
    service: mark(0.1),
    comfort: mark(0),
    condition: mark(-0.06),
    amenities: mark(-0.14),
  }
  const mean = (marks.cleanliness + marks.service + marks.comfort + marks.condition + marks.amenities) / 5
  const sizeFactor = Math.log10(Math.max(place.population, 1000)) - 2
  const count = Math.max(3, Math.round(random.next() ** 2.2 * 420 * sizeFactor * (kind === 'guesthouse' ? 0.4 : 1)))
  return { ...marks, overall: Math.round(mean * 10) / 10, count }
}
