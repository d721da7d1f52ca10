import {
  type Address,
  type Image,
  NO_RATINGS,
  type RoomContent,
  type VendorProperty,
} from '../../../domain/property/property.ts'
import { cleanMarkup, plainText } from '../../../lib/text/clean-markup.ts'
import { codeOf, recordOf, recordsOf, type Wire, wholeOf } from '../../wire/read.ts'
import { bedsOf, phoneOf, pointOf, SQUARE_FEET_PER_METER } from '../../wire/read-content.ts'
import { fail } from '../failure.ts'
import { contentOf, tidyName } from '../wire.ts'
import type { CodeNames } from './code-lists.ts'
import { decodeImages, type PlacedImage } from './decode-images.ts'
import {
  CHECK_IN,
  CHECK_OUT,
  type Facility,
  labelsByCategory,
  popularLabels,
  ROOM_SIZE,
  readFacilities,
  roomAmenities,
  slugsOf,
} from './facilities.ts'

/** The properties of a content answer: `hotels` for a list, `hotel` where one alone was asked for in full. */
export function propertiesOf(body: unknown): readonly unknown[] {
  const envelope = recordOf(body)
  if (Array.isArray(envelope?.hotels)) return envelope.hotels
  if (recordOf(envelope?.hotel) !== undefined) return [envelope?.hotel]
  // Past the last page there is a total and no list.
  if (envelope?.hotels === undefined && typeof envelope?.total === 'number') return []
  return fail('malformed', 'none', 'no list of properties')
}

/** Codes whose names must be known before the properties can be described. */
export function codesToLearn(items: readonly unknown[]): { chains: Set<string>; rooms: Set<string> } {
  const chains = new Set<string>()
  const rooms = new Set<string>()
  for (const property of recordsOf(items)) {
    chains.add(codeOf(property.chainCode))
    for (const room of recordsOf(property.rooms)) {
      if (room.description === undefined) rooms.add(codeOf(room.roomCode))
    }
  }
  return { chains, rooms }
}

/** One property, from the list's form (codes) or the detail's (objects); undefined when it cannot be shown. */
export function decodeProperty(item: unknown, names: CodeNames, photoBase: string): VendorProperty | undefined {
  const wire = recordOf(item)
  if (wire === undefined) return undefined
  const vendorPropertyId = codeOf(wire.code)
  const name = plainText(contentOf(wire.name)).slice(0, 200)
  const location = pointOf(recordOf(wire.coordinates) ?? {})
  const address = addressOf(wire, names)
  if (!/^\d{1,10}$/.test(vendorPropertyId) || name === '' || location === undefined || address === undefined)
    return undefined
  const facilities = readFacilities(wire.facilities, names)
  const images = decodeImages(wire.images, photoBase)
  const slugs = slugsOf(facilities)
  const checkIn = facilities.find((facility) => facility.key === CHECK_IN)?.hours
  const checkOut = facilities.find((facility) => facility.key === CHECK_OUT)?.hours
  return {
    vendorId: 'hotelbeds',
    vendorPropertyId,
    name,
    byeLine: '',
    category: namedCode(wire.accommodationType, wire.accommodationTypeCode, names.accommodation),
    chain: namedCode(wire.chain, wire.chainCode, names.chain),
    description: cleanMarkup(contentOf(wire.description).replace(/\r\n?|\n/g, '<br>')),
    starRating: names.stars(codeOf(wire.categoryCode) || codeOf(recordOf(wire.category)?.code)),
    guestRatings: NO_RATINGS,
    reviewCount: 0,
    images: images.map(({ image }) => image),
    location,
    address,
    phone: firstPhone(wire.phones),
    popularAmenities: popularLabels(slugs),
    amenitiesByCategory: labelsByCategory(facilities),
    amenitySlugs: slugs,
    checkInTime: checkIn?.from ?? '',
    checkOutTime: checkOut?.to || (checkOut?.from ?? ''),
    rooms: decodeRoomTypes(wire, facilities, images, names),
  }
}

