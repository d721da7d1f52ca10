import { foldText } from '../../lib/text/fold-text.ts'

/**
 * English names and their codes in the API, which clients name in their readers' languages: "Food and drink" is
 * `food_and_drink`. Synonyms follow after `=`; the plural is known too.
 */
function createVocabulary(table: string) {
  const entries = table.split(/;\s+/).map((entry) => entry.split(' = ').map((name) => foldText(name)))
  const codes = entries.map(([label = '']) => label.replaceAll(' ', '_'))
  const byName = new Map(entries.flatMap((names, index) => names.map((name) => [name, codes[index]] as const)))
  const find = (name: string): string | undefined => {
    const folded = foldText(name)
    return byName.get(folded) ?? byName.get(folded.replace(/ies$/, 'y').replace(/s$/, ''))
  }
  return { codes, find, orNull: (name: string): string | null => find(name) ?? null }
}

/** Types of properties. */
export const CATEGORIES = createVocabulary(
  `Hotel; Apartment; Apartment hotel = Aparthotel; Hostel = Hostel/Backpacker accommodation; Guest house = Guesthouse;
  Bed and breakfast = Bed & breakfast; Resort; Villa; Motel; Lodge; Inn; Campsite; Boutique hotel = Boutique;
  Cottage = Rural house; Rural hotel; Residence; Riad; Holiday home = Condo`,
)

/** Headings of amenities. */
export const AMENITY_GROUPS = createVocabulary(
  `Accessibility; Amenities; Bathroom; Building; Business; Catering; Comfort; Distances; Entertainment; Facilities;
  Family; Food and drink; General; Green programmes; Health; Health and safety; Internet; Meals; Methods of payment;
  Other; Outdoors and activities; Parking and transport; Pets; Pool and wellness; Room facilities; Services; Sports;
  Things to keep in mind`,
)

export const FEES = createVocabulary(
  `City tax; Cleaning fee; Collected by the property; Facility fee; Fee; Mandatory fee; Mandatory tax; Property fee;
  Resort fee; Sales tax; Service fee; Tax; Taxes; Taxes and fees; Tourist tax`,
)

export const NOTICE_TITLES = createVocabulary(
  `Card on file at the property, up to; Check-in; Check-in instructions; Deposits; Important information;
  Know before you go; Mandatory fees; Meals; Minimum check-in age; Optional fees; Payments at the property; Policies;
  Promotions; Rate comments; Refundable damage deposit; Remarks; Service fee; Special check-in instructions; Supplier;
  Supplier Terms & Conditions; Taxes and fees; Trader`,
)
