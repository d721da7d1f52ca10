import type { VendorProperty } from '../domain/property.ts'
import { isPoint } from '../lib/geo.ts'

/** A vendor property of more than this is a mistake or an attack; the rest of it is cut off. */
const BOUNDS = {
  id: 64,
  name: 200,
  label: 200,
  description: 20_000,
  images: 120,
  url: 1_000,
  popularAmenities: 40,
  categories: 60,
  amenitiesPerCategory: 120,
  rooms: 150,
  roomImages: 30,
  beds: 20,
  roomAmenities: 150,
} as const

/**
 * Content that may be kept: within bounds and with a place on earth. Undefined for what has no name, no usable id or
 * no believable coordinates; 0,0 is an empty field far more often than a hotel in the Gulf of Guinea.
 */
export function boundContent(property: VendorProperty): VendorProperty | undefined {
  const { lat, lon } = property.location
  const name = cut(property.name.trim(), BOUNDS.name)
  const id = property.vendorPropertyId
  if (name === '' || id === '' || id.length > BOUNDS.id || /[\s\p{Cc}]/u.test(id)) return undefined
  if (!isPoint(lat, lon) || (Math.abs(lat) < 1e-6 && Math.abs(lon) < 1e-6) || Math.abs(lat) > 89.9) return undefined
  return {
    ...property,
    name,
    byeLine: cut(property.byeLine, BOUNDS.label),
    category: cut(property.category, BOUNDS.label),
    chain: cut(property.chain, BOUNDS.label),
    description: cut(property.description, BOUNDS.description),
    starRating: between(property.starRating, 0, 5),
    reviewCount: Math.trunc(between(property.reviewCount, 0, 10_000_000)),
    guestRatings: boundRatings(property.guestRatings),
    images: boundImages(property.images, BOUNDS.images),
    address: mapValues(property.address, (text) => cut(text, BOUNDS.label)),
    phone: cut(property.phone, 40),
    popularAmenities: boundLabels(property.popularAmenities, BOUNDS.popularAmenities),
    amenitiesByCategory: Object.fromEntries(
      Object.entries(property.amenitiesByCategory)
        .slice(0, BOUNDS.categories)
        .map(([category, labels]) => [cut(category, BOUNDS.label), boundLabels(labels, BOUNDS.amenitiesPerCategory)]),
    ),
    amenitySlugs: property.amenitySlugs.slice(0, 64),
    rooms: property.rooms.slice(0, BOUNDS.rooms).map(boundRoom),
  }
}

function boundRoom(room: VendorProperty['rooms'][number]): VendorProperty['rooms'][number] {
  const amenities = Object.entries(room.amenities).slice(0, BOUNDS.roomAmenities)
  return {
    ...room,
    name: cut(room.name, BOUNDS.label),
    description: cut(room.description, 4_000),
    beds: boundLabels(room.beds, BOUNDS.beds),
    images: boundImages(room.images, BOUNDS.roomImages),
    amenities: Object.fromEntries(amenities) as typeof room.amenities,
  }
}

/** A picture whose address is cut off shows nothing, so one that is too long goes altogether. */
function boundImages(images: VendorProperty['images'], most: number): VendorProperty['images'] {
  return images
    .filter((image) => image.hi.length <= BOUNDS.url && image.med.length <= BOUNDS.url && image.lo.length <= BOUNDS.url)
    .slice(0, most)
    .map((image) =>
      image.caption.length <= BOUNDS.label ? image : { ...image, caption: cut(image.caption, BOUNDS.label) },
    )
}

function boundRatings(ratings: VendorProperty['guestRatings']): VendorProperty['guestRatings'] {
  return {
    ...mapValues(ratings, (mark) => between(mark, 0, 5)),
    count: Math.trunc(between(ratings.count, 0, 10_000_000)),
  }
}

const boundLabels = (labels: readonly string[], most: number) =>
  labels.slice(0, most).map((label) => cut(label, BOUNDS.label))

function mapValues<K extends string, V>(record: Readonly<Record<K, V>>, change: (value: V) => V): Record<K, V> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, change(value)])) as Record<K, V>
}

/** Cuts between characters, never inside a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
  return text.slice(0, end)
}

const between = (value: number, low: number, high: number) =>
  Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low
