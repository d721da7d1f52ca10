import {
  amenityLabel,
  findAmenitySlug,
  POPULAR_AMENITIES_MAX,
  sortAmenitySlugs,
} from '../../../domain/property/amenity.ts'
import { type Image, NO_RATINGS, type RoomContent, type VendorProperty } from '../../../domain/property/property.ts'
import { cleanMarkup, plainText } from '../../../lib/text/clean-markup.ts'
import { foldText } from '../../../lib/text/fold-text.ts'
import {
  asInteger,
  asList,
  asNumberOrZero,
  asRecord,
  asRecords,
  asText,
  asTexts,
  readCode,
  readId,
  type Wire,
} from '../../wire/read.ts'
import { formatBeds, readPhone, readPoint, SQUARE_FEET_PER_METER } from '../../wire/read-content.ts'
import { readClockTime } from '../../wire/read-time.ts'
import { VENDOR } from '../failure.ts'
import { propertyNotices } from '../notices.ts'
import { isLiteapiId } from '../wire.ts'
import type { CodeNames } from './code-lists.ts'

export const isDeleted = ({ deletedAt }: Wire): boolean => asText(deletedAt) !== ''

const readText = (value: unknown, max = 200): string => plainText(asText(value)).slice(0, max)

/**
 * Decodes the short form of a list or the long form of a detail, whose fields have different names. Undefined if the
 * property cannot be shown or found.
 */
export function decodeProperty(property: Wire, names: CodeNames): VendorProperty | undefined {
  const vendorPropertyId = asText(property.id)
  const name = readText(property.name)
  const location = readPoint(asRecord(property.location) ?? property)
  const countryCode = asText(property.country).toUpperCase()
  if (!isLiteapiId(vendorPropertyId) || name === '' || location === undefined) return undefined
  const times = asRecord(property.checkinCheckoutTimes)
  const chain = readText(property.chain)
  return {
    vendorId: VENDOR,
    vendorPropertyId,
    name,
    byeLine: '',
    category: readText(property.hotelType, 60) || names.kind(readCode(property.hotelTypeId)),
    chain: /^not available$/i.test(chain) ? '' : chain,
    description: cleanMarkup(asText(property.hotelDescription)),
    starRating: readStars(property),
    ...decodeRatings(property),
    images: decodeImages(property),
    location,
    address: {
      line1: readText(property.address),
      line2: '',
      city: readText(property.city, 100),
      region: '',
      postalCode: readText(property.zip, 20),
      countryCode: /^[A-Z]{2}$/.test(countryCode) ? countryCode : '',
    },
    phone: readPhone(property.phone),
    ...decodeAmenities(facilityNames(property, names)),
    checkInTime: readClockTime(times?.checkin_start),
    checkOutTime: readClockTime(times?.checkout),
    rooms: asRecords(property.rooms).flatMap((room) => decodeRoom(room) ?? []),
    notices: propertyNotices(property),
  }
}

const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value))

/** In steps of one half. */
const readStars = ({ stars, starRating }: Wire): number =>
  Math.round(clamp(asNumberOrZero(stars ?? starRating), 5) * 2) / 2

/** The vendor's scale ends at ten. */
const readMark = (value: unknown): number => clamp(asNumberOrZero(value), 10) / 2

function decodeRatings(property: Wire): Pick<VendorProperty, 'guestRatings' | 'reviewCount'> {
  const count = clamp(asInteger(property.reviewCount) ?? 0, 10_000_000)
  const overall = readMark(property.rating)
  if (overall === 0) return { guestRatings: NO_RATINGS, reviewCount: count }
  const byName = new Map(
    asRecords(asRecord(property.sentiment_analysis)?.categories).map((category) => [
      foldText(readText(category.name)),
      category.rating,
    ]),
  )
  const guestRatings = {
    ...NO_RATINGS,
    overall,
    count,
    cleanliness: readMark(byName.get('cleanliness')),
    service: readMark(byName.get('service')),
    amenities: readMark(byName.get('amenities')),
  }
  return { guestRatings, reviewCount: count }
}

const isUrl = (url: string): boolean => /^https?:\/\/\S+$/.test(url)

/** The vendor's default image is the hero. Without a list, the main photo is used. */
function decodeImages(property: Wire): Image[] {
  const images = asRecords(property.hotelImages).flatMap(({ url, urlHd, caption, defaultImage }) =>
    toImage(asText(url), asText(urlHd), readText(caption, 120), defaultImage === true),
  )
  const mainPhoto = toImage(asText(property.main_photo), '', '', true, asText(property.thumbnail))
  const all = images.length > 0 ? images : mainPhoto
  return all.some(({ hero }) => hero) ? all : all.map((image, index) => ({ ...image, hero: index === 0 }))
}

function toImage(url: string, hd: string, caption: string, hero: boolean, small = ''): Image[] {
  if (!isUrl(url)) return []
  return [{ caption, hero, hi: isUrl(hd) ? hd : url, med: url, lo: isUrl(small) ? small : url }]
}

function facilityNames(property: Wire, names: CodeNames): string[] {
  const named = asRecords(property.facilities).map(({ name }) => readText(name, 100))
  const listed = asTexts(property.hotelFacilities).map((name) => readText(name, 100))
  const numbered = asList(property.facilityIds).map((id) => names.facility(readCode(id)))
  return [...new Set([...named, ...listed, ...numbered])].filter((name) => name !== '')
}

function decodeAmenities(labels: readonly string[]) {
  const amenitySlugs = sortAmenitySlugs(new Set(labels.map((label) => findAmenitySlug(foldText(label)))))
  return {
    popularAmenities: amenitySlugs.slice(0, POPULAR_AMENITIES_MAX).map(amenityLabel),
    amenitiesByCategory: labels.length > 0 ? { Other: labels } : {},
    amenitySlugs,
  }
}

function decodeRoom(room: Wire): RoomContent | undefined {
  const id = readId(room.id)
  const name = readText(room.roomName)
  if (id === '' || name === '') return undefined
  const size = clamp(asNumberOrZero(room.roomSizeSquare), 100_000)
  const isFeet = /ft|feet|foot/i.test(asText(room.roomSizeUnit))
  return {
    id,
    name,
    description: cleanMarkup(asText(room.description)),
    squareMeters: isFeet ? Math.round(size / SQUARE_FEET_PER_METER) : size,
    squareFeet: isFeet ? size : Math.round(size * SQUARE_FEET_PER_METER),
    sleeps: clamp(asInteger(room.maxOccupancy) ?? 0, 50),
    beds: asRecords(room.bedTypes).flatMap(decodeBed),
    images: asRecords(room.photos).flatMap(({ url, hd_url, imageDescription }) =>
      toImage(asText(url), asText(hd_url), readText(imageDescription, 120), false),
    ),
    amenities: Object.fromEntries(
      asRecords(room.roomAmenities).flatMap((amenity) => {
        const [key, label] = [readId(amenity.amenitiesId), readText(amenity.name, 100)]
        return key === '' || label === '' ? [] : [[key, { id: key, name: label }]]
      }),
    ),
  }
}

/** "2 twin beds" from `{ quantity: 2, bedType: "Twin bed(s)" }`. */
function decodeBed({ quantity, bedType }: Wire): string[] {
  const kind = readText(bedType, 60)
    .toLowerCase()
    .replace(/\(s\)$/, '')
  const count = clamp(asInteger(quantity) ?? 1, 20)
  if (kind === '' || count === 0) return []
  return [formatBeds(count, kind)]
}
