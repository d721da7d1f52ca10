import { bestPlaces, createCountPlaces, FEW_MAX, rankFew, type Source } from './best-places.ts'
import { type ContextMatch, createContextMatch, createNearContextMatch, createSurroundings } from './context-match.ts'
import { type KeyTable, prefixRange } from './key-table.ts'
import type { LocationRows } from './location-file.ts'
import type { RowReader } from './location-rows.ts'
import { COMPLETE_WORD, type Grade, MATCH_GRADE } from './match-class.ts'
import { nearSpellings } from './near-spelling.ts'
import { alternativeQueries, listSpellings, normalizeQuery } from './query.ts'

/** Matching rows, best first; counted and sorted lazily. */
export type Matches = {
  readonly length: number
  slice(start?: number, end?: number): readonly number[]
  /** Grades of the first hundred matches. */
  grades(): readonly Grade[]
  /** The text has no match; these match it with one typing error corrected. */
  readonly isNear: boolean
}

const NOTHING: Matches = { length: 0, slice: () => [], grades: () => [], isNear: false }

/** With this many prefix matches, "city country" is not tried. */
const PREFIX_MATCHES_ENOUGH = 1000

/** Tries prefix and "city country" matches, then alternative readings of the text, then spellings with one typing error. */
export function createMatches(table: KeyTable, rows: LocationRows, reader: RowReader) {
  const surroundings = createSurroundings(rows)
  const contextMatch = createContextMatch(table, surroundings, reader)
  const nearContextMatch = createNearContextMatch(table, surroundings)
  const countPlaces = createCountPlaces(table, rows.count)

  function lazyMatches(sources: readonly Source[], isNear = false): Matches {
    let count: number | undefined
    return {
      get length() {
        count ??= countPlaces(sources)
        return count
      },
      slice: (start = 0, end = Number.POSITIVE_INFINITY) =>
        bestPlaces(table, sources, end)
          .slice(start)
          .map(({ row }) => row),
      grades: () => rankFew(table, sources, FEW_MAX).map(({ grade }) => grade),
      isNear,
    }
  }

  return function matches(text: string): Matches {
    const query = normalizeQuery(text)
    if (query === '') return NOTHING
    const readings = [query, ...alternativeQueries(query)]
    for (const reading of readings) {
      const sources = prefixSources(table, reading)
      const keys = sources.reduce((sum, { range }) => sum + range.to - range.from, 0)
      const mayNameRegion = reading.includes(' ') && keys < PREFIX_MATCHES_ENOUGH
      const found = mayNameRegion ? withContext(table, sources, contextMatch, reading) : lazyMatches(sources)
      if (keys > 0 || found.length > 0) return found
    }
    for (const reading of readings) {
      const near = nearSpellings(table, reading)
      const found =
        near.length > 0 || !reading.includes(' ') ? lazyMatches(near, true) : nearMatches(nearContextMatch(reading))
      if (found.length > 0) return found
    }
    return NOTHING
  }
}

function prefixSources(table: KeyTable, query: string): Source[] {
  return listSpellings(query).flatMap((spelling) => {
    const bytes = Buffer.from(spelling, 'utf8')
    const range = prefixRange(table, bytes)
    const wholeWord = prefixRange(table, Buffer.from(`${spelling} `, 'utf8'), range.exactEnd, range.to)
    return [
      { range: wholeWord, queryBytes: bytes.length, extra: COMPLETE_WORD },
      { range, queryBytes: bytes.length, extra: 0 },
    ]
  })
}

/** Prefix matches together with "city country" matches. */
function withContext(table: KeyTable, sources: readonly Source[], contextMatch: ContextMatch, query: string): Matches {
  let all: number[] | undefined
  function best(limit: number): number[] {
    const named = bestPlaces(table, sources, limit)
    const minScore = named.length === limit ? named.at(-1)?.score : undefined
    const found = new Map(named.map(({ row, score }) => [row, score]))
    for (const [row, score] of contextMatch(query, named.length === 0, minScore)) {
      if (score <= (found.get(row) ?? 0)) continue
      // Reinserted at the end, so that ties have the same order for every limit.
      found.delete(row)
      found.set(row, score)
    }
    return [...found].sort(([, x], [, y]) => y - x).map(([row]) => row)
  }
  const readAll = () => {
    all ??= best(Number.POSITIVE_INFINITY)
    return all
  }
  return {
    get length() {
      return readAll().length
    },
    slice: (start = 0, end = Number.POSITIVE_INFINITY) =>
      (all === undefined && end <= FEW_MAX ? best(end) : readAll()).slice(start, end),
    grades() {
      const named = new Map(rankFew(table, sources, FEW_MAX).map(({ row, grade }) => [row, grade]))
      return best(FEW_MAX)
        .slice(0, FEW_MAX)
        .map((row) => named.get(row) ?? MATCH_GRADE.words)
    },
    isNear: false,
  }
}

const nearMatches = (found: readonly number[]): Matches => ({
  length: found.length,
  slice: (start, end) => found.slice(start, end),
  grades: () => found.slice(0, FEW_MAX).map(() => MATCH_GRADE.words),
  isNear: true,
})
