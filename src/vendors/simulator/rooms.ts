import type { RoomAmenities, RoomContent } from '../../domain/property.ts'
import type { House } from './houses.ts'
import { roomPictureOf } from './pictures.ts'
import type { Site } from './town.ts'
import type { SimulatorId } from './vendor-ids.ts'

export type RoomKind = {
  readonly id: string
  readonly name: string
  readonly squareMeters: number
  readonly sleeps: number
  readonly beds: readonly string[]
  /** The vendor's number of the bed group, where it lets one choose. */
  readonly bedId: string
  readonly description: string
  /** Price against the smallest room. */
  readonly factor: number
}

const HOTEL_ROOMS: readonly RoomKind[] = [
  room('101', 'Double Room', 18, 2, ['1 Queen Bed'], 1, 'A quiet room to the yard with a queen bed and a desk.'),
  room('102', 'Superior Twin Room', 24, 3, ['2 Twin Beds'], 1.28, 'Two beds, an armchair and a bath with a tub.'),
  room('103', 'Family Suite', 41, 5, ['1 King Bed', '1 Sofa Bed'], 1.95, 'Two rooms with a door between them.'),
]
const FLATS: readonly RoomKind[] = [
  room('201', 'Studio', 27, 2, ['1 Double Bed'], 1, 'One room with a kitchen along the wall.'),
  room('202', 'One-Bedroom Apartment', 44, 4, ['1 Queen Bed', '1 Sofa Bed'], 1.4, 'A bedroom apart and a balcony.'),
  room('203', 'Two-Bedroom Apartment', 68, 6, ['1 Queen Bed', '2 Twin Beds'], 2.05, 'Two bedrooms, two bathrooms.'),
]

function room(
  id: string,
  name: string,
  squareMeters: number,
  sleeps: number,
  beds: readonly string[],
  factor: number,
  description: string,
): RoomKind {
  return { id, name, squareMeters, sleeps, beds, bedId: `3732${id}`, description, factor }
}

export const roomKindsOf = (house: House): readonly RoomKind[] => (house.category === 'Apartment' ? FLATS : HOTEL_ROOMS)

/** One vendor lists a room's amenities by id, the other by category: the two shapes that a client must be able to read. */
export function describeRoom(vendorId: SimulatorId, site: Site, kind: RoomKind): RoomContent {
  return {
    id: kind.id,
    name: kind.name,
    description: kind.description,
    squareMeters: kind.squareMeters,
    squareFeet: Math.round(kind.squareMeters * 10.764),
    sleeps: kind.sleeps,
    beds: kind.beds,
    images: [roomPictureOf(`${site.propertyId}${kind.id}`)],
    amenities: vendorId === 'simulator_a' ? BY_ID : BY_CATEGORY,
  }
}

const BY_ID: RoomAmenities = {
  '1010': { id: '1010', name: 'Free Wi-Fi', categories: ['internet'] },
  '1011': { id: '1011', name: 'Air conditioning' },
  '1012': { id: '1012', name: 'Hair dryer', categories: ['bathroom'] },
}
const BY_CATEGORY: RoomAmenities = {
  Bathroom: [
    { id: '60-10', name: 'Shower' },
    { id: '60-30', name: 'Hair dryer' },
  ],
  Room: [
    { id: '60-100', name: 'Wi-Fi', value: 'free of charge' },
    { id: '60-170', name: 'Air conditioning' },
  ],
}
