import type { Evidence } from './compare-traits.ts'
import { MATCH_ODDS } from './compare-traits.ts'
import { isFlat, type MatchTraits } from './match-traits.ts'
import { areDistinct, areTwins } from './twins.ts'

/** A vendor property to be matched, or one that already has its property and keeps it. */
export type MatchNode = { readonly traits: MatchTraits; readonly propertyId: string | undefined }

/** Two nodes, by number, and how likely they are one building. */
export type MatchPair = {
  readonly a: number
  readonly b: number
  readonly odds: number
  readonly evidence: readonly Evidence[]
}

export type Pin = 'split' | 'join'

type MatchQuestion = {
  readonly nodes: readonly MatchNode[]
  /** Pairs of different vendors, at least one side new. Weak ones may be there too: they count as competitors. */
  readonly pairs: readonly MatchPair[]
  /** What an operator has said about two nodes. */
  pinOf?(a: number, b: number): Pin | undefined
  /** Whether two properties that both have ids may become one, as when all links are judged again. */
  readonly joinKnown?: boolean
}

export type Group = {
  /** Undefined for a building that nobody knew before. */
  readonly propertyId: string | undefined
  /** Further properties that the group has become one with. */
  readonly merged: readonly string[]
  readonly members: readonly number[]
  /** The pairs that brought the group together, strongest first. */
  readonly because: readonly MatchPair[]
  /** Nodes that stay on their own, because their vendor lists the property twice and the group has the other entry. */
  readonly twins: readonly number[]
}

/** Two claims closer than this count as equal. */
const MARGIN = 0.35

/**
 * Puts nodes together, likeliest pair first. A vendor sells a building once, so a group never holds two of one vendor;
 * two properties that both have ids are never joined, because ids are stable. Where two properties have an equally good
 * claim to a third, none gets it: a duplicate property is a nuisance, two buildings under one id send a guest to the wrong one.
 * Only where those two are one property that its vendor lists twice, the better entry gets it.
 */
export function assignMatches({ nodes, pairs, pinOf, joinKnown = false }: MatchQuestion): Group[] {
  const groups = startGroups(nodes)
  const ranked = [...pairs].sort(
    (x, y) => pinned(y, pinOf) - pinned(x, pinOf) || y.odds - x.odds || x.a - y.a || x.b - y.b,
  )
  const claims = claimsByNode(ranked)
  const spare = new Set<number>()

  for (const pair of ranked) {
    const joined = pinOf?.(pair.a, pair.b) === 'join'
    if (!joined && pair.odds < MATCH_ODDS) continue
    const left = groups.of(pair.a)
    const right = groups.of(pair.b)
    if (left === right || !mayJoin(left, right, pinOf, joinKnown)) continue
    if (!joined) {
      if (spare.has(pair.a) || spare.has(pair.b) || hasDistinct(left, right, nodes)) continue
      const { disputed, twins } = competitorsOf(pair, claims, groups, nodes)
      if (disputed) continue
      for (const twin of twins) spare.add(twin)
      left.twins.push(...twins)
    }
    groups.join(left, right, pair)
  }
  return groups.all()
}

type Growing = {
  propertyId: string | undefined
  merged: string[]
  members: number[]
  vendors: Set<string>
  because: MatchPair[]
  twins: number[]
}
type Groups = ReturnType<typeof startGroups>

function startGroups(nodes: readonly MatchNode[]) {
  const byProperty = new Map<string, Growing>()
  const groupOf: Growing[] = nodes.map(({ traits, propertyId }, number) => {
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
    of(number: number): Growing {
      const group = groupOf[number]
      if (group === undefined) throw new Error(`there is no node ${number}`)
      return group
    },
    join(left: Growing, right: Growing, pair: MatchPair): void {
      if (left.propertyId !== undefined && right.propertyId !== undefined) left.merged.push(right.propertyId)
      left.propertyId ??= right.propertyId
      left.merged.push(...right.merged)
      left.because.push(...right.because, pair)
      left.twins.push(...right.twins)
      for (const number of right.members) {
        left.members.push(number)
        groupOf[number] = left
      }
      for (const vendor of right.vendors) left.vendors.add(vendor)
    },
    all: (): Group[] => [...new Set(groupOf)],
  }
}

function mayJoin(left: Growing, right: Growing, pinOf: MatchQuestion['pinOf'], joinKnown: boolean): boolean {
  if (!joinKnown && left.propertyId !== undefined && right.propertyId !== undefined) return false
  for (const vendor of right.vendors) if (left.vendors.has(vendor)) return false
  if (pinOf === undefined) return true
  return !left.members.some((a) => right.members.some((b) => pinOf(a, b) === 'split'))
}

/** Each node's pairs, strongest first. */
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

/** Two that were joined with a third each may still be two properties. */
function hasDistinct(left: Growing, right: Growing, nodes: readonly MatchNode[]): boolean {
  if (left.members.length === 1 && right.members.length === 1) return false
  return left.members.some((a) =>
    right.members.some((b) => {
      const [x, y] = [nodes[a]?.traits, nodes[b]?.traits]
      return x !== undefined && y !== undefined && areDistinct(x, y)
    }),
  )
}

/**
 * Whether another property of the same vendor claims one side as well as this one does, and has no better partner; and
 * which of those are the same property in two entries.
 */
function competitorsOf(pair: MatchPair, claims: Map<number, MatchPair[]>, groups: Groups, nodes: readonly MatchNode[]) {
  const found = [...competitors(pair.a, pair.b), ...competitors(pair.b, pair.a)]
  return { disputed: found.some(({ twin }) => !twin), twins: found.map(({ competitor }) => competitor) }

  function competitors(wanted: number, candidate: number): { competitor: number; twin: boolean }[] {
    const others: { competitor: number; twin: boolean }[] = []
    for (const claim of claims.get(wanted) ?? []) {
      const competitor = claim.a === wanted ? claim.b : claim.a
      if (competitor === candidate || vendorOf(competitor) !== vendorOf(candidate)) continue
      if (groups.of(competitor).vendors.has(vendorOf(wanted))) continue
      if (hasBetter(competitor, claim)) continue
      const [x, y] = [nodes[competitor]?.traits, nodes[candidate]?.traits]
      const twin = x !== undefined && y !== undefined && areTwins(x, y)
      if (twin || claim.odds >= pair.odds - MARGIN) others.push({ competitor, twin })
    }
    // A property may be listed twice; three entries of one name are the flats of a building.
    const areFlats = others.length > 1 && [candidate, ...others.map(({ competitor }) => competitor)].every(isFlatAt)
    return areFlats ? others.map(({ competitor }) => ({ competitor, twin: false })) : others
  }

  function hasBetter(competitor: number, claim: MatchPair): boolean {
    const wanted = claim.a === competitor ? claim.b : claim.a
    for (const other of claims.get(competitor) ?? []) {
      if (other.odds <= claim.odds) return false
      const partner = other.a === competitor ? other.b : other.a
      if (vendorOf(partner) === vendorOf(wanted) && !groups.of(partner).vendors.has(vendorOf(competitor))) return true
    }
    return false
  }

  function isFlatAt(number: number): boolean {
    const traits = nodes[number]?.traits
    return traits !== undefined && isFlat(traits)
  }

  function vendorOf(number: number): string {
    return nodes[number]?.traits.vendorId ?? ''
  }
}

const pinned = (pair: MatchPair, pinOf: MatchQuestion['pinOf']) => (pinOf?.(pair.a, pair.b) === 'join' ? 1 : 0)
