const SUFFIX = /( (hotels?|resorts?)( (&|and) (hotels?|resorts?))?)$/i

/** "MARLOWICK" and "Marlowick Hotels & Resorts" become "Marlowick". Short words in capitals are abbreviations. */
export function normalizeChain(chain: string): string {
  const name = chain.replace(SUFFIX, '')
  if (name !== name.toUpperCase()) return name
  return name.replace(/\p{L}{4,}/gu, (word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
}
