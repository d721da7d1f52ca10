/** Row number (which is the rank) and folded name. */
export type Doc = { readonly id: number; readonly name: string }
type Search = (query: string, limit: number) => unknown
export type Alternative = {
  readonly name: string
  readonly isLibrary: boolean
  build(docs: readonly Doc[]): Promise<Search>
  close?(): Promise<void>
}

/** Every word's beginning to the end of its name, so that a prefix finds "saint emilion" by "emil". */
export function beginnings({ name }: Doc): string[] {
  const words = name.split(' ')
  return words.map((_, from) => words.slice(from).join(' '))
}

/** Greater than every text that begins with the query. */
export const after = (query: string): string => `${query}\u{10ffff}`
