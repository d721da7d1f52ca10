import type { Board } from '../../../src/domain/offer.ts'
import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { StandInSettings } from '../../server/settings.ts'
import type { PropertyKind, WorldProperty, WorldRoom } from '../../world/contract.ts'
import { hashShare } from '../../world/hash.ts'
import { CHAINS } from '../../world/property/chains.ts'
import { hasGermanTexts } from '../../world/property/german-texts.ts'

/** Hotelbeds' codes for the terms of the world. */

export const BOARD_CODES: Readonly<Record<Board, readonly [code: string, name: string]>> = {
  room_only: ['RO', 'ROOM ONLY'],
  breakfast: ['BB', 'BED AND BREAKFAST'],
  half_board: ['HB', 'HALF BOARD'],
  full_board: ['FB', 'FULL BOARD'],
  all_inclusive: ['AI', 'ALL INCLUSIVE'],
  self_catering: ['SC', 'SELF CATERING'],
  some_meals: ['CE', 'DINNER INCLUDED'],
}

const BREAKFAST_FOR_ONE = ['B1', 'BREAKFAST FOR ONE GUEST'] as const

export const toBoardCode = (
  { key }: WorldProperty,
  board: Board,
  { headCountMeals }: Pick<StandInSettings, 'headCountMeals'>,
): readonly [code: string, name: string] =>
  board === 'breakfast' && hashShare(key, 43) < headCountMeals ? BREAKFAST_FOR_ONE : BOARD_CODES[board]

export const ACCOMMODATION_CODES: Readonly<Record<PropertyKind, readonly [code: string, name: string]>> = {
  hotel: ['H', 'Hotel'],
  apartment: ['A', 'Apartment'],
  hostel: ['O', 'Hostel'],
  guesthouse: ['G', 'Guest house'],
  resort: ['R', 'Resort'],
}

/** `[group, code, name]` of the facilities. Electric car charging has no code in this list. */
export const FACILITY_CODES: Readonly<Partial<Record<AmenitySlug, readonly [number, number, string]>>> = {
  free_parking: [70, 320, 'Car park'],
  parking: [70, 320, 'Car park'],
  indoor_pool: [73, 360, 'Indoor freshwater pool'],
  outdoor_pool: [73, 363, 'Outdoor freshwater pool'],
  pool: [73, 363, 'Outdoor freshwater pool'],
  wifi: [70, 550, 'Wi-fi'],
  breakfast: [80, 30, 'Breakfast buffet'],
  restaurant: [71, 200, 'Restaurant'],
  bar: [71, 130, 'Bar'],
  room_service: [70, 270, 'Room service'],
  spa: [74, 620, 'Spa centre'],
  fitness: [70, 470, 'Gym'],
  air_conditioning: [60, 180, 'Individually adjustable air conditioning'],
  pets: [70, 535, 'Small pets allowed (under 5 kg)'],
  wheelchair: [70, 295, 'Wheelchair-accessible'],
  family: [73, 340, 'Kids’ club'],
  airport_shuttle: [70, 562, 'Airport Shuttle'],
  front_desk_24h: [70, 30, '24-hour reception'],
  elevator: [70, 70, 'Lift access'],
  laundry: [70, 280, 'Laundry service'],
  business: [72, 605, 'Business centre'],
  beachfront: [70, 574, 'Private beach area'],
  kitchen: [60, 115, 'Kitchen'],
  balcony: [60, 230, 'Balcony'],
  non_smoking: [85, 562, 'Non-smoking establishment'],
  garden: [70, 125, 'Garden'],
  casino: [73, 180, 'Casino'],
  golf: [90, 390, 'Golf'],
  ski: [90, 490, 'Skiing'],
}

/** Beds of group 61, and other details that are described by a facility. */
export const BED_CODES = {
  king: [61, 155, 'King-size bed 150-183 width'],
  queen: [61, 294, 'Queen-size bed 150-154 width'],
  double: [61, 150, 'Double bed 131-150 width'],
  twin: [61, 1, 'Single bed 90-130 width'],
  single: [61, 1, 'Single bed 90-130 width'],
  sofa: [61, 284, 'Sofa bed'],
  bunk: [61, 993, 'Bunk beds'],
} as const satisfies Record<WorldRoom['bedChoices'][number][number]['type'], readonly [number, number, string]>

