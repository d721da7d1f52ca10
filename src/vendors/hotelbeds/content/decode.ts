import {
  type Address,
  type Image,
  NO_RATINGS,
  type RoomContent,
  type VendorProperty,
} from '../../../domain/property/property.ts'
import { cleanMarkup, plainText } from '../../../lib/text/clean-markup.ts'
import { asInteger, asRecord, asRecords, readCode, type Wire } from '../../wire/read.ts'
import { formatBeds, readPhone, readPoint, SQUARE_FEET_PER_METER } from '../../wire/read-content.ts'
import { fail } from '../failure.ts'
import { readContentText, tidyName } from '../wire.ts'
import type { CodeNames } from './code-lists.ts'
import { decodeImages, type PlacedImage } from './decode-images.ts'
import {
  CHECK_IN,
  CHECK_OUT,
  type Facility,
  labelsByCategory,
  listSlugs,
  popularLabels,
  ROOM_SIZE,
  readFacilities,
  roomAmenities,
} from './facilities.ts'

/** `hotels` in a list, `hotel` if a single one was requested in full. */
export function readProperties(body: unknown): readonly unknown[] {
  const envelope = asRecord(body)
  if (Array.isArray(envelope?.hotels)) return envelope.hotels
  if (asRecord(envelope?.hotel) !== undefined) return [envelope?.hotel]
  // Past the last page there is a total and no list.
  if (envelope?.hotels === undefined && typeof envelope?.total === 'number') return []
  return fail('malformed', 'none', 'the response has no list of properties')
}

/** Codes whose names are needed to decode the properties. */
export function codesToLearn(items: readonly unknown[]): { chains: Set<string>; rooms: Set<string> } {
  const chains = new Set<string>()
  const rooms = new Set<string>()
  for (const property of asRecords(items)) {
    chains.add(readCode(property.chainCode))
    for (const room of asRecords(property.rooms)) {
      if (room.description === undefined) rooms.add(readCode(room.roomCode))
    }
  }
  return { chains, rooms }
}

/** Accepts the format of the list (codes) and of the detail (objects); undefined if it cannot be shown. */
export function decodeProperty(item: unknown, names: CodeNames, photoBase: string): VendorProperty | undefined {
  const wire = asRecord(item)
  if (wire === undefined) return undefined
  const vendorPropertyId = readCode(wire.code)
  const name = plainText(readContentText(wire.name)).slice(0, 200)
  const location = readPoint(asRecord(wire.coordinates) ?? {})
  const address = decodeAddress(wire, names)
  if (!/^\d{1,10}$/.test(vendorPropertyId) || name === '' || location === undefined || address === undefined)
    return undefined
  const facilities = readFacilities(wire.facilities, names)
  const images = decodeImages(wire.images, photoBase)
  const slugs = listSlugs(facilities)
  const checkIn = facilities.find((facility) => facility.key === CHECK_IN)?.hours
  const checkOut = facilities.find((facility) => facility.key === CHECK_OUT)?.hours
  return {
    vendorId: 'hotelbeds',
    vendorPropertyId,
    name,
    byeLine: '',
    category: readName(wire.accommodationType, wire.accommodationTypeCode, names.accommodation),
    chain: readName(wire.chain, wire.chainCode, names.chain),
    description: cleanMarkup(readContentText(wire.description).replace(/\r\n?|\n/g, '<br>')),
    starRating: names.stars(readCode(wire.categoryCode) || readCode(asRecord(wire.category)?.code)),
    guestRatings: NO_RATINGS,
    reviewCount: 0,
    images: images.map(({ image }) => image),
    location,
    address,
    phone: choosePhone(wire.phones),
    popularAmenities: popularLabels(slugs),
    amenitiesByCategory: labelsByCategory(facilities),
    amenitySlugs: slugs,
    checkInTime: checkIn?.from ?? '',
    checkOutTime: checkOut?.to || (checkOut?.from ?? ''),
    rooms: decodeRoomTypes(wire, facilities, images, names),
  }
}

function readName(object: unknown, code: unknown, lookUpName: (code: string) => string): string {
  const named = asRecord(object)
  const given =
    readContentText(named?.description) ||
    readContentText(named?.typeMultiDescription) ||
    readContentText(named?.typeDescription)
  return given === '' ? lookUpName(readCode(code) || readCode(named?.code)) : tidyName(given)
}

function decodeAddress(wire: Wire, names: CodeNames): Address | undefined {
  const country = asRecord(wire.country)
  const ownCode = readCode(wire.countryCode) || readCode(country?.code)
  const iso = readCode(country?.isoCode)
  const countryCode = /^[A-Z]{2}$/.test(iso) ? iso : names.country(ownCode)
  if (countryCode === '') return undefined
  const state = asRecord(wire.state)
  return {
    line1: plainText(readContentText(wire.address)).slice(0, 200),
    line2: '',
    city: tidyName(readContentText(wire.city)),
    region: names.state(ownCode, readCode(wire.stateCode) || readCode(state?.code)),
    postalCode: plainText(readCode(wire.postalCode)).slice(0, 20),
    countryCode,
  }
}

const PHONE_TYPES = ['PHONEHOTEL', 'PHONEBOOKING', 'PHONEMANAGEMENT']

/** The hotel's own number before the others; never the fax. */
function choosePhone(phones: unknown): string {
  const known = asRecords(phones)
  const numbers = PHONE_TYPES.map((type) => readPhone(known.find(({ phoneType }) => phoneType === type)?.phoneNumber))
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
  for (const room of asRecords(wire.rooms)) {
    const id = readCode(room.roomCode)
    if (id === '' || rooms.has(id)) continue
    const typeName = tidyName(readContentText(room.description)) || names.room(id)
    const roomFacilities = readFacilities(room.roomFacilities, names)
    const squareMeters = roomFacilities.find((facility) => facility.key === ROOM_SIZE)?.number ?? 0
    const name = ownNames.get(id) ?? typeName
    rooms.set(id, {
      id,
      name: name === '' ? id : name,
      description: typeName === name ? '' : typeName,
      squareMeters,
      squareFeet: Math.round(squareMeters * SQUARE_FEET_PER_METER),
      sleeps: Math.max(0, asInteger(room.maxPax) ?? 0),
      beds: decodeBeds(room.roomStays, names),
      images: images.filter((placed) => placed.roomCode === id).map(({ image }): Image => ({ ...image, hero: false })),
      amenities: roomAmenities([...everyRoom, ...roomFacilities]),
    })
  }
  return [...rooms.values()]
}

/** The hotel's own room names; `roomType` contains the full code. */
function ownRoomNames(wildcards: unknown): Map<string, string> {
  const names = new Map<string, string>()
  for (const { roomType, hotelRoomDescription } of asRecords(wildcards)) {
    const name = tidyName(readContentText(hotelRoomDescription))
    if (name !== '') names.set(readCode(roomType), name)
  }
  return names
}

/** "1 double bed", "2 single beds". Group 61 is the room's standard arrangement, 62 an alternative. */
function decodeBeds(stays: unknown, names: CodeNames): string[] {
  const counts = new Map<string, number>()
  for (const stay of asRecords(stays)) {
    for (const bed of readFacilities(stay.roomStayFacilities, names)) {
      if (bed.group !== 61) continue
      const name = bed.name.replace(/\s*\d+\s*-\s*\d+ width$/i, '').toLowerCase()
      counts.set(name, (counts.get(name) ?? 0) + (bed.number ?? 1))
    }
  }
  return Array.from(counts, ([name, count]) => formatBeds(count, name))
}
