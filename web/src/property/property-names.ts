/** Names of the same kind that differ in more than number. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['Hostel/Backpacker accommodation', 'Hostel'],
  ['Guesthouse', 'Guest house'],
  ['Bed & breakfast', 'Bed and breakfast'],
  ['Aparthotel', 'Apartment hotel'],
])

/** Vendors name the same kind of property in several ways, some in the plural; visitors see one: "Guest house" for "Guest houses". */
export function kindOf(category: string): string {
  const singular = category.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
  return SAME.get(singular) ?? singular
}

const SUFFIX = /( (hotels?|resorts?)( (&|and) (hotels?|resorts?))?)$/i

/** As `kindOf`, for chains: "MARLOWICK" and "Marlowick Hotels & Resorts" are "Marlowick". Short words in capitals are abbreviations. */
export function chainOf(chain: string): string {
  const name = chain.replace(SUFFIX, '')
  if (name !== name.toUpperCase()) return name
  return name.replace(/\p{L}{4,}/gu, (word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
}
