/** Row number (which is the rank) and folded name. */
export type Doc = { readonly id: number; readonly name: string }
type Search = (query: string, limit: number) => unknown
export type Alternative = {
  readonly name: string
  readonly isLibrary: boolean
  build(docs: readonly Doc[]): Promise<Search>
  close?(): Promise<void>
}

/** Suffixes of the name that start at each word, so that the prefix "emil" finds "saint emilion". */
export function listSuffixes({ name }: Doc): string[] {
  const words = name.split(' ')
  return words.map((_, from) => words.slice(from).join(' '))
}

/** Upper bound of all texts that start with the query. */
export const prefixEnd = (query: string): string => `${query}\u{10ffff}`
