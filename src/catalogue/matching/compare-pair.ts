import { rowKey } from '../properties/vendor-key.ts'
import type { CatalogueReader } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'
import { SEPARATIONS, type Separation } from './assign-matches.ts'
import { type Comparison, type Impossibility, judgeTraits, MATCH_ODDS, oddsToScore } from './compare-traits.ts'
import { pinsAmong } from './manual-matches.ts'
import { getMatchTraits } from './match-traits.ts'
import { weighLocally } from './names/local-words.ts'
import { matchCellsAround } from './pair-neighbours.ts'

export type PairComparison = {
  readonly propertyIds: readonly [string, string]
  /** Of the most similar records; undefined if no two records can be one building. */
  readonly score: number | undefined
  readonly evidence: Comparison['evidence']
  /** Empty if both are the same property. */
  readonly reasons: readonly (Separation | Impossibility)[]
}

/** Reasons that depend on neighbours, so only the matching run knows them. */
const FROM_RUN: readonly string[] = ['duplicate_entry', 'other_names', 'equal_claim']

/** Explains why two properties are separate. */
export function createComparePair(store: CatalogueReader) {
  return async (one: string, other: string): Promise<PairComparison> => {
    const propertyIds = [one, other] as const
    if (one === other) return { propertyIds, score: undefined, evidence: [], reasons: [] }
    const pairs = await judgePairs(store, one, other)
    const [best] = pairs
      .flatMap(({ found }) => (typeof found === 'string' ? [] : [found]))
      .toSorted((a, b) => b.odds - a.odds)
    const reasons = new Set<Separation | Impossibility>()
    const findPin = await pinsAmong(store, [...new Set(pairs.flatMap(({ a, b }) => [rowKey(a), rowKey(b)]))])
    if (pairs.some(({ a, b }) => findPin?.(rowKey(a), rowKey(b)) === 'split')) reasons.add('kept_separate')
    if (pairs.some(({ a, b }) => a.vendor_id === b.vendor_id)) reasons.add('same_vendor')
    if (best === undefined) for (const { found } of pairs) if (typeof found === 'string') reasons.add(found)
    if (best !== undefined && best.odds < MATCH_ODDS) reasons.add('too_weak')
    if (reasons.size === 0) for (const reason of await readRunReasons(store, pairs)) reasons.add(reason)
    if (reasons.size === 0) reasons.add('not_judged_yet')
    const score = best === undefined ? undefined : oddsToScore(best.odds)
    return { propertyIds, score, evidence: best?.evidence ?? [], reasons: [...reasons] }
  }
}

type Judged = { readonly a: MatchRow; readonly b: MatchRow; readonly found: Comparison | Impossibility }

/** Compares each record of one property with each of the other. */
async function judgePairs(store: CatalogueReader, one: string, other: string): Promise<Judged[]> {
  const [left, right] = [await store.forProperties([one]), await store.forProperties([other])]
  const neighbours = await store.inCells([...new Set([...left, ...right].flatMap((row) => matchCellsAround(row)))])
  const weighWords = weighLocally(neighbours.map((row) => ({ traits: getMatchTraits(row) })))
  return left.flatMap((a) =>
    right.map((b) => ({ a, b, found: judgeTraits(getMatchTraits(a), getMatchTraits(b), weighWords) })),
  )
}

async function readRunReasons(store: CatalogueReader, pairs: readonly Judged[]): Promise<Separation[]> {
  const rows = await Promise.all(
    pairs.map(({ a, b }) => (rowKey(a) < rowKey(b) ? store.nearMatch(a, b) : store.nearMatch(b, a))),
  )
  return SEPARATIONS.filter((reason) => FROM_RUN.includes(reason) && rows.some((row) => row?.reason === reason))
}
