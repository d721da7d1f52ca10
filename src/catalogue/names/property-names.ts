import { propertyLocationId } from '../../domain/property/property-location.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { findNames, type NameHit } from './find-names.ts'
import { LocationIds } from './location-ids.ts'
import { NameRows } from './name-rows.ts'
import { otherWordsOf } from './other-words.ts'
import { buildPostings, NO_POSTINGS, type Postings } from './postings.ts'
import { WordList } from './word-list.ts'

/** What a property is found by. */
type PropertyName = {
  readonly propertyId: string
  /** As each vendor spells it, the founder's first; none once the property is gone. */
  readonly names: readonly string[]
  readonly town: string
  readonly starRating: number
}

/** A property that a text may mean. */
export type NamedProperty = { readonly propertyId: string; readonly grade: NameHit['grade'] }

/** So many changes may stand beside the postings; each look-up goes through them one by one. */
const CHANGED_MAX = 2_000
const WORDS_MAX = 30

/** All properties by the words of their names, and by the ids under which they can be destinations. */
export class PropertyNames {
  readonly #words = new WordList()
  readonly #rows = new NameRows()
  readonly #propertyIds: string[] = []
  readonly #ids = new LocationIds((row) => this.#propertyIds[row] ?? '')
  #postings: Postings = NO_POSTINGS
  /** Rows that the postings do not know, or not as they are now; the second while new postings are made. */
  #changed = new Set<number>()
  #settling = new Set<number>()
  #building: Promise<void> | undefined
  /** Grows with every change. */
  version = 0

  put({ propertyId, names, town, starRating }: PropertyName): void {
    const id = propertyLocationId(propertyId)
    const known = this.#ids.find(id)
    const row = known ?? this.#rows.count
    const name = this.#numbersOf([...names, ...names.flatMap(otherWordsOf)])
    const fame = name.length === 0 ? 0 : fameOf(starRating, names.length)
    const words = { first: this.#numbersOf(names.slice(0, 1)).length, name, town: this.#numbersOf([town]), fame }
    if (known !== undefined && this.#rows.has(row, words)) return
    if (known === undefined) {
      this.#propertyIds.push(propertyId)
      this.#ids.add(id)
    }
    this.#rows.set(row, words)
    this.#changed.add(row)
    this.version += 1
  }

  #numbersOf(texts: readonly string[]): number[] {
    const words = texts.flatMap((text) => foldText(text).split(' '))
    return [...new Set(words)].slice(0, WORDS_MAX).flatMap((word) => (word === '' ? [] : [this.#words.add(word)]))
  }

  /** Rebuilds the postings after many changes, and at least after this share of all rows has changed; resolves when done. */
  settle(share = 0): Promise<void> {
    const most = Math.max(CHANGED_MAX, this.#rows.count * share)
    this.#building ??= this.#changed.size > most ? this.#build() : undefined
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

  /** The properties that a text may mean, best first. */
  find(text: string, limit: number, mayBeMisspelt: boolean): NamedProperty[] {
    const words = [...new Set(foldText(text).split(' '))].filter((word) => word !== '')
    const parts = { words: this.#words, rows: this.#rows, postings: this.#postings }
    const hits = findNames({ ...parts, changed: [this.#changed, this.#settling] }, words, limit, mayBeMisspelt)
    return hits.map(({ row, grade }) => ({ propertyId: this.#propertyIds[row] ?? '', grade }))
  }

  /** The property of a location id, also one that is gone: whoever asks may find where it went. */
  propertyIdOf(locationId: string): string | undefined {
    const row = this.#ids.find(locationId.toLowerCase())
    return row === undefined ? undefined : this.#propertyIds[row]
  }
}

/** Among properties of the same name, the one with more stars and vendors comes first. */
const fameOf = (starRating: number, vendors: number) =>
  Math.round(1 + 40 * Math.min(5, starRating) + 10 * Math.min(5, vendors))
