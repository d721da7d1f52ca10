import { remember } from '../../lib/async/remember.ts'

/**
 * Our own small taxonomy, so that "free parking" of one vendor and "Parking, complimentary" of another are one filter.
 * `words` are folded fragments looked for in a vendor's label; the first entry that fits wins, so narrow ones come first.
 */
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

/** Each once, in the order of the table. */
export const inTableOrder = (slugs: ReadonlySet<AmenitySlug | undefined>): AmenitySlug[] =>
  AMENITIES.map(({ slug }) => slug).filter((slug) => slugs.has(slug))

/** So many are told of in a list of results. */
export const POPULAR_MAX = 8

/** Vendors have some thousand labels, and each property has dozens of them. */
const LABELS_MAX = 4_000

/** The slug a folded label belongs to. Whole words only: "bar" is not in "barber". */
export const amenitySlugOf = (foldedLabel: string): AmenitySlug | undefined => slugFor(foldedLabel).slug

const slugFor = remember(LABELS_MAX, (foldedLabel: string) => {
  const padded = ` ${foldedLabel}`
  return AMENITIES.find(({ words }) => words.some((word) => padded.includes(` ${word}`) && fits(padded, word))) ?? NONE
})
const NONE = { slug: undefined }

/** Short words must stand alone; longer ones may be a stem ("ski" in "skiing" is wanted, "spa" in "space" is not). */
function fits(padded: string, word: string): boolean {
  if (word.length > 4) return true
  return (
    `${padded} `.includes(` ${word} `) || `${padded} `.includes(` ${word}s `) || `${padded} `.includes(` ${word}ing `)
  )
}

export const amenityLabel = (slug: string): string => AMENITIES.find((amenity) => amenity.slug === slug)?.label ?? slug
