import { foldText } from '../lib/text/fold-text.ts'
import { bestPlaces, hitAt, type Source } from './best-places.ts'
import { type KeyTable, type PrefixRange, prefixRange } from './key-table.ts'
import type { LocationRows } from './location-file.ts'
import type { RowReader } from './location-rows.ts'
import { nearSpellings, standsNearlyIn } from './near-spelling.ts'

export type ContextMatch = ReturnType<typeof createContextMatch>

const WORDS_MAX = 8
/** Reading a place's own words takes time, so only the best are read. */
const OWN_WORDS_MAX = 100
/** A match by name alone comes before one that needs region or country to fit, more so where that is one letter. */
const FITS = -2000
const FITS_BY_A_LETTER = -3000
/** A place whose name only continues after the head ("rio" → "Rio de Janeiro") is worth this much less than its equal. */
const CONTINUES = -500
/**
 * Taken off where a longer beginning of the query already matched a place: "paris ile" begins a name of the Île de la Cité, but
 * "paris ile de france" means Paris in Île-de-France.
 */
const FEWER_WORDS = -2000

type Fits = (row: number, ownWords?: string) => boolean
type Surroundings = ReturnType<typeof createSurroundings>

/** Returns a test whether all of these words are in the region or country of a row, or in `ownWords`. */
export function createSurroundings({ countries, regions, country: countryOf, region: regionOf }: LocationRows) {
  const countryWords = countries.map((country) => ` ${country.words}`)
  const regionWords = regions.map((region) => ` ${region.words}`)

  return function fitsTo(tail: readonly ((words: string) => boolean)[]): Fits {
    const isIn = (row: number, ownWords: string) => {
      const country = countryWords[countryOf[row] ?? 0] ?? ''
      const region = regionWords[(regionOf[row] ?? 0) - 1] ?? ''
      return tail.every((stands) => [country, region, ownWords].some(stands))
    }
    // Thousands of places lie in a few regions.
    const verdicts = new Map<number, boolean>()
    return (row, ownWords) => {
      if (ownWords !== undefined) return isIn(row, ownWords)
      const region = (regionOf[row] ?? 0) * 256 + (countryOf[row] ?? 0)
      const verdict = verdicts.get(region) ?? isIn(row, '')
      verdicts.set(region, verdict)
      return verdict
    }
  }
}

const standsIn = (word: string) => (words: string) => words.includes(` ${word}`)

/** Only the keys that equal the text, without longer ones that begin with it. */
const wholeOf = ({ from, exactEnd }: PrefixRange): PrefixRange => ({ from, exactEnd, to: exactEnd })

function sourcesOf(table: KeyTable, head: string, extra: number, mayContinue: boolean): Source[] {
  const bytes = Buffer.from(head, 'utf8')
  const range = prefixRange(table, bytes)
  const whole = { range: wholeOf(range), queryBytes: bytes.length, extra }
  if (!mayContinue) return [whole]
  const longer = prefixRange(table, Buffer.from(`${head} `, 'utf8'), range.exactEnd, range.to)
  return [whole, { range: longer, queryBytes: bytes.length, extra: extra + CONTINUES }]
}

/**
 * "paris france", "springfield illinois": the query's first words name the place, each of the others begins a word of
 * its region or country. When nothing else was found (`isLastHope`), the first words may be the beginning of the name
 * only ("rio brazil"), and the others may stand in its city, its own name or its code ("eiffel tower paris", "jfk airport").
 */
export function createContextMatch(table: KeyTable, fitsTo: Surroundings, reader: RowReader) {
  const ownWordsOf = (row: number) =>
    ` ${foldText(`${reader.name(row)} ${reader.detail(row) ?? ''} ${reader.trait(row, 'iata') ?? ''}`)}`

  /** The rows that fit and what they are worth, if that is at least `least`. */
  return function contextMatch(query: string, isLastHope: boolean, least = Number.NEGATIVE_INFINITY) {
    const words = query.split(' ').slice(0, WORDS_MAX)
    const extra = (words.at(-1) ?? '').length > 1 ? FITS : FITS_BY_A_LETTER
    const found = new Map<number, number>()
    const add = (row: number, score: number) => found.set(row, Math.max(score, found.get(row) ?? score))
    let isFound = false
    for (let length = words.length - 1; length >= 1 && (isLastHope || !isFound); length--) {
      const fits = fitsTo(words.slice(length).map(standsIn))
      const mayContinue = isLastHope && found.size === 0
      const worth = extra + (found.size > 0 ? FEWER_WORDS : 0)
      const sources = sourcesOf(table, words.slice(0, length).join(' '), worth, mayContinue)
      for (const source of sources) {
        for (let slot = source.range.from; slot < source.range.to; slot++) {
          const { row, score } = hitAt(table, source, slot)
          if (!fits(row)) continue
          isFound = true
          if (score >= least) add(row, score)
        }
      }
      if (!mayContinue) continue
      for (const { row, score } of bestPlaces(table, sources, OWN_WORDS_MAX)) {
        if (fits(row, ownWordsOf(row))) add(row, score)
      }
    }
    return found
  }
}

/**
 * The same for a query that nothing matches, with one typing error: in the name of the place ("barcelna spain") or in the words of
 * its region or country ("paris frnace"). Returns the rows that fit, best first.
 */
export function createNearContextMatch(table: KeyTable, fitsTo: Surroundings) {
  return function nearContextMatch(query: string): number[] {
    const words = query.split(' ').slice(0, WORDS_MAX)
    const found = new Map<number, number>()
    const add = (source: Source, fits: Fits) => {
      for (let slot = source.range.from; slot < source.range.to; slot++) {
        const { row, score } = hitAt(table, source, slot)
        if (fits(row)) found.set(row, Math.max(score, found.get(row) ?? score))
      }
    }
    for (let length = words.length - 1; length >= 1 && found.size === 0; length--) {
      const head = words.slice(0, length).join(' ')
      const tail = words.slice(length)
      const isAround = fitsTo(tail.map(standsIn))
      for (const near of nearSpellings(table, head)) add({ ...near, range: wholeOf(near.range) }, isAround)
      const named = sourcesOf(table, head, 0, false).filter(({ range }) => range.from < range.to)
      for (const source of named) add(source, fitsTo(tail.map(standsNearlyIn)))
    }
    return [...found].sort(([, x], [, y]) => y - x).map(([row]) => row)
  }
}
