import { bestPlaces, createCountPlaces, FEW, fewBest, type Source } from './best-places.ts'
import { type ContextMatch, createContextMatch, createNearContextMatch, createSurroundings } from './context-match.ts'
import { type KeyTable, prefixRange } from './key-table.ts'
import type { LocationRows } from './location-file.ts'
import type { RowReader } from './location-rows.ts'
import { COMPLETE_WORD, GRADE, type Grade } from './match-class.ts'
import { nearSpellings } from './near-spelling.ts'
import { readQuery, secondReadings, spellingsOf } from './query.ts'

/** All rows that match a text, best first: counted when asked how many, put in order only as far as they are asked for. */
export type Matches = {
  readonly length: number
  slice(start?: number, end?: number): readonly number[]
  /** How well the first hundred match, in their order. */
  grades(): readonly Grade[]
  /** Nothing matches the text as it is; these match one with a typing error less. */
  readonly isNear: boolean
}

const NOTHING: Matches = { length: 0, slice: () => [], grades: () => [], isNear: false }

/** Where this many keys begin with the text, nothing is looked for that "city country" might add. */
const ENOUGH = 1000

/**
 * Row numbers for a text, best first. What begins with the text comes with what "city country" gives; only when both
 * find nothing are other readings of the text tried, and last of all spellings with one typing error.
 */
export function createMatches(table: KeyTable, rows: LocationRows, reader: RowReader) {
  const surroundings = createSurroundings(rows)
  const contextMatch = createContextMatch(table, surroundings, reader)
  const nearContextMatch = createNearContextMatch(table, surroundings)
  const countPlaces = createCountPlaces(table, rows.count)

  function inOrder(sources: readonly Source[], isNear = false): Matches {
    let count: number | undefined
    return {
      get length() {
        count ??= countPlaces(sources)
        return count
      },
      slice: (start = 0, end = Number.POSITIVE_INFINITY) => bestPlaces(table, sources, end).slice(start).map(rowOf),
      grades: () => fewBest(table, sources, FEW).map(({ grade }) => grade),
      isNear,
    }
  }

  return function matches(text: string): Matches {
    const query = readQuery(text)
    if (query === '') return NOTHING
    const readings = [query, ...secondReadings(query)]
    for (const reading of readings) {
      const sources = beginningsOf(table, reading)
      const keys = sources.reduce((sum, { range }) => sum + range.to - range.from, 0)
      const mayNameItsRegion = reading.includes(' ') && keys < ENOUGH
      const found = mayNameItsRegion ? withContext(table, sources, contextMatch, reading) : inOrder(sources)
      if (keys > 0 || found.length > 0) return found
    }
    for (const reading of readings) {
      const near = nearSpellings(table, reading)
      const found =
        near.length > 0 || !reading.includes(' ') ? inOrder(near, true) : nearlyNamed(nearContextMatch(reading))
      if (found.length > 0) return found
    }
    return NOTHING
  }
}

function beginningsOf(table: KeyTable, query: string): Source[] {
  return spellingsOf(query).flatMap((spelling) => {
    const bytes = Buffer.from(spelling, 'utf8')
    const range = prefixRange(table, bytes)
    const wholeWord = prefixRange(table, Buffer.from(`${spelling} `, 'utf8'), range.exactEnd, range.to)
    return [
      { range: wholeWord, queryBytes: bytes.length, extra: COMPLETE_WORD },
      { range, queryBytes: bytes.length, extra: 0 },
    ]
  })
}

/** What begins with the text, and what "city country" gives. */
function withContext(table: KeyTable, sources: readonly Source[], contextMatch: ContextMatch, query: string): Matches {
  let all: number[] | undefined
  function best(limit: number): number[] {
    const named = bestPlaces(table, sources, limit)
    const least = named.length === limit ? named.at(-1)?.score : undefined
    const found = new Map(named.map(({ row, score }) => [row, score]))
    for (const [row, score] of contextMatch(query, named.length === 0, least)) {
      if (score <= (found.get(row) ?? 0)) continue
      // Moved to the end, so that places with equal scores have the same order for every limit.
      found.delete(row)
      found.set(row, score)
    }
    return [...found].sort(([, x], [, y]) => y - x).map(([row]) => row)
  }
  const everything = () => {
    all ??= best(Number.POSITIVE_INFINITY)
    return all
  }
  return {
    get length() {
      return everything().length
    },
    slice: (start = 0, end = Number.POSITIVE_INFINITY) =>
      (all === undefined && end <= FEW ? best(end) : everything()).slice(start, end),
    grades() {
      const named = new Map(fewBest(table, sources, FEW).map(({ row, grade }) => [row, grade]))
      return best(FEW)
        .slice(0, FEW)
        .map((row) => named.get(row) ?? GRADE.words)
    },
    isNear: false,
  }
}

const nearlyNamed = (found: readonly number[]): Matches => ({
  length: found.length,
  slice: (start, end) => found.slice(start, end),
  grades: () => found.slice(0, FEW).map(() => GRADE.words),
  isNear: true,
})

const rowOf = ({ row }: { readonly row: number }) => row
