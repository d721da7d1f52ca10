import { setImmediate as pause } from 'node:timers/promises'
import { partsOf } from '../../lib/parts.ts'
import { refKey, rowKey } from '../properties/vendor-key.ts'
import type { CatalogueReader, VendorRef } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'
import { assignMatches, type Group, type MatchNode, type MatchPair } from './assign-matches.ts'
import { compareTraits, MATCH_ODDS } from './compare-traits.ts'
import { nearMisses, type PinOf, pinsOf } from './match-properties.ts'
import { type MatchTraits, matchTraitsOf } from './match-traits.ts'
import { weighLocally } from './names/local-words.ts'
import { matchCellOf, matchCellsAround, pairNeighbours } from './pair-neighbours.ts'
import { pinsAmong } from './pins.ts'

export type CellJudged = {
  readonly nodes: readonly MatchNode[]
  /** Vendor properties that do not belong to their property any more. */
  readonly splits: readonly { readonly propertyId: string; readonly ref: VendorRef }[]
  /** Groups of properties that are one. */
  readonly joins: readonly Group[]
  /** Groups of which a vendor has two entries. */
  readonly twins: readonly Group[]
  /** Pairs that nearly matched. */
  readonly near: readonly MatchPair[]
}

/** A link is undone only if it is clearly below what makes one: ids that come and go are worse than a doubtful link. */
const SPLIT_ODDS = MATCH_ODDS - 1

/** Nodes whose neighbours are compared before other work gets its turn. */
const AT_ONCE = 50

/** Judges the links of all vendor properties in a cell, and which properties are one. Reads only. */
export async function judgeCell(reader: CatalogueReader, cell: number): Promise<CellJudged> {
  const own = await reader.inCells([cell])
  const rows = await reader.inCells([...new Set([cell, ...own.flatMap((row) => matchCellsAround(row))])])
  const nodes = rows.map((row): MatchNode => ({ traits: matchTraitsOf(row), propertyId: row.property_id }))
  const pinOf = await pinsAmong(
    reader,
    nodes.map(({ traits }) => traits.key),
  )
  const splits = await weakLinks(reader, own, nodes, pinOf)
  const leaving = new Set(splits.map(({ ref }) => refKey(ref)))
  const staying = nodes.map((node) => (leaving.has(node.traits.key) ? { ...node, propertyId: undefined } : node))
  const pairs = await pairsAround(staying, (node) => matchCellOf(node.traits) === cell)
  const groups = assignMatches({ nodes: staying, pairs, joinKnown: true, ...pinsOf(nodes, pinOf) })
  return {
    nodes,
    splits,
    joins: groups.filter(({ merged }) => merged.length > 0),
    twins: groups.filter(({ twins, propertyId }) => twins.length > 0 && propertyId !== undefined),
    near: nearMisses(pairs, groups),
  }
}

/** Pairs of the wanted nodes, and of those that they may be one with: a partner outside may have a better one. */
async function pairsAround(nodes: readonly MatchNode[], isWanted: (node: MatchNode) => boolean): Promise<MatchPair[]> {
  const wanted = nodes.flatMap((node, number) => (isWanted(node) ? [number] : []))
  const first = await pairsOf(nodes, wanted)
  const seen = new Set(wanted)
  const partners = new Set(first.flatMap(({ a, b }) => [a, b]).filter((number) => !seen.has(number)))
  const more = await pairsOf(nodes, [...partners])
  const known = new Set(first.map(({ a, b }) => `${a} ${b}`))
  return [...first, ...more.filter(({ a, b }) => !known.has(`${a} ${b}`) && !known.has(`${b} ${a}`))]
}

async function pairsOf(nodes: readonly MatchNode[], wanted: readonly number[]): Promise<MatchPair[]> {
  const pairs = new Map<string, MatchPair>()
  for (const part of partsOf(wanted, AT_ONCE)) {
    const isPart = new Set(part)
    for (const pair of pairNeighbours(nodes, (number) => isPart.has(number)))
      pairs.set(pair.a < pair.b ? `${pair.a} ${pair.b}` : `${pair.b} ${pair.a}`, pair)
    await pause()
  }
  return [...pairs.values()]
}

/** Links of this cell that were found by rules, and that the rules of today would not make. */
async function weakLinks(
  reader: CatalogueReader,
  own: readonly MatchRow[],
  nodes: readonly MatchNode[],
  pinOf: PinOf | undefined,
): Promise<CellJudged['splits']> {
  const shared = [...Map.groupBy(own, (row) => row.property_id).keys()]
  const weightsOf = weighLocally(nodes)
  const splits: CellJudged['splits'][number][] = []
  for (const [propertyId, members] of Map.groupBy(await reader.ofProperties(shared), (row) => row.property_id)) {
    if (members.length < 2) continue
    const links = new Map((await reader.links(propertyId)).map((link) => [rowKey(link), link.decided_by]))
    // The record that founded the property has no link. It is split off last, and only if two others remain.
    const foundersLast = members.toSorted((a, b) => Number(!links.has(rowKey(a))) - Number(!links.has(rowKey(b))))
    const traits = new Map(foundersLast.map((row) => [row, matchTraitsOf(row)]))
    let stay = [...traits.values()]
    for (const [row, one] of traits) {
      const decidedBy = links.get(one.key)
      const others = stay.filter((other) => other !== one)
      if (decidedBy === 'operator' || matchCellOf(row) !== matchCellOf(own[0] ?? row)) continue
      if (decidedBy === undefined && others.length < 2) continue
      if (others.some((other) => pinOf?.(one.key, other.key) === 'join' || isHeld(one, other, weightsOf))) continue
      splits.push({ propertyId, ref: { vendorId: row.vendor_id, vendorPropertyId: row.vendor_property_id } })
      stay = others
    }
  }
  return splits
}

const isHeld = (a: MatchTraits, b: MatchTraits, weightsOf: ReturnType<typeof weighLocally>): boolean =>
  (compareTraits(a, b, weightsOf)?.odds ?? Number.NEGATIVE_INFINITY) >= SPLIT_ODDS
