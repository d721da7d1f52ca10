import { amenityLabel, amenitySlugOf, inTableOrder, POPULAR_MAX } from '../../../domain/property/amenity.ts'
import { type Image, NO_RATINGS, type RoomContent, type VendorProperty } from '../../../domain/property/property.ts'
import { cleanMarkup, plainText } from '../../../lib/text/clean-markup.ts'
import { foldText } from '../../../lib/text/fold-text.ts'
import {
  codeOf,
  idOf,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf,
  textsOf,
  type Wire,
  wholeOf,
} from '../../wire/read.ts'
import { bedsOf, phoneOf, pointOf, SQUARE_FEET_PER_METER } from '../../wire/read-content.ts'
import { clockTime } from '../../wire/read-time.ts'
import { VENDOR } from '../failure.ts'
import { propertyNotices } from '../notices.ts'
import { isPropertyId } from '../wire.ts'
import type { CodeNames } from './code-lists.ts'

/** The vendor sells it no longer. */
export const isDeleted = ({ deletedAt }: Wire): boolean => textOf(deletedAt) !== ''

const shown = (value: unknown, max = 200): string => plainText(textOf(value)).slice(0, max)

/**
 * One property, from the short form of a list or the long one of a detail, which differ in most of their names. Undefined
 * when it cannot be shown or found.
 */
export function decodeProperty(property: Wire, names: CodeNames): VendorProperty | undefined {
  const vendorPropertyId = textOf(property.id)
  const name = shown(property.name)
  const location = pointOf(recordOf(property.location) ?? property)
  const countryCode = textOf(property.country).toUpperCase()
  if (!isPropertyId(vendorPropertyId) || name === '' || location === undefined) return undefined
  const times = recordOf(property.checkinCheckoutTimes)
  const chain = shown(property.chain)
  return {
    vendorId: VENDOR,
    vendorPropertyId,
    name,
    byeLine: '',
    category: shown(property.hotelType, 60) || names.kind(codeOf(property.hotelTypeId)),
    chain: /^not available$/i.test(chain) ? '' : chain,
    description: cleanMarkup(textOf(property.hotelDescription)),
    starRating: starsOf(property),
    ...ratingsOf(property),
    images: imagesOf(property),
    location,
    address: {
      line1: shown(property.address),
      line2: '',
      city: shown(property.city, 100),
      region: '',
      postalCode: shown(property.zip, 20),
      countryCode: /^[A-Z]{2}$/.test(countryCode) ? countryCode : '',
    },
    phone: phoneOf(property.phone),
    ...amenitiesOf(facilityNames(property, names)),
    checkInTime: clockTime(times?.checkin_start),
    checkOutTime: clockTime(times?.checkout),
    rooms: recordsOf(property.rooms).flatMap((room) => decodeRoom(room) ?? []),
    notices: propertyNotices(property),
  }
}

const within = (value: number, max: number): number => Math.min(max, Math.max(0, value))

/** In halves. */
const starsOf = ({ stars, starRating }: Wire): number => Math.round(within(numberOf(stars ?? starRating), 5) * 2) / 2

/** The vendor's marks go to ten. */
const markOf = (value: unknown): number => within(numberOf(value), 10) / 2

function ratingsOf(property: Wire): Pick<VendorProperty, 'guestRatings' | 'reviewCount'> {
  const count = within(wholeOf(property.reviewCount) ?? 0, 10_000_000)
  const overall = markOf(property.rating)
  if (overall === 0) return { guestRatings: NO_RATINGS, reviewCount: count }
  const byName = new Map(
    recordsOf(recordOf(property.sentiment_analysis)?.categories).map((one) => [foldText(shown(one.name)), one.rating]),
  )
  const guestRatings = {
    ...NO_RATINGS,
    overall,
    count,
    cleanliness: markOf(byName.get('cleanliness')),
    service: markOf(byName.get('service')),
    amenities: markOf(byName.get('amenities')),
  }
  return { guestRatings, reviewCount: count }
}

const isAddress = (url: string): boolean => /^https?:\/\/\S+$/.test(url)

/** The one that the vendor calls the default is the hero; where there is no list, the one picture is. */
function imagesOf(property: Wire): Image[] {
  const images = recordsOf(property.hotelImages).flatMap(({ url, urlHd, caption, defaultImage }) =>
    imageOf(textOf(url), textOf(urlHd), shown(caption, 120), defaultImage === true),
  )
  const own = imageOf(textOf(property.main_photo), '', '', true, textOf(property.thumbnail))
  const all = images.length > 0 ? images : own
  return all.some(({ hero }) => hero) ? all : all.map((image, at) => ({ ...image, hero: at === 0 }))
}

function imageOf(url: string, hd: string, caption: string, hero: boolean, small = ''): Image[] {
  if (!isAddress(url)) return []
  return [{ caption, hero, hi: isAddress(hd) ? hd : url, med: url, lo: isAddress(small) ? small : url }]
}

function facilityNames(property: Wire, names: CodeNames): string[] {
  const named = recordsOf(property.facilities).map(({ name }) => shown(name, 100))
  const listed = textsOf(property.hotelFacilities).map((name) => shown(name, 100))
  const numbered = listOf(property.facilityIds).map((id) => names.facility(codeOf(id)))
  return [...new Set([...named, ...listed, ...numbered])].filter((name) => name !== '')
}

function amenitiesOf(labels: readonly string[]) {
  const amenitySlugs = inTableOrder(new Set(labels.map((label) => amenitySlugOf(foldText(label)))))
  return {
    popularAmenities: amenitySlugs.slice(0, POPULAR_MAX).map(amenityLabel),
    amenitiesByCategory: labels.length > 0 ? { Other: labels } : {},
    amenitySlugs,
  }
}

function decodeRoom(room: Wire): RoomContent | undefined {
  const id = idOf(room.id)
  const name = shown(room.roomName)
  if (id === '' || name === '') return undefined
  const size = within(numberOf(room.roomSizeSquare), 100_000)
  const isFeet = /ft|feet|foot/i.test(textOf(room.roomSizeUnit))
  return {
    id,
    name,
    description: cleanMarkup(textOf(room.description)),
    squareMeters: isFeet ? Math.round(size / SQUARE_FEET_PER_METER) : size,
    squareFeet: isFeet ? size : Math.round(size * SQUARE_FEET_PER_METER),
    sleeps: within(wholeOf(room.maxOccupancy) ?? 0, 50),
    beds: recordsOf(room.bedTypes).flatMap(bedOf),
    images: recordsOf(room.photos).flatMap(({ url, hd_url, imageDescription }) =>
      imageOf(textOf(url), textOf(hd_url), shown(imageDescription, 120), false),
    ),
    amenities: Object.fromEntries(
      recordsOf(room.roomAmenities).flatMap((amenity) => {
        const [key, label] = [idOf(amenity.amenitiesId), shown(amenity.name, 100)]
        return key === '' || label === '' ? [] : [[key, { id: key, name: label }]]
      }),
    ),
  }
}

/** "2 twin beds" from `{ quantity: 2, bedType: "Twin bed(s)" }`. */
function bedOf({ quantity, bedType }: Wire): string[] {
  const kind = shown(bedType, 60)
    .toLowerCase()
    .replace(/\(s\)$/, '')
  const count = within(wholeOf(quantity) ?? 1, 20)
  if (kind === '' || count === 0) return []
  return [bedsOf(count, kind)]
}
