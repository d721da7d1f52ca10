import type { VendorProperty } from '../../domain/property/property.ts'
import { isPoint } from '../../lib/geo.ts'
import { truncate } from '../../lib/text/truncate.ts'

/** Larger values are a mistake or an attack and are truncated. */
const LABEL_MAX = 200
const URL_MAX = 1_000

/**
 * Truncates oversized content. Undefined without a name, a usable id or plausible coordinates; 0,0 is an empty field far more
 * often than a property in the Gulf of Guinea.
 */
export function boundContent(property: VendorProperty): VendorProperty | undefined {
  const { lat, lon } = property.location
  const name = truncate(property.name.trim(), LABEL_MAX)
  const id = property.vendorPropertyId
  if (name === '' || id === '' || id.length > 64 || /[\s\p{Cc}]/u.test(id)) return undefined
  if (!isPoint(lat, lon) || (Math.abs(lat) < 1e-6 && Math.abs(lon) < 1e-6) || Math.abs(lat) > 89.9) return undefined
  return {
    ...property,
    name,
    byeLine: truncate(property.byeLine, LABEL_MAX),
    category: truncate(property.category, LABEL_MAX),
    chain: truncate(property.chain, LABEL_MAX),
    description: truncate(property.description, 20_000),
    starRating: between(property.starRating, 0, 5),
    reviewCount: Math.trunc(between(property.reviewCount, 0, 10_000_000)),
    guestRatings: boundRatings(property.guestRatings),
    images: boundImages(property.images, 120),
    ...boundPlace(property),
    ...(property.afterBooking && {
      afterBooking: { ...boundPlace(property.afterBooking), location: property.afterBooking.location },
    }),
    popularAmenities: boundLabels(property.popularAmenities, 40),
    amenitiesByCategory: Object.fromEntries(
      Object.entries(property.amenitiesByCategory)
        .slice(0, 60)
        .map(([category, labels]) => [truncate(category, LABEL_MAX), boundLabels(labels, 120)]),
    ),
    amenitySlugs: property.amenitySlugs.slice(0, 64),
    rooms: property.rooms.slice(0, 150).map(boundRoom),
    ...(property.notices !== undefined && { notices: property.notices.slice(0, 40) }),
  }
}

const boundPlace = ({ address, phone }: Pick<VendorProperty, 'address' | 'phone'>) => ({
  address: mapValues(address, (text) => truncate(text, LABEL_MAX)),
  phone: truncate(phone, 40),
})

function boundRoom(room: VendorProperty['rooms'][number]): VendorProperty['rooms'][number] {
  const amenities = Object.entries(room.amenities).slice(0, 150)
  return {
    ...room,
    name: truncate(room.name, LABEL_MAX),
    description: truncate(room.description, 4_000),
    beds: boundLabels(room.beds, 20),
    images: boundImages(room.images, 30),
    amenities: Object.fromEntries(amenities) as typeof room.amenities,
  }
}

/** Drops images with overlong URLs, because a truncated URL would show nothing. */
function boundImages(images: VendorProperty['images'], max: number): VendorProperty['images'] {
  return images
    .filter((image) => image.hi.length <= URL_MAX && image.med.length <= URL_MAX && image.lo.length <= URL_MAX)
    .slice(0, max)
    .map((image) =>
      image.caption.length <= LABEL_MAX ? image : { ...image, caption: truncate(image.caption, LABEL_MAX) },
    )
}

function boundRatings(ratings: VendorProperty['guestRatings']): VendorProperty['guestRatings'] {
  return {
    ...mapValues(ratings, (mark) => between(mark, 0, 5)),
    count: Math.trunc(between(ratings.count, 0, 10_000_000)),
  }
}

const boundLabels = (labels: readonly string[], max: number) =>
  labels.slice(0, max).map((label) => truncate(label, LABEL_MAX))

function mapValues<K extends string, V>(record: Readonly<Record<K, V>>, change: (value: V) => V): Record<K, V> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, change(value)])) as Record<K, V>
}

const between = (value: number, low: number, high: number) =>
  Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low
