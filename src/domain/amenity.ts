/**
 * Our own small taxonomy, so that "free parking" of one vendor and "Parking, complimentary" of another are one filter.
 * `words` are folded fragments looked for in a vendor's label; the first entry that fits wins, so narrow ones come first.
 */
export const AMENITIES = [
  {
    slug: 'free_parking',
    label: 'Free parking',
    words: ['free parking', 'parking free', 'free self parking', 'complimentary parking'],
  },
  { slug: 'parking', label: 'Parking', words: ['parking', 'garage', 'car park'] },
  {
    slug: 'ev_charging',
    label: 'Electric car charging',
    words: ['electric car', 'ev charging', 'car charging', 'charging station'],
  },
  { slug: 'indoor_pool', label: 'Indoor pool', words: ['indoor pool', 'indoor swimming', 'pool indoor'] },
  {
    slug: 'outdoor_pool',
    label: 'Outdoor pool',
    words: ['outdoor pool', 'outdoor swimming', 'pool outdoor', 'seasonal pool'],
  },
  { slug: 'pool', label: 'Pool', words: ['pool', 'swimming'] },
  { slug: 'wifi', label: 'Wi-Fi', words: ['wifi', 'wi fi', 'wireless internet', 'internet access', 'wired internet'] },
  { slug: 'breakfast', label: 'Breakfast', words: ['breakfast'] },
  { slug: 'restaurant', label: 'Restaurant', words: ['restaurant', 'dining'] },
  { slug: 'bar', label: 'Bar', words: ['bar lounge', 'hotel bar', 'bar', 'lounge', 'pub'] },
  { slug: 'room_service', label: 'Room service', words: ['room service'] },
  { slug: 'spa', label: 'Spa', words: ['spa', 'massage', 'wellness', 'hammam', 'steam room', 'sauna'] },
  { slug: 'fitness', label: 'Fitness centre', words: ['fitness', 'gym', 'health club'] },
  { slug: 'air_conditioning', label: 'Air conditioning', words: ['air condition', 'aircon', 'climate control'] },
  {
    slug: 'pets',
    label: 'Pets allowed',
    words: ['pets allowed', 'pet friendly', 'dogs allowed', 'small pets', 'large pets', 'pets'],
  },
  { slug: 'wheelchair', label: 'Wheelchair access', words: ['wheelchair', 'accessible', 'disabled'] },
  {
    slug: 'family',
    label: 'Family rooms',
    words: ['family room', 'kids club', 'children s club', 'childcare', 'playground', 'babysitting'],
  },
  {
    slug: 'airport_shuttle',
    label: 'Airport shuttle',
    words: ['airport shuttle', 'airport transport', 'transfer service', 'shuttle'],
  },
  {
    slug: 'front_desk_24h',
    label: '24-hour front desk',
    words: ['24 hour front desk', '24 hour reception', '24 hour'],
  },
  { slug: 'elevator', label: 'Lift', words: ['elevator', 'lift'] },
  { slug: 'laundry', label: 'Laundry', words: ['laundry', 'dry cleaning'] },
  { slug: 'business', label: 'Business facilities', words: ['business', 'meeting', 'conference'] },
  { slug: 'beachfront', label: 'Beach', words: ['beach'] },
  { slug: 'kitchen', label: 'Kitchen', words: ['kitchen'] },
  { slug: 'balcony', label: 'Balcony', words: ['balcony', 'terrace', 'patio'] },
  { slug: 'non_smoking', label: 'Non-smoking', words: ['non smoking', 'smoke free', 'smoking not'] },
  { slug: 'garden', label: 'Garden', words: ['garden'] },
  { slug: 'casino', label: 'Casino', words: ['casino'] },
  { slug: 'golf', label: 'Golf', words: ['golf'] },
  { slug: 'ski', label: 'Ski', words: ['ski'] },
] as const

export type AmenitySlug = (typeof AMENITIES)[number]['slug']

/** The slug a folded label belongs to. Whole words only: "bar" is not in "barber". */
export function amenitySlugOf(foldedLabel: string): AmenitySlug | undefined {
  const padded = ` ${foldedLabel}`
  return AMENITIES.find(({ words }) => words.some((word) => padded.includes(` ${word}`) && fits(padded, word)))?.slug
}

/** Short words must stand alone; longer ones may be a stem ("ski" in "skiing" is wanted, "spa" in "space" is not). */
function fits(padded: string, word: string): boolean {
  if (word.length > 4) return true
  return (
    `${padded} `.includes(` ${word} `) || `${padded} `.includes(` ${word}s `) || `${padded} `.includes(` ${word}ing `)
  )
}

export const amenityLabel = (slug: string): string => AMENITIES.find((amenity) => amenity.slug === slug)?.label ?? slug
