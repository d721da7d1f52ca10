import type { VendorView, WorldProperty, WorldRoom } from '../../world/contract.ts'
import { textsOf } from '../../world/property/german-texts.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import {
  ACCOMMODATION_CODES,
  BED_CODES,
  CHECK_IN_HOUR,
  CHECK_OUT_HOUR,
  categoryCodeOf,
  categoryName,
  chainCodeOf,
  countryCodeOf,
  destinationCodeOf,
  FACILITY_CODES,
  isInGerman,
  ROOM_SIZE,
  roomCodeOf,
  roomTypeName,
} from './codes.ts'

/** A property in the form of the list: codes instead of names, coordinates as numbers. */
export function describeProperty(
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

/** Rooms are the most work, so they are not written where nobody wants them. */
function describeWhole(property: WorldProperty, view: VendorView, withRooms: boolean, language = 'ENG') {
  const { address } = view
  const texts = textsOf(property, isInGerman(property, language))
  return {
    code: view.vendorPropertyId,
    name: { content: view.name },
    description: { content: texts.paragraphs.join(' ') },
    countryCode: countryCodeOf(address.countryCode),
    stateCode: stateCodeOf(address.region),
    destinationCode: destinationCodeOf(property.place.name),
    zoneCode: 1,
    coordinates: { longitude: view.point.lon, latitude: view.point.lat },
    categoryCode: categoryCodeOf(view.stars, property.kind),
    ...(view.chain !== '' && { chainCode: chainCodeOf(property.chain) }),
    accommodationTypeCode: ACCOMMODATION_CODES[property.kind][0],
    boardCodes: ['RO', 'BB'],
    segmentCodes: [],
    address: { content: address.line1, street: address.line1 },
    postalCode: address.postalCode,
    city: { content: address.city.toUpperCase() },
    email: property.email,
    ...(view.phone !== '' && { phones: [{ phoneNumber: view.phone, phoneType: 'PHONEHOTEL' }] }),
    rooms: withRooms ? property.rooms.map(describeRoom) : [],
    facilities: facilitiesOf(property),
    images: imagesOf(property),
    wildcards: property.rooms.map((room) => {
      const code = roomCodeOf(room)
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

/** The detail's form of the same: objects with names where the list has codes. */
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

const stateCodeOf = (region: string): string =>
  region
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 2)

function describeRoom(room: WorldRoom) {
  const code = roomCodeOf(room)
  const [roomType, characteristicCode] = code.split('.')
  const has = room.amenities.flatMap((slug) => {
    const facility = FACILITY_CODES[slug]
    return facility === undefined || facility[0] !== 60 ? [] : [facilityOf(facility, { indLogic: true, indFee: false })]
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
    roomFacilities: [...has, facilityOf(ROOM_SIZE, { number: room.squareMeters, indYesOrNo: true })],
    roomStays: [
      {
        stayType: 'BED',
        order: '1',
        description: 'Bed room',
        roomStayFacilities: (room.bedChoices[0] ?? []).map((bed) =>
          facilityOf(BED_CODES[bed.type], { number: bed.quantity }),
        ),
      },
    ],
  }
}

const facilityOf = ([group, code]: readonly [number, number, string], more: object) => ({
  facilityCode: code,
  facilityGroupCode: group,
  ...more,
  voucher: false,
})

function facilitiesOf(property: WorldProperty) {
  const has = new Set(property.amenities)
  const seen = new Set<string>()
  const facilities = property.amenities.flatMap((slug) => {
    const facility = FACILITY_CODES[slug]
    if (facility === undefined || seen.has(`${facility[0]}-${facility[1]}`)) return []
    seen.add(`${facility[0]}-${facility[1]}`)
    const indFee = (slug === 'parking' && !has.has('free_parking')) || slug === 'airport_shuttle'
    return [facilityOf(facility, { order: 1, indYesOrNo: true, indFee })]
  })
  return [
    ...facilities,
    facilityOf(CHECK_IN_HOUR, { order: 1, timeFrom: `${property.checkInTime}:00`, timeTo: '00:00:00' }),
    facilityOf(CHECK_OUT_HOUR, { order: 1, timeFrom: '00:00:00', timeTo: `${property.checkOutTime}:00` }),
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

/** Paths below the photo host, as real ones are; room pictures name their room. */
function imagesOf(property: WorldProperty) {
  const [firstRoom] = property.rooms
  return property.pictures.map(({ kind }, index) => {
    const number = Number(
      /^room_[a-z]+_(\d+)$/.exec(kind)?.[1] ?? (/^room_[a-z]+$/.test(kind) ? firstRoom?.number : Number.NaN),
    )
    const room = property.rooms.find((candidate) => candidate.number === number)
    return {
      imageTypeCode: IMAGE_TYPES.find(([sign]) => sign.test(kind))?.[1] ?? 'GEN',
      path: `${property.key}/${kind}.svg`,
      order: index + 1,
      visualOrder: index + 1,
      ...(room !== undefined && { roomCode: roomCodeOf(room) }),
    }
  })
}
