import { memoize } from '../../lib/async/memoize.ts'

/** Taxonomy that maps vendors' labels to filters by folded fragments. The first match wins, so narrow entries come first. */
const TABLE = [
  ['free_parking', 'Free parking', 'free parking, parking free, free self parking, complimentary parking'],
  ['parking', 'Parking', 'parking, garage, car park'],
  ['ev_charging', 'Electric car charging', 'electric car, ev charging, car charging, charging station'],
  ['indoor_pool', 'Indoor pool', 'indoor pool, indoor swimming, pool indoor'],
  ['outdoor_pool', 'Outdoor pool', 'outdoor pool, outdoor swimming, pool outdoor, seasonal pool'],
  ['pool', 'Pool', 'pool, swimming'],
  ['wifi', 'Wi-Fi', 'wifi, wi fi, wireless internet, internet access, wired internet'],
  ['breakfast', 'Breakfast', 'breakfast'],
  ['restaurant', 'Restaurant', 'restaurant, dining'],
  ['bar', 'Bar', 'bar lounge, hotel bar, bar, lounge, pub'],
  ['room_service', 'Room service', 'room service'],
  ['spa', 'Spa', 'spa, massage, wellness, hammam, steam room, sauna'],
  ['fitness', 'Fitness centre', 'fitness, gym, health club'],
  ['air_conditioning', 'Air conditioning', 'air condition, aircon, climate control'],
  ['pets', 'Pets allowed', 'pets allowed, pet friendly, dogs allowed, small pets, large pets, pets'],
  ['wheelchair', 'Wheelchair access', 'wheelchair, accessible, disabled'],
  ['family', 'Family rooms', 'family room, kids club, children s club, childcare, playground, babysitting'],
  ['airport_shuttle', 'Airport shuttle', 'airport shuttle, airport transport, transfer service, shuttle'],
  ['front_desk_24h', '24-hour front desk', '24 hour front desk, 24 hour reception, 24 hour'],
  ['elevator', 'Lift', 'elevator, lift'],
  ['laundry', 'Laundry', 'laundry, dry cleaning'],
  ['business', 'Business facilities', 'business, meeting, conference'],
  ['beachfront', 'Beach', 'beach'],
  ['kitchen', 'Kitchen', 'kitchen'],
  ['balcony', 'Balcony', 'balcony, terrace, patio'],
  ['non_smoking', 'Non-smoking', 'non smoking, smoke free, smoking not'],
  ['garden', 'Garden', 'garden'],
  ['casino', 'Casino', 'casino'],
  ['golf', 'Golf', 'golf'],
  ['ski', 'Ski', 'ski'],
] as const

export type AmenitySlug = (typeof TABLE)[number][0]

export const AMENITIES = TABLE.map(([slug, label, words]) => ({ slug, label, words: words.split(', ') }))

export const sortAmenitySlugs = (slugs: ReadonlySet<AmenitySlug | undefined>): AmenitySlug[] =>
  AMENITIES.map(({ slug }) => slug).filter((slug) => slugs.has(slug))

/** Maximum shown in a result list. */
export const POPULAR_AMENITIES_MAX = 8

/** Cache size: vendors have a few thousand labels. */
const LABELS_MAX = 4_000

/** Matches whole words only: "bar" is not in "barber". */
export const findAmenitySlug = (foldedLabel: string): AmenitySlug | undefined => slugFor(foldedLabel).slug

const slugFor = memoize(LABELS_MAX, (foldedLabel: string) => {
  const padded = ` ${foldedLabel}`
  return AMENITIES.find(({ words }) => words.some((word) => padded.includes(` ${word}`) && fits(padded, word))) ?? NONE
})
const NONE = { slug: undefined }

/** Long words may be a stem. Short ones must be a whole word, apart from -s and -ing: "skiing" matches "ski", "space" not "spa". */
function fits(padded: string, word: string): boolean {
  if (word.length > 4) return true
  return (
    `${padded} `.includes(` ${word} `) || `${padded} `.includes(` ${word}s `) || `${padded} `.includes(` ${word}ing `)
  )
}

export const amenityLabel = (slug: string): string => AMENITIES.find((amenity) => amenity.slug === slug)?.label ?? slug
