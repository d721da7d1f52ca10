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
