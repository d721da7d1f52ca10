import { compareTraits, type Evidence } from '../../src/catalogue/matching/compare-traits.ts'
import { matchProperties } from '../../src/catalogue/matching/match-properties.ts'
import type { MatchFacts } from '../../src/catalogue/matching/match-traits.ts'
import { weighLocally } from '../../src/catalogue/matching/names/local-words.ts'
import { rowKey } from '../../src/catalogue/properties/vendor-key.ts'
import type { LabelledPair, LabelledSet } from './labelled-set.ts'

/** A pair of records and the matcher's result. */
export type PairJudged = {
  readonly a: MatchFacts
  readonly b: MatchFacts
  /** Undefined if the matcher rules it out. */
  readonly odds: number | undefined
  readonly evidence: readonly Evidence[]
  readonly why: string
  /** False for an unlabelled join that contradicts a label. */
  readonly labelled: boolean
}

export type Score = {
  /** Pairs of `same` that were joined. */
  readonly right: number
  readonly wrong: readonly PairJudged[]
  readonly missed: readonly PairJudged[]
  /** Pairs of `same` that could not be joined because another entry of the same vendor for the property was. */
  readonly twins: number
  /** Number of all joined pairs. */
  readonly joins: number
  /** Joins without any label. */
  readonly unlabelled: readonly PairJudged[]
}

/**
 * A join is wrong if the pair is labelled different, or if the record's partner at that vendor is known to be another
 * one. A pair is not missed if its property was joined with another entry of the same vendor that is also `same`.
 */
export function scoreProperties({ records, same, different, renamed }: LabelledSet): Score {
  const { nodes, groups } = matchProperties(records)
  const getWeights = weighLocally(nodes)
  const indexByKey = new Map(records.map((record, index) => [rowKey(record), index]))
  const labels = { same: toKeySet(same), different: toKeySet(different), renamed: toKeySet(renamed) }
  const partners = findPartners(same)
  const joined = listJoins(
    groups,
    nodes.map(({ traits }) => traits.key),
  )

  const judge = ([a, b]: LabelledPair, reason: string, labelled: boolean): PairJudged[] => {
    const [x, y] = [nodes[indexByKey.get(a) ?? -1]?.traits, nodes[indexByKey.get(b) ?? -1]?.traits]
    const [left, right] = [records[indexByKey.get(a) ?? -1], records[indexByKey.get(b) ?? -1]]
    if (x === undefined || y === undefined || left === undefined || right === undefined) return []
    const found = compareTraits(x, y, getWeights)
    return [{ a: left, b: right, odds: found?.odds, evidence: found?.evidence ?? [], why: reason, labelled }]
  }
  const hasOtherPartner = (a: string, b: string) =>
    (partners.get(a) ?? []).some((partner) => readVendorId(partner) === readVendorId(b) && partner !== b)

  const score = { right: 0, wrong: [] as PairJudged[], missed: [] as PairJudged[], twins: 0 }
  const unlabelled: PairJudged[] = []
  for (const pair of joined.values()) {
    const key = pairKey(pair)
    if (labels.same.has(key)) score.right += 1
    else if (labels.renamed.has(key)) continue
    else if (labels.different.has(key)) score.wrong.push(...judge(pair, 'labelled different', true))
    else if (hasOtherPartner(...pair) || hasOtherPartner(pair[1], pair[0]))
      score.wrong.push(...judge(pair, 'its partner is another', false))
    else unlabelled.push(...judge(pair, '', false))
  }
  for (const pair of same) {
    if (joined.has(pairKey(pair))) continue
    if (isTwinOfJoined(pair, partners, joined)) score.twins += 1
    else score.missed.push(...judge(pair, '', true))
  }
  return { ...score, joins: joined.size, unlabelled }
}

/** True if one of the two was joined correctly with another entry of the other's vendor. */
function isTwinOfJoined([a, b]: LabelledPair, partners: Partners, joined: ReadonlyMap<string, LabelledPair>): boolean {
  const isJoinedWithTwin = (one: string, other: string) =>
    (partners.get(one) ?? []).some(
      (twin) => readVendorId(twin) === readVendorId(other) && joined.has(pairKey([one, twin])),
    )
  return isJoinedWithTwin(a, b) || isJoinedWithTwin(b, a)
}

type Partners = ReadonlyMap<string, readonly string[]>

function findPartners(same: readonly LabelledPair[]): Partners {
  const partners = new Map<string, string[]>()
  const add = (a: string, b: string) => partners.set(a, [...(partners.get(a) ?? []), b])
  for (const [a, b] of same) {
    add(a, b)
    add(b, a)
  }
  return partners
}

/** Every pair inside a group. */
function listJoins(groups: readonly { readonly members: readonly number[] }[], keys: readonly string[]) {
  const joins = new Map<string, LabelledPair>()
  for (const { members } of groups) {
    for (const [index, a] of members.entries()) {
      for (const b of members.slice(index + 1)) {
        const pair = [keys[a] ?? '', keys[b] ?? ''] as const
        joins.set(pairKey(pair), pair)
      }
    }
  }
  return joins
}

const pairKey = ([a, b]: LabelledPair) => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
const toKeySet = (pairs: readonly LabelledPair[]) => new Set(pairs.map(pairKey))
const readVendorId = (key: string) => key.slice(0, key.indexOf(':'))
