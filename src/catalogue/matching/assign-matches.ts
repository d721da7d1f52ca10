import type { Evidence } from './compare-traits.ts'
import { MATCH_ODDS } from './compare-traits.ts'
import { isFlat, type MatchTraits } from './match-traits.ts'
import { areDistinct, areTwins } from './twins.ts'

/** A vendor property to match, or one that keeps the property it already has. */
export type MatchNode = { readonly traits: MatchTraits; readonly propertyId: string | undefined }

/** Two nodes, by number, and the log-odds that they are one building. */
export type MatchPair = {
  readonly a: number
  readonly b: number
  readonly odds: number
  readonly evidence: readonly Evidence[]
}

export type Pin = 'split' | 'join'

/** Reasons why a pair was not joined. */
export const SEPARATIONS = [
  'too_weak',
  'same_vendor',
  'kept_separate',
  'not_judged_yet',
  'duplicate_entry',
  'other_names',
  'equal_claim',
] as const
export type Separation = (typeof SEPARATIONS)[number]

type MatchQuestion = {
  readonly nodes: readonly MatchNode[]
  /** Pairs of different vendors, at least one side new. Includes weak pairs, which act as competitors. */
  readonly pairs: readonly MatchPair[]
  /** Operator's decision on two nodes. */
  findPin?(a: number, b: number): Pin | undefined
  /** True if two existing properties may be merged, as when all links are judged again. */
  readonly joinKnown?: boolean
  /** Receives each pair that was not joined. */
  onSeparate?(pair: MatchPair, why: Separation): void
}

export type Group = {
  /** Undefined for a new building. */
  readonly propertyId: string | undefined
  /** Other properties merged into the group. */
  readonly merged: readonly string[]
  readonly members: readonly number[]
  /** Pairs that formed the group, strongest first. */
  readonly because: readonly MatchPair[]
  /** Nodes left out because they duplicate another entry of the same vendor in the group. */
  readonly twins: readonly number[]
}

/** Odds closer than this are equal claims. */
const MARGIN = 0.35

/**
 * Groups nodes, likeliest pair first; a group has each vendor at most once. Two equal claims to a third are both rejected,
 * because a duplicate is a nuisance, but two buildings under one id send a guest to the wrong one.
 */
export function assignMatches({ nodes, pairs, findPin, joinKnown = false, onSeparate }: MatchQuestion): Group[] {
  const groups = startGroups(nodes)
  const ranked = [...pairs].sort(
    (x, y) => pinRank(y, findPin) - pinRank(x, findPin) || y.odds - x.odds || x.a - y.a || x.b - y.b,
  )
  const claims = claimsByNode(ranked)
  const duplicates = new Set<number>()

  for (const pair of ranked) {
    const isPinned = findPin?.(pair.a, pair.b) === 'join'
    const left = groups.find(pair.a)
    const right = groups.find(pair.b)
    if (left === right) continue
    const separation = separate(pair, left, right, isPinned)
    if (separation === undefined) groups.join(left, right, pair)
    else onSeparate?.(pair, separation)
  }
  return groups.all()

  function separate(pair: MatchPair, left: OpenGroup, right: OpenGroup, isPinned: boolean): Separation | undefined {
    if (!isPinned && pair.odds < MATCH_ODDS) return 'too_weak'
    const separation = separateGroups(left, right, findPin, joinKnown)
    if (separation !== undefined || isPinned) return separation
    if (duplicates.has(pair.a) || duplicates.has(pair.b)) return 'duplicate_entry'
    if (hasDistinct(left, right, nodes)) return 'other_names'
    const { disputed, twins } = findCompetitors(pair, claims, groups, nodes)
    if (disputed) return 'equal_claim'
    for (const twin of twins) duplicates.add(twin)
    left.twins.push(...twins)
    return undefined
  }
}

type OpenGroup = {
  propertyId: string | undefined
  merged: string[]
  members: number[]
  vendors: Set<string>
  because: MatchPair[]
  twins: number[]
}
type Groups = ReturnType<typeof startGroups>

