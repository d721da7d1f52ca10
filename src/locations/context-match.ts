import { foldText } from '../lib/text/fold-text.ts'
import { bestPlaces, hitAt, type Source } from './best-places.ts'
import { type KeyTable, type PrefixRange, prefixRange } from './key-table.ts'
import type { LocationRows } from './location-file.ts'
import type { RowReader } from './location-rows.ts'
import { hasNearWord, nearSpellings } from './near-spelling.ts'

export type ContextMatch = ReturnType<typeof createContextMatch>

const WORDS_MAX = 8
/** Reading a place's own words is slow, so only the best are read. */
const OWN_WORDS_MAX = 100
/** A match by name alone comes before one that needs region or country, more so if that word is one letter. */
const CONTEXT_SCORE = -2000
const LETTER_CONTEXT_SCORE = -3000
/** Penalty for a name that continues after the head ("rio" → "Rio de Janeiro"). */
const CONTINUED_NAME_SCORE = -500
/** Penalty if a longer head already matched: "paris ile" is a prefix of the Île de la Cité, but "paris ile de france" is Paris. */
const SHORTER_HEAD_SCORE = -2000

type Fits = (row: number, ownWords?: string) => boolean
type Surroundings = ReturnType<typeof createSurroundings>

/** Returns a test if all of these words occur in the region or country of a row, or in `ownWords`. */
export function createSurroundings({ countries, regions, country: countryIndex, region: regionIndex }: LocationRows) {
  const countryWords = countries.map((country) => ` ${country.words}`)
  const regionWords = regions.map((region) => ` ${region.words}`)

  return function fitsTo(tail: readonly ((words: string) => boolean)[]): Fits {
    const isIn = (row: number, ownWords: string) => {
      const country = countryWords[countryIndex[row] ?? 0] ?? ''
      const region = regionWords[(regionIndex[row] ?? 0) - 1] ?? ''
      return tail.every((matches) => [country, region, ownWords].some(matches))
    }
    // Cached, because thousands of places share a few regions.
    const results = new Map<number, boolean>()
    return (row, ownWords) => {
      if (ownWords !== undefined) return isIn(row, ownWords)
      const region = (regionIndex[row] ?? 0) * 256 + (countryIndex[row] ?? 0)
      const result = results.get(region) ?? isIn(row, '')
      results.set(region, result)
      return result
    }
  }
}

const hasWord = (word: string) => (words: string) => words.includes(` ${word}`)

/** Only the keys that equal the text. */
const exactRange = ({ from, exactEnd }: PrefixRange): PrefixRange => ({ from, exactEnd, to: exactEnd })

function headSources(table: KeyTable, head: string, extra: number, mayContinue: boolean): Source[] {
  const bytes = Buffer.from(head, 'utf8')
  const range = prefixRange(table, bytes)
  const whole = { range: exactRange(range), queryBytes: bytes.length, extra }
  if (!mayContinue) return [whole]
  const longer = prefixRange(table, Buffer.from(`${head} `, 'utf8'), range.exactEnd, range.to)
  return [whole, { range: longer, queryBytes: bytes.length, extra: extra + CONTINUED_NAME_SCORE }]
}

/**
 * "springfield illinois": the first words name the place, each other word is a prefix of a word of its region or country. As the
 * last resort they may be only a prefix of the name ("rio brazil"), the others from its name, city or code ("jfk airport").
 */
export function createContextMatch(table: KeyTable, fitsTo: Surroundings, reader: RowReader) {
  const readOwnWords = (row: number) =>
    ` ${foldText(`${reader.name(row)} ${reader.detail(row) ?? ''} ${reader.trait(row, 'iata') ?? ''}`)}`

  /** Scores of the rows that fit, if at least `minScore`. */
  return function contextMatch(query: string, isLastResort: boolean, minScore = Number.NEGATIVE_INFINITY) {
    const words = query.split(' ').slice(0, WORDS_MAX)
    const extra = (words.at(-1) ?? '').length > 1 ? CONTEXT_SCORE : LETTER_CONTEXT_SCORE
    const found = new Map<number, number>()
    const add = (row: number, score: number) => found.set(row, Math.max(score, found.get(row) ?? score))
    let isFound = false
    for (let length = words.length - 1; length >= 1 && (isLastResort || !isFound); length--) {
      const fits = fitsTo(words.slice(length).map(hasWord))
      const mayContinue = isLastResort && found.size === 0
      const headExtra = extra + (found.size > 0 ? SHORTER_HEAD_SCORE : 0)
      const sources = headSources(table, words.slice(0, length).join(' '), headExtra, mayContinue)
      for (const source of sources) {
        for (let slot = source.range.from; slot < source.range.to; slot++) {
          const { row, score } = hitAt(table, source, slot)
          if (!fits(row)) continue
          isFound = true
          if (score >= minScore) add(row, score)
        }
      }
      if (!mayContinue) continue
      for (const { row, score } of bestPlaces(table, sources, OWN_WORDS_MAX)) {
        if (fits(row, readOwnWords(row))) add(row, score)
      }
    }
    return found
  }
}

/** Like `contextMatch`, with one typing error in the name ("barcelna spain") or the region or country ("paris frnace"). Best first. */
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
      const isAround = fitsTo(tail.map(hasWord))
      for (const near of nearSpellings(table, head)) add({ ...near, range: exactRange(near.range) }, isAround)
      const named = headSources(table, head, 0, false).filter(({ range }) => range.from < range.to)
      for (const source of named) add(source, fitsTo(tail.map(hasNearWord)))
    }
    return [...found].sort(([, x], [, y]) => y - x).map(([row]) => row)
  }
}