/** The vendor's code for German. It describes some properties in English only. */
export const GERMAN_CODE = 'ALE'
const VENDOR_SALT = 2
export const isInGerman = (property: WorldProperty, language: string): boolean =>
  language === GERMAN_CODE && hasGermanTexts(property, VENDOR_SALT)

export const CHECK_IN_HOUR = [70, 260, 'Check-in hour'] as const
export const CHECK_OUT_HOUR = [70, 390, 'Check-out hour'] as const
export const ROOM_SIZE_FACILITY = [60, 295, 'Room size (sqm)'] as const

const ROOM_TYPES = {
  SGL: 'SINGLE',
  DBL: 'DOUBLE',
  TWN: 'TWIN',
  SUI: 'SUITE',
  FAM: 'FAMILY ROOM',
  BED: 'BED IN SHARED ROOM',
} as const
const CHARACTERISTICS = { ST: 'STANDARD', SU: 'SUPERIOR', DX: 'DELUXE' } as const

/** `DBL.SU-2`: type, class, and a number that distinguishes the rooms of one property. */
export function toRoomCode(room: WorldRoom): string {
  const characteristic = room.factor < 1.15 ? 'ST' : room.factor < 1.5 ? 'SU' : 'DX'
  return `${toRoomType(room)}.${characteristic}-${room.number}`
}

function toRoomType(room: WorldRoom): keyof typeof ROOM_TYPES {
  const [bed] = room.bedChoices[0] ?? []
  if (bed?.type === 'bunk') return 'BED'
  if (room.sleeps === 1) return 'SGL'
  if (room.squareMeters > 45) return 'SUI'
  if (room.sleeps > 3) return 'FAM'
  return bed !== undefined && bed.quantity > 1 ? 'TWN' : 'DBL'
}

/** General name of a room code, as in the list of room types; '' for an invalid code. */
export function roomTypeName(code: string): string {
  const [, type = '', characteristic = ''] = /^([A-Z]{3})\.([A-Z]{2})-\d+$/.exec(code) ?? []
  const typeName = new Map<string, string>(Object.entries(ROOM_TYPES)).get(type)
  const className = new Map<string, string>(Object.entries(CHARACTERISTICS)).get(characteristic)
  return typeName === undefined || className === undefined ? '' : `${typeName} ${className}`
}

/** Category of a star rating: keys for apartments, halves as `H3_5`, and a code for "pending". */
export function toCategoryCode(stars: number, kind: PropertyKind): string {
  if (stars < 1) return 'SPC'
  if (stars % 1 !== 0) return `H${Math.floor(stars)}_5`
  return kind === 'apartment' ? `${stars}LL` : `${stars}EST`
}

export const CATEGORIES: readonly { code: string; simpleCode: number; name: string; group: string }[] = [
  { code: 'SPC', simpleCode: 0, name: 'PENDING', group: 'GRUPO7' },
  ...[1, 2, 3, 4, 5].flatMap((stars) => [
    { code: `${stars}EST`, simpleCode: stars, name: `${stars} STARS`, group: `GRUPO${stars}` },
    { code: `${stars}LL`, simpleCode: stars, name: `${stars} KEYS`, group: 'GRUPO7' },
    ...(stars < 5
      ? [{ code: `H${stars}_5`, simpleCode: stars, name: `${stars} STARS AND A HALF`, group: `GRUPO${stars}` }]
      : []),
  ]),
]
export const categoryName = (code: string): string => CATEGORIES.find((category) => category.code === code)?.name ?? ''

export const toChainCode = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 8)
export const CHAIN_CODES: readonly { code: string; name: string }[] = CHAINS.map(({ name }) => ({
  code: toChainCode(name),
  name: name.toUpperCase(),
}))

/** Countries have their ISO codes, except one. */
export const toCountryCode = (iso: string): string => (iso === 'GB' ? 'UK' : iso)

export const toDestinationCode = (place: string): string =>
  place
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 3)
    .padEnd(3, 'X')
