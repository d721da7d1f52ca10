import { assignMatches, type Group, type MatchNode, type MatchPair, type Pin } from './assign-matches.ts'
import { type MatchFacts, matchTraitsOf } from './match-traits.ts'
import { pairNeighbours } from './pair-neighbours.ts'

/** Rises with every change of the rules: then all links are judged again. */
export const MATCH_RULES = 3

/** What an operator has said about two vendor properties, by their keys. */
export type PinOf = (a: string, b: string) => Pin | undefined

type Matched = {
  /** The arrivals in their order, then the known ones. */
  readonly nodes: readonly MatchNode[]
  readonly groups: readonly Group[]
  /** Pairs that nearly matched. */
  readonly near: readonly MatchPair[]
}

/** The whole of matching: which vendor properties are one building. The known ones keep the property that they have. */
export function matchProperties(
  arrivals: readonly MatchFacts[],
  known: readonly (MatchFacts & { readonly property_id: string })[] = [],
  pinOf?: PinOf,
): Matched {
  const nodes: MatchNode[] = [
    ...arrivals.map((facts) => ({ traits: matchTraitsOf(facts), propertyId: undefined })),
    ...known.map((row) => ({ traits: matchTraitsOf(row), propertyId: row.property_id })),
  ]
  const pairs = pairNeighbours(nodes, (number) => number < arrivals.length)
  const groups = assignMatches({ nodes, pairs, ...pinsOf(nodes, pinOf) })
  return { nodes, groups, near: nearMisses(pairs, groups) }
}

/** Pairs that are likely enough to be looked at and have not become one property. */
export function nearMisses(pairs: readonly MatchPair[], groups: readonly Group[]): MatchPair[] {
  const groupOf = new Map(groups.flatMap((group) => group.members.map((number) => [number, group] as const)))
  return pairs.filter(({ a, b }) => groupOf.get(a) !== groupOf.get(b))
}

/** The same by the numbers of the nodes; nothing in the usual case that there are no pins. */
export function pinsOf(nodes: readonly MatchNode[], pinOf: PinOf | undefined) {
  if (pinOf === undefined) return {}
  const keyOf = (number: number) => nodes[number]?.traits.key ?? ''
  return { pinOf: (a: number, b: number) => pinOf(keyOf(a), keyOf(b)) }
}
