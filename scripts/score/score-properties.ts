import { compareTraits, type Evidence } from '../../src/catalogue/matching/compare-traits.ts'
import { matchProperties } from '../../src/catalogue/matching/match-properties.ts'
import type { MatchFacts } from '../../src/catalogue/matching/match-traits.ts'
import { weighLocally } from '../../src/catalogue/matching/names/local-words.ts'
import { rowKey } from '../../src/catalogue/properties/vendor-key.ts'
import type { LabelledPair, LabelledSet } from './labelled-set.ts'

/** A pair of records and what the matcher says about it. */
export type PairJudged = {
  readonly a: MatchFacts
  readonly b: MatchFacts
  /** Undefined where the matcher rules it out. */
  readonly odds: number | undefined
  readonly evidence: readonly Evidence[]
  readonly why: string
  /** False for a join that has no label of its own, but contradicts one. */
  readonly labelled: boolean
}

export type Score = {
  /** Pairs of `same` that were joined. */
  readonly right: number
  readonly wrong: readonly PairJudged[]
  readonly missed: readonly PairJudged[]
  /** Pairs of `same` that could not be joined, because another entry of the same vendor for the property was. */
  readonly twins: number
  /** All pairs that were joined. */
  readonly joins: number
  /** Joins that no label speaks about. */
  readonly unlabelled: readonly PairJudged[]
}

/**
 * Wrong is a join of a pair that is labelled different, or of a record whose partner at that vendor is known to be
 * another one. A pair is not missed if its property was joined with another entry of the same vendor that is also `same`.
 */
export function scoreProperties({ records, same, different, renamed }: LabelledSet): Score {
  const { nodes, groups } = matchProperties(records)
  const weightsOf = weighLocally(nodes)
  const numberOf = new Map(records.map((record, at) => [rowKey(record), at]))
  const labels = { same: keysOf(same), different: keysOf(different), renamed: keysOf(renamed) }
  const partners = partnersOf(same)
  const joined = joinsOf(
    groups,
    nodes.map(({ traits }) => traits.key),
  )

  const judge = ([a, b]: LabelledPair, why: string, labelled: boolean): PairJudged[] => {
    const [x, y] = [nodes[numberOf.get(a) ?? -1]?.traits, nodes[numberOf.get(b) ?? -1]?.traits]
    const [left, right] = [records[numberOf.get(a) ?? -1], records[numberOf.get(b) ?? -1]]
    if (x === undefined || y === undefined || left === undefined || right === undefined) return []
    const found = compareTraits(x, y, weightsOf)
    return [{ a: left, b: right, odds: found?.odds, evidence: found?.evidence ?? [], why, labelled }]
  }
  const hasOther = (a: string, b: string) =>
    (partners.get(a) ?? []).some((partner) => vendorOf(partner) === vendorOf(b) && partner !== b)

  const score = { right: 0, wrong: [] as PairJudged[], missed: [] as PairJudged[], twins: 0 }
  const unlabelled: PairJudged[] = []
  for (const pair of joined.values()) {
    const key = keyOf(pair)
    if (labels.same.has(key)) score.right += 1
    else if (labels.renamed.has(key)) continue
    else if (labels.different.has(key)) score.wrong.push(...judge(pair, 'labelled different', true))
    else if (hasOther(...pair) || hasOther(pair[1], pair[0]))
      score.wrong.push(...judge(pair, 'its partner is another', false))
    else unlabelled.push(...judge(pair, '', false))
  }
  for (const pair of same) {
    if (joined.has(keyOf(pair))) continue
    if (isTwinOfJoined(pair, partners, joined)) score.twins += 1
    else score.missed.push(...judge(pair, '', true))
  }
  return { ...score, joins: joined.size, unlabelled }
}

/** One of the two was joined with another entry of the other's vendor, and that is right as well. */
function isTwinOfJoined([a, b]: LabelledPair, partners: Partners, joined: ReadonlyMap<string, LabelledPair>): boolean {
  const servedWith = (one: string, other: string) =>
    (partners.get(one) ?? []).some((twin) => vendorOf(twin) === vendorOf(other) && joined.has(keyOf([one, twin])))
  return servedWith(a, b) || servedWith(b, a)
}

type Partners = ReadonlyMap<string, readonly string[]>

function partnersOf(same: readonly LabelledPair[]): Partners {
  const partners = new Map<string, string[]>()
  const add = (a: string, b: string) => partners.set(a, [...(partners.get(a) ?? []), b])
  for (const [a, b] of same) {
    add(a, b)
    add(b, a)
  }
  return partners
}

/** Every pair inside a group. */
function joinsOf(groups: readonly { readonly members: readonly number[] }[], keys: readonly string[]) {
  const joins = new Map<string, LabelledPair>()
  for (const { members } of groups) {
    for (const [at, a] of members.entries()) {
      for (const b of members.slice(at + 1)) {
        const pair = [keys[a] ?? '', keys[b] ?? ''] as const
        joins.set(keyOf(pair), pair)
      }
    }
  }
  return joins
}

const keyOf = ([a, b]: LabelledPair) => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
const keysOf = (pairs: readonly LabelledPair[]) => new Set(pairs.map(keyOf))
const vendorOf = (key: string) => key.slice(0, key.indexOf(':'))
