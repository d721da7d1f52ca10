import {
  assignMatches,
  type Group,
  type MatchNode,
  type MatchPair,
  type Pin,
  type Separation,
} from './assign-matches.ts'
import { getMatchTraits, type MatchFacts } from './match-traits.ts'
import { pairNeighbours } from './pair-neighbours.ts'

/** Increment on every change of the rules, so that all links are judged again. */
export const MATCH_RULES = 5

/** Operator's decision on two vendor properties, by their keys. */
export type FindPin = (a: string, b: string) => Pin | undefined

type Matched = {
  /** Arrivals in their order, then known properties. */
  readonly nodes: readonly MatchNode[]
  readonly groups: readonly Group[]
  /** Pairs that nearly matched. */
  readonly near: readonly NearPair[]
}

export type NearPair = MatchPair & { readonly reason: Separation }

/** Groups vendor properties into buildings. Known ones keep their property. */
export function matchProperties(
  arrivals: readonly MatchFacts[],
  known: readonly (MatchFacts & { readonly property_id: string })[] = [],
  findPin?: FindPin,
): Matched {
  const nodes: MatchNode[] = [
    ...arrivals.map((facts) => ({ traits: getMatchTraits(facts), propertyId: undefined })),
    ...known.map((row) => ({ traits: getMatchTraits(row), propertyId: row.property_id })),
  ]
  const pairs = pairNeighbours(nodes, (number) => number < arrivals.length)
  return { nodes, ...assignWithReasons({ nodes, pairs, ...pinsByNumber(nodes, findPin) }) }
}

/** Groups, and the pairs that are likely enough for review but did not become one property. */
export function assignWithReasons(question: Omit<Parameters<typeof assignMatches>[0], 'onSeparate'>) {
  const separate: NearPair[] = []
  const groups = assignMatches({ ...question, onSeparate: (pair, reason) => separate.push({ ...pair, reason }) })
  const groupByNode = new Map(groups.flatMap((group) => group.members.map((number) => [number, group] as const)))
  // A later pair may have joined the two groups.
  return { groups, near: separate.filter(({ a, b }) => groupByNode.get(a) !== groupByNode.get(b)) }
}

/** Looks pins up by node number; empty if there are no pins, the usual case. */
export function pinsByNumber(nodes: readonly MatchNode[], findPin: FindPin | undefined) {
  if (findPin === undefined) return {}
  const nodeKey = (number: number) => nodes[number]?.traits.key ?? ''
  return { findPin: (a: number, b: number) => findPin(nodeKey(a), nodeKey(b)) }
}
