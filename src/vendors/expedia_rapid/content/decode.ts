import {
  type AmenitySlug,
  amenityLabel,
  findAmenitySlug,
  POPULAR_AMENITIES_MAX,
  sortAmenitySlugs,
} from '../../../domain/property/amenity.ts'
import type { Address, GuestRatings, Image, RoomContent, VendorProperty } from '../../../domain/property/property.ts'
import { NO_RATINGS } from '../../../domain/property/property.ts'
import { isPoint, type Point } from '../../../lib/geo.ts'
import { cleanMarkup, plainText } from '../../../lib/text/clean-markup.ts'
import { foldText } from '../../../lib/text/fold-text.ts'
import type { Reading } from '../../transport/call.ts'
import { asEntries, asList, asNumberOrZero, asRecord, asText, decodeEach, readId, type Wire } from '../../wire/read.ts'
import { readClockTime } from '../../wire/read-time.ts'
import { malformed, RAPID } from '../failure.ts'
import { propertyNotices } from '../notices.ts'

type DecodedContent = { readonly properties: readonly VendorProperty[]; readonly dropped: number }

type Frame = { readonly withRooms: boolean }

/**
 * Also called on another thread, so the frame contains everything it needs.
 *
 * @public The thread imports it by this name.
 */
export const read = (body: unknown, { withRooms }: Frame): DecodedContent => decodeContent(body, withRooms)

export const createReading = (frame: Frame): Reading<DecodedContent, Frame> => ({
  module: import.meta.url,
  read,
  frame,
})

/** Decodes a page of content: a map by property id. */
export function decodeContent(body: unknown, withRooms = true): DecodedContent {
  if (asRecord(body) === undefined) throw malformed('content is not a map')
  const { decoded, dropped } = decodeEach(asEntries(body), ([key, value]) => decodeProperty(value, key))
  const properties = withRooms ? decoded : decoded.map((property) => ({ ...property, roomsUnread: true as const }))
  return { properties, dropped }
}

/** Decodes the property ids in a polygon: a map by id. */
export function decodeGeography(body: unknown): string[] {
  if (asRecord(body) === undefined) throw malformed('the properties of a polygon are not a map')
  return asEntries(body)
    .map(([key, value]) => readId(asRecord(value)?.property_id) || readId(key))
    .filter((id) => id !== '')
}

/** Properties without a name or location are dropped, because they cannot be shown or found. */
function decodeProperty(value: unknown, key: string): VendorProperty | undefined {
  const content = asRecord(value)
  const id = readId(content?.property_id) || key
  const name = plainText(asText(content?.name))
  const isObfuscated = requiresObfuscation(content)
  const location = decodePoint(content, isObfuscated)
  if (content === undefined || !/^\d{1,20}$/.test(id) || name === '' || location === undefined) return undefined
  const phone = decodePhone(asText(content.phone))
  const exact = {
    location: decodePoint(content, false) ?? location,
    address: decodeAddress(content.address, false),
    phone,
  }
  const ratings = asRecord(content.ratings)
  const guestRatings = decodeRatings(ratings?.guest)
  const descriptions = asRecord(content.descriptions) ?? {}
  return {
    vendorId: RAPID,
    vendorPropertyId: id,
    name,
    byeLine: plainText(asText(descriptions.headline)),
    category: readName(content.category),
    chain: decodeChain(content),
    description: decodeDescription(descriptions),
    starRating: decodeStars(ratings?.property),
    guestRatings,
    reviewCount: guestRatings.count,
    images: decodeImages(content.images),
    location,
    address: decodeAddress(content.address, isObfuscated),
    phone: isObfuscated ? '' : phone,
    ...(isObfuscated && { afterBooking: exact }),
    ...decodeAmenities(content),
    checkInTime: readClockTime(asRecord(content.checkin)?.begin_time),
    checkOutTime: readClockTime(asRecord(content.checkout)?.time),
    rooms: asEntries(content.rooms).flatMap(([roomKey, room]) => decodeRoom(room, roomKey) ?? []),
    notices: propertyNotices(content),
  }
}

