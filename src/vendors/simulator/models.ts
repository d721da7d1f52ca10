import type { AmenitySlug } from '../../domain/property/amenity.ts'

/** Template of simulated properties. Every place has one property of each model. */
export type Model = {
  readonly name: string
  readonly category: string
  readonly stars: number
  /** Price of a typical night for two, in euro cents. */
  readonly nightMinor: number
  readonly amenities: readonly AmenitySlug[]
  readonly byeLine: string
  /** Only vendor that sells it; both if undefined. */
  readonly onlyAt: 'simulator_a' | 'simulator_b' | undefined
}

const CITY: readonly AmenitySlug[] = ['wifi', 'breakfast', 'air_conditioning', 'elevator', 'front_desk_24h', 'bar']
const GRAND: readonly AmenitySlug[] = [
  ...CITY,
  'spa',
  'restaurant',
  'room_service',
  'indoor_pool',
  'fitness',
  'parking',
]
const GREEN: readonly AmenitySlug[] = ['wifi', 'breakfast', 'garden', 'family', 'free_parking', 'pets', 'restaurant']
const FLAT: readonly AmenitySlug[] = ['wifi', 'kitchen', 'balcony', 'laundry', 'parking', 'family']
const PLAIN: readonly AmenitySlug[] = ['wifi', 'non_smoking', 'family']

export const MODELS: readonly Model[] = [
  model('Hotel Aurora', 'Hotel', 4, 14_200, CITY, 'Bright rooms a short walk from the centre'),
  model('Grand Hotel Bellevue', 'Hotel', 5, 32_900, GRAND, 'Old elegance, a long bar, a quiet spa'),
  model('Garden Court', 'Hotel', 3, 8_900, GREEN, 'Simple rooms around a green yard'),
  model('Station Inn', 'Hotel', 3, 9_600, CITY, 'From the platform to bed in four minutes'),
  model('Harbour View Apartments', 'Apartment', 4, 13_100, FLAT, 'Kitchens, balconies, long windows'),
  model('Villa Magnolia', 'Guesthouse', 4, 18_700, GREEN, 'A villa under old trees'),
  model('Central Suites', 'Apartment', 4, 15_400, FLAT, 'Space to live for a week or a month'),
  model('Riverside Lodge', 'Hotel', 3, 11_300, GREEN, 'Wood, water and bicycles to borrow'),
  model('Imperial Palace Hotel', 'Hotel', 5, 39_800, GRAND, 'The square at its feet, the roof for dinner'),
  model('Skyline Tower', 'Hotel', 4, 16_900, CITY, 'Twenty-three floors of windows'),
  model('The Yard Hostel', 'Hostel', 0, 4_200, PLAIN, 'Private rooms and a yard full of people', 'simulator_a'),
  model('Linden Guesthouse', 'Guesthouse', 2, 5_600, PLAIN, 'The cheapest good night in town', 'simulator_b'),
]

function model(
  name: string,
  category: string,
  stars: number,
  nightMinor: number,
  amenities: readonly AmenitySlug[],
  byeLine: string,
  onlyAt?: Model['onlyAt'],
): Model {
  return { name, category, stars, nightMinor, amenities, byeLine, onlyAt }
}

export type RoomKind = {
  readonly id: string
  readonly name: string
  readonly squareMeters: number
  readonly sleeps: number
  readonly beds: readonly string[]
  /** Price relative to the smallest room. */
  readonly factor: number
}

const HOTEL_ROOMS: readonly RoomKind[] = [
  { id: '101', name: 'Double Room', squareMeters: 18, sleeps: 2, beds: ['1 Queen Bed'], factor: 1 },
  { id: '102', name: 'Superior Twin Room', squareMeters: 24, sleeps: 3, beds: ['2 Twin Beds'], factor: 1.3 },
  { id: '103', name: 'Family Suite', squareMeters: 41, sleeps: 5, beds: ['1 King Bed', '1 Sofa Bed'], factor: 2 },
]
const APARTMENTS: readonly RoomKind[] = [
  { id: '201', name: 'Studio', squareMeters: 27, sleeps: 2, beds: ['1 Double Bed'], factor: 1 },
  { id: '202', name: 'One-Bedroom Apartment', squareMeters: 44, sleeps: 4, beds: ['1 Queen Bed'], factor: 1.4 },
  { id: '203', name: 'Two-Bedroom Apartment', squareMeters: 68, sleeps: 6, beds: ['2 Queen Beds'], factor: 2.1 },
]

export const listRoomKinds = ({ category }: Model): readonly RoomKind[] =>
  category === 'Apartment' ? APARTMENTS : HOTEL_ROOMS
