import type { Tables } from '../../store/tables.ts'
import type { Group, MatchNode } from '../matching/assign-matches.ts'
import { oddsToScore } from '../matching/compare-traits.ts'
import { pinsAmong } from '../matching/manual-matches.ts'
import { matchProperties, type NearPair } from '../matching/match-properties.ts'
import type { MatchFacts, MatchTraits } from '../matching/match-traits.ts'
import { matchCellsAround } from '../matching/pair-neighbours.ts'
import type { CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'
import { derivePropertyId } from './property-id.ts'
import { refKey, rowKey } from './vendor-key.ts'

type Placement = {
  readonly propertyIds: readonly string[]
  /** Links of arrivals to properties founded by another vendor. */
  readonly links: readonly Tables['property_links'][]
  /** Duplicate entries of a vendor that already has an entry in the property. */
  readonly twins: readonly Tables['property_twins'][]
  readonly near: readonly Tables['near_matches'][]
}

/** Matches new vendor properties with their neighbours or founds properties. Returns one id for each arrival, in order. */
export async function placeProperties(
  writer: CatalogueWriter,
  arrivals: readonly MatchFacts[],
  now: number,
): Promise<Placement> {
  if (arrivals.length === 0) return { propertyIds: [], links: [], twins: [], near: [] }
  const { nodes, groups, near } = await matchAmongNeighbours(writer, arrivals)
  const isNew = (number: number) => number < arrivals.length
  const affected = groups.filter(({ members }) => members.some(isNew))
  const findId = await assignIds(writer, affected, arrivals)

  const propertyIds: string[] = []
  const links: Tables['property_links'][] = []
  for (const group of affected) {
    const propertyId = findId(group)
    const founder = group.propertyId === undefined ? Math.min(...group.members) : -1
    for (const number of group.members) {
      const facts = arrivals[number]
      if (facts === undefined) continue
      propertyIds[number] = propertyId
      if (number === founder) continue
      const { vendor_id, vendor_property_id } = facts
      const decision = { decided_by: 'auto', decided_at: now, ...findEvidence(number, group, nodes) }
      links.push({ vendor_id, vendor_property_id, property_id: propertyId, ...decision })
    }
  }
  const twins = affected.flatMap((group) => group.twins.map((number) => toTwinRow(nodes[number], findId(group), now)))
  return { propertyIds, links, twins, near: near.flatMap((pair) => toNearRows(pair, nodes, now)) }
}

/** Matches again with remote records that operators joined to a matched property, which has only one record per vendor. */
async function matchAmongNeighbours(writer: CatalogueWriter, arrivals: readonly MatchFacts[]) {
  const neighbours = await writer.inCells([...new Set(arrivals.flatMap((facts) => matchCellsAround(facts)))])
  const matchWith = async (known: readonly MatchRow[]) =>
    matchProperties(arrivals, known, await pinsAmong(writer, [...arrivals, ...known].map(rowKey)))
  const matched = await matchWith(neighbours)
  const ids = matched.groups.flatMap(({ propertyId, members }) =>
    propertyId !== undefined && members.some((number) => number < arrivals.length) ? [propertyId] : [],
  )
  if (ids.length === 0) return matched
  const seen = new Set(neighbours.map(rowKey))
  const far = (await writer.forProperties(ids)).filter((row) => !seen.has(rowKey(row)))
  return far.length === 0 ? matched : matchWith([...neighbours, ...far])
}

/** Empty if a node is unknown. */
export function toNearRows(
  { a, b, odds, evidence, reason }: NearPair,
  nodes: readonly MatchNode[],
  now: number,
): Tables['near_matches'][] {
  const refs = [a, b].flatMap((number) => nodes[number]?.traits ?? []).map(toRef)
  const [first, second] = refs.toSorted((x, y) => (refKey(x) < refKey(y) ? -1 : 1))
  if (first === undefined || second === undefined) return []
  return [
    {
      a_vendor_id: first.vendorId,
      a_vendor_property_id: first.vendorPropertyId,
      b_vendor_id: second.vendorId,
      b_vendor_property_id: second.vendorPropertyId,
      score: oddsToScore(odds),
      evidence: JSON.stringify(evidence),
      found_at: now,
      reason,
    },
  ]
}

const NO_REF: VendorRef = { vendorId: '', vendorPropertyId: '' }
const toRef = ({ key, vendorId }: MatchTraits): VendorRef => ({
  vendorId,
  vendorPropertyId: key.slice(vendorId.length + 1),
})

/** Duplicate entry of a vendor. */
export function toTwinRow(node: MatchNode | undefined, propertyId: string, now: number): Tables['property_twins'] {
  const { vendorId, vendorPropertyId } = node === undefined ? NO_REF : toRef(node.traits)
  return { vendor_id: vendorId, vendor_property_id: vendorPropertyId, property_id: propertyId, found_at: now }
}

/** Creates missing ids. Two vendor properties may hash to one id; then the next attempt is used. */
async function assignIds(writer: CatalogueWriter, groups: readonly Group[], arrivals: readonly MatchFacts[]) {
  const ids = new Map<Group, string>()
  let pending = groups.filter((group) => group.propertyId === undefined)
  for (let attempt = 0; pending.length > 0; attempt += 1) {
    for (const group of pending) {
      const founder = arrivals[Math.min(...group.members)]
      if (founder === undefined) throw new Error('A group without an id has no arrival.')
      ids.set(group, derivePropertyId(founder.vendor_id, founder.vendor_property_id, attempt))
    }
    const rows = await writer.properties(pending.map((group) => ids.get(group) ?? ''))
    const taken = new Set(rows.map((row) => row.property_id))
    pending = pending.filter((group) => taken.has(ids.get(group) ?? ''))
  }
  return (group: Group): string => {
    const id = group.propertyId ?? ids.get(group)
    if (id === undefined) throw new Error('A group has no id.')
    return id
  }
}

function findEvidence(number: number, { because }: Group, nodes: readonly MatchNode[]) {
  const pair = because.find(({ a, b }) => a === number || b === number)
  const partner = pair === undefined ? undefined : nodes[pair.a === number ? pair.b : pair.a]
  return {
    score: oddsToScore(pair?.odds ?? 0),
    evidence: JSON.stringify({ with: partner?.traits.key, odds: pair?.odds, evidence: pair?.evidence ?? [] }),
  }
}
