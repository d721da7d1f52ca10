import type { AmenitySlug } from '../../domain/amenity.ts'

/** A house of the simulated town. Every town has one of each. */
export type House = {
  readonly name: string
  readonly category: string
  readonly chain: string
  readonly stars: number
  readonly byeLine: string
  readonly about: string
  readonly amenities: readonly AmenitySlug[]
  /** An ordinary night for two, in euro cents. */
  readonly nightMinor: number
  /** Sold by both vendors unless one is named. */
  readonly onlyAt?: 'simulator_a' | 'simulator_b'
}

const CITY: readonly AmenitySlug[] = ['wifi', 'breakfast', 'air_conditioning', 'elevator', 'front_desk_24h']

export const HOUSES: readonly House[] = [
  {
    name: 'Hotel Aurora',
    category: 'Hotel',
    chain: '',
    stars: 4,
    byeLine: 'Bright rooms a short walk from the centre',
    about: 'Sixty-two rooms behind a pale stone front, a courtyard with lemon trees and breakfast until eleven.',
    amenities: [...CITY, 'bar', 'garden', 'laundry'],
    nightMinor: 14_200,
  },
  {
    name: 'Grand Hotel Bellevue',
    category: 'Hotel',
    chain: 'Bellevue Collection',
    stars: 5,
    byeLine: 'Old elegance, a long bar, a quiet spa',
    about: 'High ceilings, brass lifts and a staff that remembers names. The spa is below ground and open till late.',
    amenities: [...CITY, 'spa', 'restaurant', 'bar', 'room_service', 'indoor_pool', 'fitness', 'parking'],
    nightMinor: 32_900,
  },
  {
    name: 'Garden Court',
    category: 'Hotel',
    chain: '',
    stars: 3,
    byeLine: 'Simple rooms around a green yard',
    about: 'A family has run it for three generations. Rooms are plain and spotless, and the yard is always cool.',
    amenities: ['wifi', 'breakfast', 'garden', 'family', 'free_parking', 'pets'],
    nightMinor: 8_900,
  },
  {
    name: 'Station Inn',
    category: 'Hotel',
    chain: 'Innway',
    stars: 3,
    byeLine: 'From the platform to bed in four minutes',
    about: 'Compact rooms with good blinds and better mattresses. The desk never closes and neither does the coffee.',
    amenities: [...CITY, 'wheelchair', 'business'],
    nightMinor: 9_600,
  },
  {
    name: 'The Lantern House',
    category: 'Guesthouse',
    chain: '',
    stars: 0,
    byeLine: 'Six rooms, one long breakfast table',
    about: 'A narrow house with creaking stairs and a library on the landing. Breakfast is cooked to order.',
    amenities: ['wifi', 'breakfast', 'non_smoking', 'garden'],
    nightMinor: 7_800,
    onlyAt: 'simulator_b',
  },
  {
    name: 'Harbour View Apartments',
    category: 'Apartment',
    chain: '',
    stars: 4,
    byeLine: 'Kitchens, balconies, long windows',
    about: 'Studios and flats with a full kitchen, a washing machine and a balcony. Keys are handed over in person.',
    amenities: ['wifi', 'kitchen', 'balcony', 'laundry', 'parking', 'family', 'elevator'],
    nightMinor: 13_100,
  },
  {
    name: 'Villa Magnolia',
    category: 'Guesthouse',
    chain: '',
    stars: 4,
    byeLine: 'A villa with a pool under old trees',
    about: 'Eleven rooms in a villa of 1904. The pool is heated from spring on, and dinner is served twice a week.',
    amenities: ['wifi', 'breakfast', 'outdoor_pool', 'garden', 'free_parking', 'air_conditioning'],
    nightMinor: 18_700,
  },
  {
    name: 'Central Suites',
    category: 'Apartment',
    chain: 'Innway',
    stars: 4,
    byeLine: 'Space to live for a week or a month',
    about: 'Suites with a desk one can work at, a kitchenette and weekly cleaning. Self check-in at any hour.',
    amenities: ['wifi', 'kitchen', 'elevator', 'business', 'fitness', 'laundry'],
    nightMinor: 15_400,
  },
  {
    name: 'Riverside Lodge',
    category: 'Hotel',
    chain: '',
    stars: 3,
    byeLine: 'Wood, water and bicycles to borrow',
    about: 'Larch-panelled rooms above the water. Bicycles are free, and so is the sauna on weekdays.',
    amenities: ['wifi', 'breakfast', 'restaurant', 'spa', 'free_parking', 'pets'],
    nightMinor: 11_300,
  },
  {
    name: 'The Yard Hostel',
    category: 'Hostel',
    chain: '',
    stars: 0,
    byeLine: 'Private rooms and a yard full of people',
    about: 'Once a printing house. Private rooms upstairs, a bar and table football in the yard, quiet after midnight.',
    amenities: ['wifi', 'bar', 'kitchen', 'laundry', 'front_desk_24h'],
    nightMinor: 4_200,
    onlyAt: 'simulator_a',
  },
  {
    name: 'Imperial Palace Hotel',
    category: 'Hotel',
    chain: 'Bellevue Collection',
    stars: 5,
    byeLine: 'The square at its feet, the roof for dinner',
    about: 'Two hundred rooms on the main square. The restaurant on the roof books out, so guests are seated first.',
    amenities: [...CITY, 'spa', 'outdoor_pool', 'restaurant', 'bar', 'room_service', 'airport_shuttle', 'ev_charging'],
    nightMinor: 39_800,
  },
  {
    name: 'Linden Guesthouse',
    category: 'Guesthouse',
    chain: '',
    stars: 2,
    byeLine: 'The cheapest good night in town',
    about: 'Nine small rooms, shared tea kitchen, bakery next door. No lift, but help with every bag.',
    amenities: ['wifi', 'non_smoking', 'family'],
    nightMinor: 5_600,
    onlyAt: 'simulator_b',
  },
  {
    name: 'Skyline Tower',
    category: 'Hotel',
    chain: 'Innway',
    stars: 4,
    byeLine: 'Twenty-three floors of windows',
    about: 'Every room looks out over the roofs. Meeting rooms on the first two floors, a gym on the last.',
    amenities: [...CITY, 'fitness', 'business', 'restaurant', 'parking', 'wheelchair', 'ev_charging'],
    nightMinor: 16_900,
  },
  {
    name: 'Old Mill Hotel',
    category: 'Hotel',
    chain: '',
    stars: 3,
    byeLine: 'Beams, brick and a wheel that still turns',
    about: 'A mill until 1961, a hotel since 1988. The breakfast room stands over the stream.',
    amenities: ['wifi', 'breakfast', 'restaurant', 'garden', 'free_parking', 'elevator'],
    nightMinor: 10_400,
    onlyAt: 'simulator_a',
  },
]
