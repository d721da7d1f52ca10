import type { Board } from '../../../src/domain/offer.ts'
import { AMENITIES, type AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { StandInSettings } from '../../server/settings.ts'
import type { PropertyKind, WorldProperty, WorldRoom } from '../../world/contract.ts'
import { hashShare } from '../../world/hash.ts'

/** `lp` and the number in hexadecimal. */
export const formatHotelId = (number: number): string => `lp${number.toString(16)}`

/** Returns NaN if the value is not an id of the vendor. */
export const parseHotelId = (id: unknown): number =>
  typeof id === 'string' && /^lp[0-9a-f]{1,8}$/.test(id) ? Number.parseInt(id.slice(2), 16) : Number.NaN

/** Almost always unique among the rooms of all properties. */
export const toRoomId = (vendorPropertyId: number, room: WorldRoom): number =>
  (vendorPropertyId % 20_000_000) * 100 + room.number

const BOARD_CODES: Readonly<Record<Board, readonly [code: string, name: string]>> = {
  room_only: ['RO', 'Room Only'],
  breakfast: ['BI', 'Breakfast Included'],
  half_board: ['HB', 'Half Board'],
  full_board: ['FB', 'Full Board'],
  all_inclusive: ['AI', 'All Inclusive'],
  self_catering: ['SC', 'Self Catering'],
  some_meals: ['DI', 'Dinner Included'],
}

/** Half of the properties have another name for half board. */
export function toBoardCode(
  { key }: WorldProperty,
  board: Board,
  { headCountMeals }: Pick<StandInSettings, 'headCountMeals'>,
): readonly [code: string, name: string] {
  if (board === 'breakfast' && hashShare(key, 43) < headCountMeals) return ['BB1', 'Bed and Breakfast for 1']
  return board === 'half_board' && key % 2 === 0 ? ['BDI', 'Breakfast and Dinner Included'] : BOARD_CODES[board]
}

export const HOTEL_TYPES: Readonly<Record<PropertyKind, readonly [id: number, name: string]>> = {
  hotel: [204, 'Hotels'],
  apartment: [201, 'Apartments'],
  hostel: [203, 'Hostels'],
  guesthouse: [216, 'Guest houses'],
  resort: [206, 'Resorts'],
}

export const FACILITIES = AMENITIES.map(({ slug, label }, index) => ({ slug, id: 101 + index * 7, label }))
export const findFacility = (slug: AmenitySlug) => FACILITIES.find((facility) => facility.slug === slug)
