import type { Evidence } from './compare-traits.ts'
import { MATCH_ODDS } from './compare-traits.ts'
import type { MatchTraits } from './match-traits.ts'

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

export type MatchQuestion = {
  readonly nodes: readonly MatchNode[]
  /** Pairs of different vendors, at least one side new. Weak ones may be there too: they count as rivals. */
  readonly pairs: readonly MatchPair[]
  /** What an operator has said about two nodes. */
  pinOf?(a: number, b: number): Pin | undefined
}

export type Group = {
  /** Undefined for a building that nobody knew before. */
  readonly propertyId: string | undefined
  readonly members: readonly number[]
  /** The pairs that brought the group together, strongest first. */
  readonly because: readonly MatchPair[]
}

/** Two claims closer than this are not told apart. */
const MARGIN = 0.35

/**
 * Puts nodes together, likeliest pair first. A vendor sells a building once, so a group never holds two of one vendor;
 * two properties that both have ids are never joined, because ids are stable. Where two houses have an equally good
 * claim to a third, none gets it: a property too many is a nuisance, two buildings in one is a guest at the wrong door.
 */
export function assignMatches({ nodes, pairs, pinOf }: MatchQuestion): Group[] {
  const groups = startGroups(nodes)
  const ranked = [...pairs].sort(
    (x, y) => pinned(y, pinOf) - pinned(x, pinOf) || y.odds - x.odds || x.a - y.a || x.b - y.b,
  )
  const claims = claimsByNode(ranked)

  for (const pair of ranked) {
    const joined = pinOf?.(pair.a, pair.b) === 'join'
    if (!joined && pair.odds < MATCH_ODDS) continue
    const left = groups.of(pair.a)
    const right = groups.of(pair.b)
    if (left === right || !mayJoin(left, right, pinOf)) continue
    if (!joined && isDisputed(pair, claims, groups, nodes)) continue
    groups.join(left, right, pair)
  }
  return groups.all()
}

type Growing = { propertyId: string | undefined; members: number[]; vendors: Set<string>; because: MatchPair[] }
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
    const group = { propertyId, members: [number], vendors: new Set([traits.vendorId]), because: [] }
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
      left.propertyId ??= right.propertyId
      left.because.push(...right.because, pair)
      for (const number of right.members) {
        left.members.push(number)
        groupOf[number] = left
      }
      for (const vendor of right.vendors) left.vendors.add(vendor)
    },
    all: (): Group[] => [...new Set(groupOf)],
  }
}

function mayJoin(left: Growing, right: Growing, pinOf: MatchQuestion['pinOf']): boolean {
  if (left.propertyId !== undefined && right.propertyId !== undefined) return false
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

/** Another house of the same vendor claims one side as well as this one does, and has nowhere better to go. */
function isDisputed(pair: MatchPair, claims: Map<number, MatchPair[]>, groups: Groups, nodes: readonly MatchNode[]) {
  return rivals(pair.a, pair.b) || rivals(pair.b, pair.a)

  function rivals(wanted: number, suitor: number): boolean {
    for (const claim of claims.get(wanted) ?? []) {
      if (claim.odds < pair.odds - MARGIN) return false
      const rival = claim.a === wanted ? claim.b : claim.a
      if (rival === suitor || vendorOf(rival) !== vendorOf(suitor)) continue
      if (groups.of(rival).vendors.has(vendorOf(wanted))) continue
      if (!hasBetter(rival, claim)) return true
    }
    return false
  }

  function hasBetter(rival: number, claim: MatchPair): boolean {
    const wanted = claim.a === rival ? claim.b : claim.a
    for (const other of claims.get(rival) ?? []) {
      if (other.odds <= claim.odds) return false
      const partner = other.a === rival ? other.b : other.a
      if (vendorOf(partner) === vendorOf(wanted) && !groups.of(partner).vendors.has(vendorOf(rival))) return true
    }
    return false
  }

  function vendorOf(number: number): string {
    return nodes[number]?.traits.vendorId ?? ''
  }
}

const pinned = (pair: MatchPair, pinOf: MatchQuestion['pinOf']) => (pinOf?.(pair.a, pair.b) === 'join' ? 1 : 0)
