import { createWalker, type Source } from './best-first.ts'
import { createContextMatch } from './context-match.ts'
import type { KeyTable } from './key-table.ts'
import type { LocationRows } from './location-file.ts'
import type { RowReader } from './location-rows.ts'
import { COMPLETE_WORD } from './match-class.ts'
import { nearSpellings } from './near-spelling.ts'
import { prefixRange } from './prefix-range.ts'
import { readQuery, secondReadings, spellingsOf } from './query.ts'

/** All rows that match a text, best first: counted at once, put in order only as far as they are asked for. */
export type Matches = { readonly length: number; slice(start?: number, end?: number): readonly number[] }

/** The most that `rank` gives; where more begin with the text, nothing is looked for that "city country" might add. */
const RESULTS_MAX = 1000
/** From this share of all on, sorting them is cheaper than taking them one by one. */
const SORTED_SHARE = 0.2

/**
 * Row numbers for a text, best first. What begins with the text comes with what "city country" gives; only when both
 * find nothing is the text read otherwise, and last of all one slip of the finger is forgiven.
 */
export function createRank(table: KeyTable, rows: LocationRows, reader: RowReader) {
  const walker = createWalker(table, rows.count)
  const contextMatch = createContextMatch(table, walker.bestFirst, rows, reader)

  function beginningsOf(query: string): Source[] {
    return spellingsOf(query).flatMap((spelling) => {
      const bytes = Buffer.from(spelling, 'utf8')
      const range = prefixRange(table, bytes)
      const goesOn = prefixRange(table, Buffer.from(`${spelling} `, 'utf8'), range.exactEnd, range.to)
      return [
        { range, queryBytes: bytes.length, extra: 0 },
        { range: goesOn, queryBytes: bytes.length, extra: COMPLETE_WORD },
      ]
    })
  }

  function take(sources: readonly Source[], limit: number): Map<number, number> {
    const found = new Map<number, number>()
    walker.bestFirst(sources, (row, score) => {
      found.set(row, score)
      return found.size < limit
    })
    return found
  }

  function lookUp(query: string, limit: number): number[] {
    const found = take(beginningsOf(query), limit)
    if (!query.includes(' ') || found.size >= limit) return [...found.keys()]
    for (const [row, score] of contextMatch(query, limit, found.size === 0)) {
      if (score > (found.get(row) ?? 0)) found.set(row, score)
    }
    return [...found]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, limit)
      .map(([row]) => row)
  }

  function matchesOf(sources: readonly Source[], length: number): Matches {
    return {
      length,
      slice(start = 0, end = length) {
        if (start >= Math.min(end, length)) return []
        if (end > length * SORTED_SHARE) return walker.all(sources).slice(start, end)
        return [...take(sources, end).keys()].slice(start)
      },
    }
  }

  function readAs(query: string): Matches {
    const sources = beginningsOf(query)
    const count = walker.count(sources)
    return query.includes(' ') && count < RESULTS_MAX ? lookUp(query, Infinity) : matchesOf(sources, count)
  }

  return {
    /** The best of them, without counting the rest. */
    rank(text: string, limit: number): readonly number[] {
      const query = readQuery(text)
      const most = Math.min(limit, RESULTS_MAX)
      if (query === '' || !(most >= 1)) return []
      const found = lookUp(query, most)
      if (found.length > 0) return found
      for (const reading of secondReadings(query)) {
        const again = lookUp(reading, most)
        if (again.length > 0) return again
      }
      return [...take(nearSpellings(table, query), most).keys()]
    },

    matches(text: string): Matches {
      const query = readQuery(text)
      if (query === '') return []
      const found = readAs(query)
      if (found.length > 0) return found
      for (const reading of secondReadings(query)) {
        const again = readAs(reading)
        if (again.length > 0) return again
      }
      const sources = nearSpellings(table, query)
      return matchesOf(sources, walker.count(sources))
    },
  }
}