const readName = (value: unknown): string => plainText(asText(asRecord(value)?.name))

/** The brand is more specific than the chain. Rapid writes "Independent" for neither. */
function decodeChain(content: Wire): string {
  const names = [readName(content.brand), readName(content.chain)]
  return names.find((name) => name !== '' && name.toLowerCase() !== 'independent') ?? ''
}

/** With either flag, only the town and an obfuscated location may be shown before booking. */
function requiresObfuscation(content: Wire | undefined): boolean {
  return (
    asRecord(content?.address)?.obfuscation_required === true ||
    asRecord(content?.location)?.obfuscation_required === true
  )
}

function decodePoint(content: Wire | undefined, isObfuscated: boolean): Point | undefined {
  const location = asRecord(content?.location)
  const exact = readCoordinates(location?.coordinates)
  if (!isObfuscated) return exact
  const blurred = readCoordinates(location?.obfuscated_coordinates)
  // Rounds to about a kilometre if Rapid requires obfuscation but sends no coordinates for it.
  const blur = (degrees: number) => Math.round(degrees * 100) / 100
  return blurred ?? (exact === undefined ? undefined : { lat: blur(exact.lat), lon: blur(exact.lon) })
}

function readCoordinates(value: unknown): Point | undefined {
  const point = asRecord(value)
  const [lat, lon] = [point?.latitude, point?.longitude]
  return typeof lat === 'number' && typeof lon === 'number' && isPoint(lat, lon) ? { lat, lon } : undefined
}

function decodeAddress(value: unknown, isObfuscated: boolean): Address {
  const address = asRecord(value)
  const shown = (part: unknown) => (isObfuscated ? '' : plainText(asText(part)))
  const country = asText(address?.country_code).toUpperCase()
  return {
    line1: shown(address?.line_1),
    line2: shown(address?.line_2),
    city: plainText(asText(address?.city)),
    region: plainText(asText(address?.state_province_name) || asText(address?.state_province_code)),
    postalCode: shown(address?.postal_code),
    countryCode: /^[A-Z]{2}$/.test(country) ? country : '',
  }
}

/** Rapid separates the country code with a dash: "1-417-862-0153". */
function decodePhone(phone: string): string {
  const digits = phone.replace(/\D/g, '').slice(0, 20)
  return digits !== '' && /^\s*(\+|\d{1,3}-)/.test(phone) ? `+${digits}` : digits
}

const clamp = (value: number): number => Math.min(5, Math.max(0, value))

/** In steps of one half; "0.0" and blank mean unrated. */
const decodeStars = (value: unknown): number => Math.round(clamp(asNumberOrZero(asRecord(value)?.rating)) * 2) / 2

function decodeRatings(value: unknown): GuestRatings {
  const marks = asRecord(value)
  if (marks === undefined) return NO_RATINGS
  return {
    amenities: clamp(asNumberOrZero(marks.amenities)),
    cleanliness: clamp(asNumberOrZero(marks.cleanliness)),
    comfort: clamp(asNumberOrZero(marks.comfort)),
    condition: clamp(asNumberOrZero(marks.condition)),
    overall: clamp(asNumberOrZero(marks.overall)),
    service: clamp(asNumberOrZero(marks.service)),
    count: Math.max(0, Math.trunc(asNumberOrZero(marks.count))),
  }
}

/** Most informative first. */
const TEXTS = [
  'general',
  'location',
  'rooms',
  'amenities',
  'dining',
  'business_amenities',
  'renovations',
  'attractions',
]

const decodeDescription = (descriptions: Readonly<Record<string, unknown>>): string =>
  TEXTS.map((name) => cleanMarkup(asText(descriptions[name]))).join('')

const WIDTHS = ['1000px', '350px', '200px', '70px'] as const