/** A name from the detail's object, or from the list's code. */
function namedCode(object: unknown, code: unknown, nameOf: (code: string) => string): string {
  const named = recordOf(object)
  const given =
    contentOf(named?.description) || contentOf(named?.typeMultiDescription) || contentOf(named?.typeDescription)
  return given === '' ? nameOf(codeOf(code) || codeOf(named?.code)) : tidyName(given)
}

function addressOf(wire: Wire, names: CodeNames): Address | undefined {
  const country = recordOf(wire.country)
  const ownCode = codeOf(wire.countryCode) || codeOf(country?.code)
  const iso = codeOf(country?.isoCode)
  const countryCode = /^[A-Z]{2}$/.test(iso) ? iso : names.country(ownCode)
  if (countryCode === '') return undefined
  const state = recordOf(wire.state)
  return {
    line1: plainText(contentOf(wire.address)).slice(0, 200),
    line2: '',
    city: tidyName(contentOf(wire.city)),
    region: names.state(ownCode, codeOf(wire.stateCode) || codeOf(state?.code)),
    postalCode: plainText(codeOf(wire.postalCode)).slice(0, 20),
    countryCode,
  }
}

const PHONE_TYPES = ['PHONEHOTEL', 'PHONEBOOKING', 'PHONEMANAGEMENT']

/** The hotel's own number before the others; never the fax. */
function firstPhone(phones: unknown): string {
  const known = recordsOf(phones)
  const numbers = PHONE_TYPES.map((type) => phoneOf(known.find(({ phoneType }) => phoneType === type)?.phoneNumber))
  return numbers.find((number) => number !== '') ?? ''
}

function decodeRoomTypes(
  wire: Wire,
  facilities: readonly Facility[],
  images: readonly PlacedImage[],
  names: CodeNames,
): RoomContent[] {
  const everyRoom = facilities.filter((facility) => facility.group === 60)
  const ownNames = ownRoomNames(wire.wildcards)
  const rooms = new Map<string, RoomContent>()
  for (const room of recordsOf(wire.rooms)) {
    const id = codeOf(room.roomCode)
    if (id === '' || rooms.has(id)) continue
    const general = tidyName(contentOf(room.description)) || names.room(id)
    const own = readFacilities(room.roomFacilities, names)
    const squareMeters = own.find((facility) => facility.key === ROOM_SIZE)?.number ?? 0
    const name = ownNames.get(id) ?? general
    rooms.set(id, {
      id,
      name: name === '' ? id : name,
      description: general === name ? '' : general,
      squareMeters,
      squareFeet: Math.round(squareMeters * SQUARE_FEET_PER_METER),
      sleeps: Math.max(0, wholeOf(room.maxPax) ?? 0),
      beds: bedsIn(room.roomStays, names),
      images: images.filter((placed) => placed.roomCode === id).map(({ image }): Image => ({ ...image, hero: false })),
      amenities: roomAmenities([...everyRoom, ...own]),
    })
  }
  return [...rooms.values()]
}

/** What the hotel itself calls its rooms; `roomType` holds the full code there. */
function ownRoomNames(wildcards: unknown): Map<string, string> {
  const names = new Map<string, string>()
  for (const { roomType, hotelRoomDescription } of recordsOf(wildcards)) {
    const name = tidyName(contentOf(hotelRoomDescription))
    if (name !== '') names.set(codeOf(roomType), name)
  }
  return names
}

/** "1 double bed", "2 single beds": group 61 is how the room is, 62 how it may be arranged instead. */
function bedsIn(stays: unknown, names: CodeNames): string[] {
  const counts = new Map<string, number>()
  for (const stay of recordsOf(stays)) {
    for (const bed of readFacilities(stay.roomStayFacilities, names)) {
      if (bed.group !== 61) continue
      const name = bed.name.replace(/\s*\d+\s*-\s*\d+ width$/i, '').toLowerCase()
      counts.set(name, (counts.get(name) ?? 0) + (bed.number ?? 1))
    }
  }
  return Array.from(counts, ([name, count]) => bedsOf(count, name))
}
