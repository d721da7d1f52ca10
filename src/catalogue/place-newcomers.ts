import type { CatalogueWriter } from '../store/catalogue.ts'
import type { PropertyLinkRow } from '../store/tables.ts'
import { assignMatches, type Group, type MatchNode, type Pin } from './matching/assign-matches.ts'
import { scoreOf } from './matching/compare-traits.ts'
import { type MatchFacts, matchTraitsOf } from './matching/match-traits.ts'
import { matchCellsAround, pairNeighbours } from './matching/pair-neighbours.ts'
import { propertyIdOf } from './property-id.ts'

export type Placement = {
  /** One id for each newcomer, in their order. */
  readonly propertyIds: readonly string[]
  /** Why newcomers were put to a property that is not their own. */
  readonly links: readonly PropertyLinkRow[]
}

/** Finds each newcomer's building among its neighbours, or founds one. */
export async function placeNewcomers(
  writer: CatalogueWriter,
  newcomers: readonly MatchFacts[],
  now: number,
): Promise<Placement> {
  if (newcomers.length === 0) return { propertyIds: [], links: [] }
  const neighbours = await writer.inCells([...new Set(newcomers.flatMap((facts) => matchCellsAround(facts)))])
  const nodes: MatchNode[] = [
    ...newcomers.map((facts) => ({ traits: matchTraitsOf(facts), propertyId: undefined })),
    ...neighbours.map((row) => ({ traits: matchTraitsOf(row), propertyId: row.property_id })),
  ]
  const isNew = (number: number) => number < newcomers.length
  const groups = assignMatches({ nodes, pairs: pairNeighbours(nodes, isNew), ...(await pinsAmong(writer, nodes)) })
  const affected = groups.filter(({ members }) => members.some(isNew))
  const idOf = await idsFor(writer, affected, newcomers)

  const propertyIds: string[] = []
  const links: PropertyLinkRow[] = []
  for (const group of affected) {
    const propertyId = idOf(group)
    const founder = group.propertyId === undefined ? Math.min(...group.members) : -1
    for (const number of group.members) {
      const facts = newcomers[number]
      if (facts === undefined) continue
      propertyIds[number] = propertyId
      if (number !== founder) links.push(linkOf(facts, number, propertyId, group, nodes, now))
    }
  }
  return { propertyIds, links }
}

/** Ids for the groups that have none yet. Two vendor properties may hash to one id once in a universe; then we salt. */
async function idsFor(writer: CatalogueWriter, groups: readonly Group[], newcomers: readonly MatchFacts[]) {
  const founders = groups.filter((group) => group.propertyId === undefined)
  const wanted = new Map(founders.map((group) => [group, founderOf(group, newcomers)]))
  const ids = new Map<Group, string>()
  for (let attempt = 0; wanted.size > 0; attempt += 1) {
    for (const [group, facts] of wanted)
      ids.set(group, propertyIdOf(facts.vendor_id, facts.vendor_property_id, attempt))
    const taken = new Set(
      (await writer.properties([...wanted.keys()].map((group) => ids.get(group) ?? ''))).map((row) => row.property_id),
    )
    for (const group of [...wanted.keys()]) if (!taken.has(ids.get(group) ?? '')) wanted.delete(group)
  }
  return (group: Group): string => {
    const id = group.propertyId ?? ids.get(group)
    if (id === undefined) throw new Error('a group was left without an id')
    return id
  }
}

function founderOf(group: Group, newcomers: readonly MatchFacts[]): MatchFacts {
  const facts = newcomers[Math.min(...group.members)]
  if (facts === undefined) throw new Error('a group without an id has no newcomer')
  return facts
}

function linkOf(
  facts: MatchFacts,
  number: number,
  propertyId: string,
  group: Group,
  nodes: readonly MatchNode[],
  now: number,
): PropertyLinkRow {
  const pair = group.because.find(({ a, b }) => a === number || b === number)
  const partner = pair === undefined ? undefined : nodes[pair.a === number ? pair.b : pair.a]
  return {
    vendor_id: facts.vendor_id,
    vendor_property_id: facts.vendor_property_id,
    property_id: propertyId,
    score: scoreOf(pair?.odds ?? 0),
    decided_by: 'auto',
    evidence: JSON.stringify({ with: partner?.traits.key, odds: pair?.odds, evidence: pair?.evidence ?? [] }),
    decided_at: now,
  }
}

/** An operator's splits and joins among these nodes; nothing at all in the usual case that there are none. */
async function pinsAmong(writer: CatalogueWriter, nodes: readonly MatchNode[]) {
  if (!(await writer.hasPins())) return {}
  const rows = await writer.pins(nodes.map(({ traits }) => traits.key))
  if (rows.length === 0) return {}
  const pins = new Map(rows.map((row) => [`${row.a}\n${row.b}`, row.kind as Pin]))
  const keyOf = (number: number) => nodes[number]?.traits.key ?? ''
  return { pinOf: (a: number, b: number) => pins.get(pinKey(keyOf(a), keyOf(b))) }
}

/** Two keys in one order, whichever way they are asked for. */
export const pinKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
