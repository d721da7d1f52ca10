import { propertyLocationId } from '../../domain/property/property-location.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { alternativeWords } from './alternative-words.ts'
import { findNames, type NameHit } from './find-names.ts'
import { LocationIds } from './location-ids.ts'
import { NameRows } from './name-rows.ts'
import { buildPostings, NO_POSTINGS, type Postings } from './postings.ts'
import { WordList } from './word-list.ts'

type PropertyName = {
  readonly propertyId: string
  /** As spelled by each vendor, the founder first; empty once the property is gone. */
  readonly names: readonly string[]
  readonly town: string
  readonly starRating: number
}

export type NamedProperty = { readonly propertyId: string; readonly grade: NameHit['grade'] }

/** Changes kept outside the postings; every lookup scans them. */
const CHANGED_MAX = 2_000
const WORDS_MAX = 30

/** Index of properties by words of their names and by location id. */
export class PropertyNames {
  readonly #words = new WordList()
  readonly #rows = new NameRows()
  readonly #propertyIds: string[] = []
  readonly #ids = new LocationIds((row) => this.#propertyIds[row] ?? '')
  #postings: Postings = NO_POSTINGS
  /** Rows missing or outdated in the postings; `#settling` while new ones are built. */
  #changed = new Set<number>()
  #settling = new Set<number>()
  #building: Promise<void> | undefined
  /** Increases with every change. */
  version = 0

  put({ propertyId, names, town, starRating }: PropertyName): void {
    const id = propertyLocationId(propertyId)
    const known = this.#ids.find(id)
    const row = known ?? this.#rows.count
    const name = this.#toNumbers([...names, ...names.flatMap(alternativeWords)])
    const fame = name.length === 0 ? 0 : computeFame(starRating, names.length)
    const words = { first: this.#toNumbers(names.slice(0, 1)).length, name, town: this.#toNumbers([town]), fame }
    if (known !== undefined && this.#rows.has(row, words)) return
    if (known === undefined) {
      this.#propertyIds.push(propertyId)
      this.#ids.add(id)
    }
    this.#rows.set(row, words)
    this.#changed.add(row)
    this.version += 1
  }

  #toNumbers(texts: readonly string[]): number[] {
    const words = texts.flatMap((text) => foldText(text).split(' '))
    return [...new Set(words)].slice(0, WORDS_MAX).flatMap((word) => (word === '' ? [] : [this.#words.add(word)]))
  }

  /** Rebuilds the postings after many changes, at least this share of all rows; resolves when done. */
  settle(share = 0): Promise<void> {
    const threshold = Math.max(CHANGED_MAX, this.#rows.count * share)
    this.#building ??= this.#changed.size > threshold ? this.#build() : undefined
    return this.#building ?? Promise.resolve()
  }

  async #build(): Promise<void> {
    this.#rows.compact()
    this.#words.sort()
    this.#settling = this.#changed
    this.#changed = new Set()
    try {
      this.#postings = await buildPostings(this.#rows.snapshot(), this.#words.size)
    } finally {
      this.#settling = new Set()
      this.#building = undefined
    }
  }

  /** Best first. */
  find(text: string, limit: number, mayBeMisspelt: boolean): NamedProperty[] {
    const words = [...new Set(foldText(text).split(' '))].filter((word) => word !== '')
    const parts = { words: this.#words, rows: this.#rows, postings: this.#postings }
    const hits = findNames({ ...parts, changed: [this.#changed, this.#settling] }, words, limit, mayBeMisspelt)
    return hits.map(({ row, grade }) => ({ propertyId: this.#propertyIds[row] ?? '', grade }))
  }

  /** Also finds properties that are gone, so that callers can follow redirects. */
  findPropertyId(locationId: string): string | undefined {
    const row = this.#ids.find(locationId.toLowerCase())
    return row === undefined ? undefined : this.#propertyIds[row]
  }
}

/** Ranks properties of the same name by stars and vendors. */
const computeFame = (starRating: number, vendors: number) =>
  Math.round(1 + 40 * Math.min(5, starRating) + 10 * Math.min(5, vendors))
