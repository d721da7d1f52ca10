import type { VendorView, WorldProperty, WorldRoom } from '../../world/contract.ts'
import { localizeTexts } from '../../world/property/german-texts.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import {
  ACCOMMODATION_CODES,
  BED_CODES,
  CHECK_IN_HOUR,
  CHECK_OUT_HOUR,
  categoryName,
  FACILITY_CODES,
  isInGerman,
  ROOM_SIZE_FACILITY,
  roomTypeName,
  toCategoryCode,
  toChainCode,
  toCountryCode,
  toDestinationCode,
  toRoomCode,
} from './codes.ts'

/** A property in the format of the list: codes instead of names, coordinates as numbers. */
export function describeHotel(
  property: WorldProperty,
  view: VendorView | undefined,
  { fields, language }: { fields: ReadonlySet<string> | undefined; language: string },
) {
  if (view === undefined) return undefined
  const whole = describeWhole(property, view, fields === undefined || fields.has('rooms'), language)
  if (fields === undefined) return whole
  const kept = Object.entries(whole).filter(([name]) => name === 'code' || fields.has(name))
  return Object.fromEntries(kept) as Partial<typeof whole>
}

/** Rooms are expensive to describe, so they are skipped if not requested. */
function describeWhole(property: WorldProperty, view: VendorView, withRooms: boolean, language = 'ENG') {
  const { address } = view
  const texts = localizeTexts(property, isInGerman(property, language))
  return {
    code: view.vendorPropertyId,
    name: { content: view.name },
    description: { content: texts.paragraphs.join(' ') },
    countryCode: toCountryCode(address.countryCode),
    stateCode: toStateCode(address.region),
    destinationCode: toDestinationCode(property.place.name),
    zoneCode: 1,
    coordinates: { longitude: view.point.lon, latitude: view.point.lat },
    categoryCode: toCategoryCode(view.stars, property.kind),
    ...(view.chain !== '' && { chainCode: toChainCode(property.chain) }),
    accommodationTypeCode: ACCOMMODATION_CODES[property.kind][0],
    boardCodes: ['RO', 'BB'],
    segmentCodes: [],
    address: { content: address.line1, street: address.line1 },
    postalCode: address.postalCode,
    city: { content: address.city.toUpperCase() },
    email: property.email,
    ...(view.phone !== '' && { phones: [{ phoneNumber: view.phone, phoneType: 'PHONEHOTEL' }] }),
    rooms: withRooms ? property.rooms.map(describeRoom) : [],
    facilities: presentFacilities(property),
    images: presentImages(property),
    wildcards: property.rooms.map((room) => {
      const code = toRoomCode(room)
      const [type, characteristic] = code.split('.')
      return {
        roomType: code,
        roomCode: type,
        characteristicCode: characteristic,
        hotelRoomDescription: { content: texts.roomName(room) ?? spellRoom('own', property, room) },
      }
    }),
    lastUpdate: '2026-01-01',
    ranking: 1 + (property.key % 999),
  }
}

/** A property in the format of the detail response: objects with names instead of codes. */
export function describeDetails(property: WorldProperty, view: VendorView | undefined) {
  if (view === undefined) return undefined
  const listed = describeWhole(property, view, true)
  const { countryCode, stateCode, categoryCode, chainCode, accommodationTypeCode, rooms, ...rest } = listed
  return {
    ...rest,
    country: {
      code: countryCode,
      isoCode: view.address.countryCode,
      description: { content: property.place.countryName },
    },
    state: { code: stateCode, name: view.address.region },
    category: { code: categoryCode, description: { content: categoryName(categoryCode) } },
    ...(chainCode !== undefined && { chain: { code: chainCode, description: { content: view.chain.toUpperCase() } } }),
    accommodationType: {
      code: accommodationTypeCode,
      typeDescription: ACCOMMODATION_CODES[property.kind][1],
      typeMultiDescription: { content: ACCOMMODATION_CODES[property.kind][1] },
    },
    rooms: rooms.map((room) => ({ ...room, description: roomTypeName(room.roomCode) })),
  }
}

const toStateCode = (region: string): string =>
  region
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 2)

function describeRoom(room: WorldRoom) {
  const code = toRoomCode(room)
  const [roomType, characteristicCode] = code.split('.')
  const has = room.amenities.flatMap((slug) => {
    const facility = FACILITY_CODES[slug]
    return facility === undefined || facility[0] !== 60
      ? []
      : [presentFacility(facility, { indLogic: true, indFee: false })]
  })
  return {
    roomCode: code,
    isParentRoom: false,
    minPax: 1,
    maxPax: room.sleeps,
    maxAdults: room.adultsMax,
    maxChildren: room.childrenMax,
    minAdults: 1,
    roomType,
    characteristicCode,
    roomFacilities: [...has, presentFacility(ROOM_SIZE_FACILITY, { number: room.squareMeters, indYesOrNo: true })],
    roomStays: [
      {
        stayType: 'BED',
        order: '1',
        description: 'Bed room',
        roomStayFacilities: (room.bedChoices[0] ?? []).map((bed) =>
          presentFacility(BED_CODES[bed.type], { number: bed.quantity }),
        ),
      },
    ],
  }
}

const presentFacility = ([group, code]: readonly [number, number, string], more: object) => ({
  facilityCode: code,
  facilityGroupCode: group,
  ...more,
  voucher: false,
})

function presentFacilities(property: WorldProperty) {
  const has = new Set(property.amenities)
  const seen = new Set<string>()
  const facilities = property.amenities.flatMap((slug) => {
    const facility = FACILITY_CODES[slug]
    if (facility === undefined || seen.has(`${facility[0]}-${facility[1]}`)) return []
    seen.add(`${facility[0]}-${facility[1]}`)
    const indFee = (slug === 'parking' && !has.has('free_parking')) || slug === 'airport_shuttle'
    return [presentFacility(facility, { order: 1, indYesOrNo: true, indFee })]
  })
  return [
    ...facilities,
    presentFacility(CHECK_IN_HOUR, { order: 1, timeFrom: `${property.checkInTime}:00`, timeTo: '00:00:00' }),
    presentFacility(CHECK_OUT_HOUR, { order: 1, timeFrom: '00:00:00', timeTo: `${property.checkOutTime}:00` }),
  ]
}

const IMAGE_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^room|^bathroom/, 'HAB'],
  [/^restaurant|^breakfast/, 'RES'],
  [/^lobby/, 'COM'],
  [/^bar/, 'BAR'],
  [/^pool/, 'PIS'],
  [/^view/, 'TER'],
]

/** Paths below the photo host, like real ones; room pictures contain their room. */
function presentImages(property: WorldProperty) {
  const [firstRoom] = property.rooms
  return property.pictures.map(({ kind }, index) => {
    const number = Number(
      /^room_[a-z]+_(\d+)$/.exec(kind)?.[1] ?? (/^room_[a-z]+$/.test(kind) ? firstRoom?.number : Number.NaN),
    )
    const room = property.rooms.find((candidate) => candidate.number === number)
    return {
      imageTypeCode: IMAGE_TYPES.find(([pattern]) => pattern.test(kind))?.[1] ?? 'GEN',
      path: `${property.key}/${kind}.svg`,
      order: index + 1,
      visualOrder: index + 1,
      ...(room !== undefined && { roomCode: toRoomCode(room) }),
    }
  })
}
