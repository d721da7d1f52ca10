import { foldText } from '../lib/fold-text.ts'
import type { Source, WalkBestFirst } from './best-first.ts'
import type { KeyTable } from './key-table.ts'
import type { LocationRows } from './location-file.ts'
import type { RowReader } from './location-rows.ts'
import { type PrefixRange, prefixRange } from './prefix-range.ts'

/** Places looked at for one head before giving up; a bound on time, not on quality, as the best come first. */
const CANDIDATES_MAX = 1000
/** Reading a place's own words costs more, so fewer are read. */
const OWN_WORDS_MAX = 100
/** What names a place outright comes before what needs its surroundings to fit, the more so if only by a letter. */
const FITS = -2000
const FITS_BY_A_LETTER = -3000
/** A place that only goes on after the head ("rio" → "Rio de Janeiro") is worth this much less than its equal. */
const GOES_ON = -500

/**
 * "paris france", "springfield illinois": the query's first words name the place, each of the others begins a word of
 * its region or country. When nothing else was found, the first words may be the beginning of the name only ("rio
 * brazil"), and the others may stand in its city or its own name ("eiffel tower paris", "jfk airport").
 */
export function createContextMatch(table: KeyTable, walk: WalkBestFirst, rows: LocationRows, reader: RowReader) {
  const countryWords = rows.countries.map((country) => ` ${country.words}`)
  const regionWords = rows.regions.map((region) => ` ${region.words}`)

  function fitsPlace(row: number, tail: readonly string[], memo: Map<number, boolean>): boolean {
    const country = rows.country[row] ?? 0
    const region = rows.region[row] ?? 0
    const place = region * 256 + country
    const held = memo.get(place)
    const known = held ?? tail.every((word) => isIn(countryWords[country], word) || isIn(regionWords[region - 1], word))
    if (held === undefined) memo.set(place, known)
    return known
  }

  function fitsOwnWords(row: number, tail: readonly string[]): boolean {
    const country = rows.country[row] ?? 0
    const region = rows.region[row] ?? 0
    const own = ` ${foldText(`${reader.name(row)} ${rows.details[(rows.detail[row] ?? 0) - 1] ?? ''}`)}`
    return tail.every(
      (word) => isIn(own, word) || isIn(countryWords[country], word) || isIn(regionWords[region - 1], word),
    )
  }

  function sourcesOf(head: string, extra: number, isLastHope: boolean): Source[] {
    const bytes = Buffer.from(head, 'utf8')
    const exact = prefixRange(table, bytes)
    const range: PrefixRange = { from: exact.from, exactEnd: exact.exactEnd, to: exact.exactEnd }
    const whole = { range, queryBytes: bytes.length, extra }
    if (!isLastHope) return [whole]
    const goesOn = prefixRange(table, Buffer.from(`${head} `, 'utf8'), exact.exactEnd, exact.to)
    return [whole, { range: goesOn, queryBytes: bytes.length, extra: extra + GOES_ON }]
  }

  return function contextMatch(query: string, limit: number, isLastHope: boolean): Map<number, number> {
    const words = query.split(' ').slice(0, 8)
    const extra = (words.at(-1) ?? '').length > 1 ? FITS : FITS_BY_A_LETTER
    const found = new Map<number, number>()
    for (let length = words.length - 1; length >= 1 && found.size === 0; length--) {
      const tail = words.slice(length)
      const memo = new Map<number, boolean>()
      let candidates = 0
      walk(sourcesOf(words.slice(0, length).join(' '), extra, isLastHope), (row, score) => {
        candidates++
        const mayAskItself = isLastHope && candidates < OWN_WORDS_MAX
        if (fitsPlace(row, tail, memo) || (mayAskItself && fitsOwnWords(row, tail))) found.set(row, score)
        return found.size < limit && candidates < CANDIDATES_MAX
      })
    }
    return found
  }
}

const isIn = (words: string | undefined, beginning: string): boolean => words?.includes(` ${beginning}`) ?? false