/** A missing size is replaced by the next smaller, else by the next larger one. */
function decodeImages(value: unknown): Image[] {
  return asList(value).flatMap((entry) => {
    const image = asRecord(entry)
    const links = asRecord(image?.links) ?? {}
    const [huge, large, small, tiny] = WIDTHS.map((width) => readImageUrl(links[width]))
    const hi = huge ?? large ?? small ?? tiny
    const med = large ?? small ?? tiny ?? huge
    const lo = small ?? tiny ?? large ?? huge
    if (hi === undefined || med === undefined || lo === undefined) return []
    return { caption: plainText(asText(image?.caption)), hero: image?.hero_image === true, hi, med, lo }
  })
}

function readImageUrl(value: unknown): string | undefined {
  const href = asText(asRecord(value)?.href)
  return /^https?:\/\/[^\s"'<>]+$/i.test(href) && href.length <= 2_000 && URL.canParse(href) ? href : undefined
}

type Amenity = { readonly id: string; readonly name: string; readonly categories: readonly string[] }

function readAmenities(value: unknown): Amenity[] {
  return asEntries(value).flatMap(([key, entry]) => {
    const amenity = asRecord(entry)
    const name = plainText(asText(amenity?.name))
    // "Number of indoor pools - 0" means that the property lacks a pool.
    const id = readId(amenity?.id) || readId(key)
    if (amenity === undefined || id === '' || name === '' || String(amenity.value) === '0') return []
    return {
      id,
      name,
      categories: asList(amenity.categories)
        .map(readId)
        .filter((category) => category !== ''),
    }
  })
}

const PETS_ALLOWED = '51'

function decodeAmenities(content: Wire) {
  const byCategory = new Map<string, string[]>()
  const slugs = new Set<AmenitySlug>()
  for (const { name, categories } of readAmenities(content.amenities)) {
    const slug = findAmenitySlug(foldText(name))
    if (slug !== undefined) slugs.add(slug)
    for (const category of categories.length > 0 ? categories : ['Other']) {
      const label = category === 'Other' ? category : formatCategory(category)
      byCategory.set(label, [...(byCategory.get(label) ?? []), name])
    }
  }
  const pets = asRecord(content.attributes)?.pets
  if (readAmenities(pets).some(({ id }) => id === PETS_ALLOWED)) slugs.add('pets')
  const amenitySlugs = sortAmenitySlugs(slugs)
  return {
    popularAmenities: amenitySlugs.slice(0, POPULAR_AMENITIES_MAX).map(amenityLabel),
    amenitiesByCategory: Object.fromEntries(byCategory),
    amenitySlugs,
  }
}

/** "swimming_pool" → "Swimming pool". */
function formatCategory(category: string): string {
  const words = plainText(category).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function decodeRoom(value: unknown, key: string): RoomContent | undefined {
  const room = asRecord(value)
  const id = readId(room?.id) || readId(key)
  const name = plainText(asText(room?.name))
  if (room === undefined || id === '' || name === '') return undefined
  const area = asRecord(room.area)
  const allowed = asRecord(room.occupancy)?.max_allowed
  const beds = asEntries(room.bed_groups).map(([, bed]) => plainText(asText(asRecord(bed)?.description)))
  return {
    id,
    name,
    description: cleanMarkup(asText(asRecord(room.descriptions)?.overview)),
    squareMeters: Math.max(0, asNumberOrZero(area?.square_meters)),
    squareFeet: Math.max(0, asNumberOrZero(area?.square_feet)),
    sleeps: Math.max(0, Math.trunc(asNumberOrZero(asRecord(allowed)?.total))),
    beds: beds.filter((bed) => bed !== ''),
    images: decodeImages(room.images),
    amenities: Object.fromEntries(
      readAmenities(room.amenities).map(({ id, name: label, categories }) => [
        id,
        { id, name: label, ...(categories.length === 0 ? {} : { categories }) },
      ]),
    ),
  }
}
