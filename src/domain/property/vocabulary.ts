import { foldText } from '../../lib/text/fold-text.ts'

/**
 * Short names in English, and their codes in the API: "Food and drink" is `food_and_drink`. Clients name the codes in
 * their readers' languages.
 */
function createVocabulary<const Label extends string>(labels: readonly Label[], synonyms: Record<string, Label> = {}) {
  const codes = new Map<string, string>()
  for (const label of labels) codes.set(foldText(label), toCode(label))
  for (const [name, label] of Object.entries(synonyms)) codes.set(foldText(name), toCode(label))
  const find = (name: string): string | undefined => {
    const folded = foldText(name)
    return codes.get(folded) ?? codes.get(folded.replace(/ies$/, 'y').replace(/s$/, ''))
  }
  return { codes: [...new Set(codes.values())], find, orNull: (name: string): string | null => find(name) ?? null }
}

const toCode = (label: string): string => foldText(label).replaceAll(' ', '_')

/** Types of properties; vendors also use the plural. */
export const CATEGORIES = createVocabulary(
  [
    'Hotel',
    'Apartment',
    'Apartment hotel',
    'Hostel',
    'Guest house',
    'Bed and breakfast',
    'Resort',
    'Villa',
    'Motel',
    'Lodge',
    'Inn',
    'Campsite',
    'Boutique hotel',
    'Cottage',
    'Rural hotel',
    'Residence',
    'Riad',
    'Holiday home',
  ],
  {
    'Hostel/Backpacker accommodation': 'Hostel',
    Guesthouse: 'Guest house',
    'Bed & breakfast': 'Bed and breakfast',
    Aparthotel: 'Apartment hotel',
    Boutique: 'Boutique hotel',
    'Rural house': 'Cottage',
    Condo: 'Holiday home',
  },
)

/** Headings of amenities. */
export type AmenityGroup = (typeof GROUPS)[number]
const GROUPS = [
  'Accessibility',
  'Amenities',
  'Bathroom',
  'Building',
  'Business',
  'Catering',
  'Comfort',
  'Distances',
  'Entertainment',
  'Facilities',
  'Family',
  'Food and drink',
  'General',
  'Green programmes',
  'Health',
  'Health and safety',
  'Internet',
  'Meals',
  'Methods of payment',
  'Other',
  'Outdoors and activities',
  'Parking and transport',
  'Pets',
  'Pool and wellness',
  'Room facilities',
  'Services',
  'Sports',
  'Things to keep in mind',
] as const
export const AMENITY_GROUPS = createVocabulary(GROUPS)

export const FEES = createVocabulary([
  'City tax',
  'Cleaning fee',
  'Collected by the property',
  'Facility fee',
  'Fee',
  'Mandatory fee',
  'Mandatory tax',
  'Property fee',
  'Resort fee',
  'Sales tax',
  'Service fee',
  'Tax',
  'Taxes',
  'Taxes and fees',
  'Tourist tax',
])

/** Titles of notices. */
export type NoticeTitle = (typeof TITLES)[number]
const TITLES = [
  'Card on file at the property, up to',
  'Check-in',
  'Check-in instructions',
  'Deposits',
  'Important information',
  'Know before you go',
  'Mandatory fees',
  'Meals',
  'Minimum check-in age',
  'Optional fees',
  'Payments at the property',
  'Policies',
  'Promotions',
  'Rate comments',
  'Refundable damage deposit',
  'Remarks',
  'Service fee',
  'Special check-in instructions',
  'Supplier',
  'Supplier Terms & Conditions',
  'Taxes and fees',
  'Trader',
] as const
export const NOTICE_TITLES = createVocabulary(TITLES)
