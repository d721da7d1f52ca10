import type { VendorProperty } from '../../domain/property/property.ts'
import { refKey } from './vendor-key.ts'

/**
 * Takes each field whole from one vendor, because mixed texts and image lists contradict and repeat themselves. Name and
 * location are the founder's (the first of `contents`), so that a property is never renamed or moved. Rooms are not merged.
 */
export function mergeContent(contents: readonly VendorProperty[]): VendorProperty {
  const [founder, ...others] = contents
  if (founder === undefined) throw new Error('There is no content to merge.')
  if (others.length === 0) return founder
  const byRichness = mostFirst(contents, richness)
  const [richest = founder] = byRichness
  const text = (field: 'byeLine' | 'category' | 'chain' | 'phone' | 'checkInTime' | 'checkOutTime') =>
    byRichness.find((content) => content[field] !== '')?.[field] ?? ''
  const rated = best(contents, (content) => Math.max(content.reviewCount, content.guestRatings.count))
  const equipped = best(contents, amenityCount)
  return {
    ...richest,
    location: founder.location,
    name: founder.name,
    byeLine: text('byeLine'),
    category: text('category'),
    chain: text('chain'),
    phone: text('phone'),
    checkInTime: text('checkInTime'),
    checkOutTime: text('checkOutTime'),
    description: best(contents, (content) => content.description.length).description,
    images: best(contents, (content) => content.images.length).images,
    starRating: byRichness.find((content) => content.starRating > 0)?.starRating ?? 0,
    guestRatings: rated.guestRatings,
    reviewCount: rated.reviewCount,
    address: byRichness.find((content) => content.address.line1 !== '')?.address ?? richest.address,
    popularAmenities: equipped.popularAmenities,
    amenitiesByCategory: equipped.amenitiesByCategory,
    amenitySlugs: [...new Set(contents.flatMap((content) => content.amenitySlugs))].sort(),
  }
}

/** Amount of content of a vendor's record. */
const richness = (content: VendorProperty): number =>
  Math.min(content.images.length, 40) +
  Math.min(content.description.length / 100, 20) +
  Math.min(amenityCount(content), 40) / 2 +
  (content.reviewCount > 0 ? 5 : 0) +
  (content.starRating > 0 ? 2 : 0) +
  (content.byeLine === '' ? 0 : 1)

const amenityCount = (content: VendorProperty): number =>
  content.popularAmenities.length +
  Object.values(content.amenitiesByCategory).reduce((sum, labels) => sum + labels.length, 0)

function mostFirst(contents: readonly VendorProperty[], value: (content: VendorProperty) => number): VendorProperty[] {
  // Breaks ties by vendor id, so that the order of syncs does not matter.
  return [...contents].sort((a, b) => value(b) - value(a) || compare(refKey(a), refKey(b)))
}

function best(contents: readonly VendorProperty[], value: (content: VendorProperty) => number): VendorProperty {
  const [first] = mostFirst(contents, value)
  if (first === undefined) throw new Error('There is no content to choose from.')
  return first
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