function startGroups(nodes: readonly MatchNode[]) {
  const byProperty = new Map<string, OpenGroup>()
  const groupByNode: OpenGroup[] = nodes.map(({ traits, propertyId }, number) => {
    const known = propertyId === undefined ? undefined : byProperty.get(propertyId)
    if (known !== undefined) {
      known.members.push(number)
      known.vendors.add(traits.vendorId)
      return known
    }
    const group = {
      propertyId,
      merged: [],
      members: [number],
      vendors: new Set([traits.vendorId]),
      because: [],
      twins: [],
    }
    if (propertyId !== undefined) byProperty.set(propertyId, group)
    return group
  })
  return {
    find(number: number): OpenGroup {
      const group = groupByNode[number]
      if (group === undefined) throw new Error(`There is no node ${number}.`)
      return group
    },
    join(left: OpenGroup, right: OpenGroup, pair: MatchPair): void {
      if (left.propertyId !== undefined && right.propertyId !== undefined) left.merged.push(right.propertyId)
      left.propertyId ??= right.propertyId
      left.merged.push(...right.merged)
      left.because.push(...right.because, pair)
      left.twins.push(...right.twins)
      for (const number of right.members) {
        left.members.push(number)
        groupByNode[number] = left
      }
      for (const vendor of right.vendors) left.vendors.add(vendor)
    },
    all: (): Group[] => [...new Set(groupByNode)],
  }
}

function separateGroups(
  left: OpenGroup,
  right: OpenGroup,
  findPin: MatchQuestion['findPin'],
  joinKnown: boolean,
): Separation | undefined {
  for (const vendor of right.vendors) if (left.vendors.has(vendor)) return 'same_vendor'
  if (left.members.some((a) => right.members.some((b) => findPin?.(a, b) === 'split'))) return 'kept_separate'
  const areKnown = left.propertyId !== undefined && right.propertyId !== undefined
  return areKnown && !joinKnown ? 'not_judged_yet' : undefined
}

/** Pairs of each node, strongest first. */
function claimsByNode(ranked: readonly MatchPair[]): Map<number, MatchPair[]> {
  const claims = new Map<number, MatchPair[]>()
  const add = (number: number, pair: MatchPair) => {
    const list = claims.get(number)
    if (list === undefined) claims.set(number, [pair])
    else list.push(pair)
  }
  for (const pair of ranked) {
    add(pair.a, pair)
    add(pair.b, pair)
  }
  return claims
}

/** Two members may be distinct although both match a third. */
function hasDistinct(left: OpenGroup, right: OpenGroup, nodes: readonly MatchNode[]): boolean {
  if (left.members.length === 1 && right.members.length === 1) return false
  return left.members.some((a) =>
    right.members.some((b) => {
      const [x, y] = [nodes[a]?.traits, nodes[b]?.traits]
      return x !== undefined && y !== undefined && areDistinct(x, y)
    }),
  )
}

/** Other entries of one vendor with an equal claim and no better partner: disputed, unless they are duplicates of one property. */
function findCompetitors(
  pair: MatchPair,
  claims: Map<number, MatchPair[]>,
  groups: Groups,
  nodes: readonly MatchNode[],
) {
  const found = [...competitors(pair.a, pair.b), ...competitors(pair.b, pair.a)]
  return { disputed: found.some(({ twin }) => !twin), twins: found.map(({ competitor }) => competitor) }

  function competitors(wanted: number, candidate: number): { competitor: number; twin: boolean }[] {
    const others: { competitor: number; twin: boolean }[] = []
    for (const claim of claims.get(wanted) ?? []) {
      const competitor = claim.a === wanted ? claim.b : claim.a
      if (competitor === candidate || vendorId(competitor) !== vendorId(candidate)) continue
      if (groups.find(competitor).vendors.has(vendorId(wanted))) continue
      if (hasBetter(competitor, claim)) continue
      const [x, y] = [nodes[competitor]?.traits, nodes[candidate]?.traits]
      const twin = x !== undefined && y !== undefined && areTwins(x, y)
      if (twin || claim.odds >= pair.odds - MARGIN) others.push({ competitor, twin })
    }
    // A property may be listed twice; three entries of one name are flats of a building.
    const areFlats = others.length > 1 && [candidate, ...others.map(({ competitor }) => competitor)].every(isFlatAt)
    return areFlats ? others.map(({ competitor }) => ({ competitor, twin: false })) : others
  }

  function hasBetter(competitor: number, claim: MatchPair): boolean {
    const wanted = claim.a === competitor ? claim.b : claim.a
    for (const other of claims.get(competitor) ?? []) {
      if (other.odds <= claim.odds) return false
      const partner = other.a === competitor ? other.b : other.a
      if (vendorId(partner) === vendorId(wanted) && !groups.find(partner).vendors.has(vendorId(competitor))) return true
    }
    return false
  }

  function isFlatAt(number: number): boolean {
    const traits = nodes[number]?.traits
    return traits !== undefined && isFlat(traits)
  }

  function vendorId(number: number): string {
    return nodes[number]?.traits.vendorId ?? ''
  }
}

const pinRank = (pair: MatchPair, findPin: MatchQuestion['findPin']) => (findPin?.(pair.a, pair.b) === 'join' ? 1 : 0)
