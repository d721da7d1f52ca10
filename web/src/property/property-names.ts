/** Synonyms that differ in more than number. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['Hostel/Backpacker accommodation', 'Hostel'],
  ['Guesthouse', 'Guest house'],
  ['Bed & breakfast', 'Bed and breakfast'],
  ['Aparthotel', 'Apartment hotel'],
])

/** Vendors use several names for one kind of property: "Guest houses" becomes "Guest house". */
export function normalizeKind(category: string): string {
  const singular = category.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
  return SYNONYMS.get(singular) ?? singular
}

const SUFFIX = /( (hotels?|resorts?)( (&|and) (hotels?|resorts?))?)$/i

/** "MARLOWICK" and "Marlowick Hotels & Resorts" become "Marlowick". Short words in capitals are abbreviations. */
export function normalizeChain(chain: string): string {
  const name = chain.replace(SUFFIX, '')
  if (name !== name.toUpperCase()) return name
  return name.replace(/\p{L}{4,}/gu, (word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
}
