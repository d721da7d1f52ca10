import { setImmediate as pause } from 'node:timers/promises'
import { chunk } from '../../lib/chunk.ts'
import { refKey, rowKey } from '../properties/vendor-key.ts'
import type { CatalogueReader, VendorRef } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'
import type { Group, MatchNode, MatchPair } from './assign-matches.ts'
import { compareTraits, MATCH_ODDS } from './compare-traits.ts'
import { pinsAmong } from './manual-matches.ts'
import { assignWithReasons, type FindPin, type NearPair, pinsByNumber } from './match-properties.ts'
import { getMatchTraits, type MatchTraits } from './match-traits.ts'
import { weighLocally } from './names/local-words.ts'
import { findMatchCell, matchCellsAround, pairNeighbours } from './pair-neighbours.ts'

export type CellJudged = {
  readonly nodes: readonly MatchNode[]
  /** Vendor properties to split off their property. */
  readonly splits: readonly { readonly propertyId: string; readonly ref: VendorRef }[]
  /** Groups of properties to merge. */
  readonly joins: readonly Group[]
  /** Groups with duplicate entries of one vendor. */
  readonly twins: readonly Group[]
  /** Pairs that nearly matched. */
  readonly near: readonly NearPair[]
}

/** Lower than the matching threshold, because unstable ids are worse than a doubtful link. */
const SPLIT_ODDS = MATCH_ODDS - 1

/** Nodes compared before yielding to the event loop. */
const BATCH_SIZE = 50

/** Judges all links of a cell and which properties to merge. Read-only. */
export async function judgeCell(reader: CatalogueReader, cell: number): Promise<CellJudged> {
  const own = await reader.inCells([cell])
  const rows = await reader.inCells([...new Set([cell, ...own.flatMap((row) => matchCellsAround(row))])])
  const nodes = rows.map((row): MatchNode => ({ traits: getMatchTraits(row), propertyId: row.property_id }))
  const findPin = await pinsAmong(
    reader,
    nodes.map(({ traits }) => traits.key),
  )
  const splits = await weakLinks(reader, own, nodes, findPin)
  const leaving = new Set(splits.map(({ ref }) => refKey(ref)))
  const staying = nodes.map((node) => (leaving.has(node.traits.key) ? { ...node, propertyId: undefined } : node))
  const pairs = await pairsAround(staying, (node) => findMatchCell(node.traits) === cell)
  const question = { nodes: staying, pairs, joinKnown: true, ...pinsByNumber(nodes, findPin) }
  const { groups, near } = assignWithReasons(question)
  return {
    nodes,
    splits,
    joins: groups.filter(({ merged }) => merged.length > 0),
    twins: groups.filter(({ twins, propertyId }) => twins.length > 0 && propertyId !== undefined),
    near,
  }
}

/** Pairs of the wanted nodes and of their partners, because a partner outside may have a better match. */
async function pairsAround(nodes: readonly MatchNode[], isWanted: (node: MatchNode) => boolean): Promise<MatchPair[]> {
  const wanted = nodes.flatMap((node, number) => (isWanted(node) ? [number] : []))
  const first = await findPairs(nodes, wanted)
  const seen = new Set(wanted)
  const partners = new Set(first.flatMap(({ a, b }) => [a, b]).filter((number) => !seen.has(number)))
  const more = await findPairs(nodes, [...partners])
  const known = new Set(first.map(({ a, b }) => `${a} ${b}`))
  return [...first, ...more.filter(({ a, b }) => !known.has(`${a} ${b}`) && !known.has(`${b} ${a}`))]
}

async function findPairs(nodes: readonly MatchNode[], wanted: readonly number[]): Promise<MatchPair[]> {
  const pairs = new Map<string, MatchPair>()
  for (const part of chunk(wanted, BATCH_SIZE)) {
    const isPart = new Set(part)
    for (const pair of pairNeighbours(nodes, (number) => isPart.has(number)))
      pairs.set(pair.a < pair.b ? `${pair.a} ${pair.b}` : `${pair.b} ${pair.a}`, pair)
    await pause()
  }
  return [...pairs.values()]
}

/** Automatic links of this cell that the current rules would not make. */
async function weakLinks(
  reader: CatalogueReader,
  cellRows: readonly MatchRow[],
  nodes: readonly MatchNode[],
  findPin: FindPin | undefined,
): Promise<CellJudged['splits']> {
  const shared = [...Map.groupBy(cellRows, (row) => row.property_id).keys()]
  const weighWords = weighLocally(nodes)
  const splits: CellJudged['splits'][number][] = []
  for (const [propertyId, members] of Map.groupBy(await reader.forProperties(shared), (row) => row.property_id)) {
    if (members.length < 2) continue
    const links = new Map((await reader.links(propertyId)).map((link) => [rowKey(link), link.decided_by]))
    // The founding record has no link. It is split off last, and only if two others remain.
    const foundersLast = members.toSorted((a, b) => Number(!links.has(rowKey(a))) - Number(!links.has(rowKey(b))))
    const traits = new Map(foundersLast.map((row) => [row, getMatchTraits(row)]))
    let stay = [...traits.values()]
    for (const [row, own] of traits) {
      const decidedBy = links.get(own.key)
      const others = stay.filter((other) => other !== own)
      if (decidedBy === 'operator' || findMatchCell(row) !== findMatchCell(cellRows[0] ?? row)) continue
      if (decidedBy === undefined && others.length < 2) continue
      if (others.some((other) => findPin?.(own.key, other.key) === 'join' || stillMatches(own, other, weighWords)))
        continue
      splits.push({ propertyId, ref: { vendorId: row.vendor_id, vendorPropertyId: row.vendor_property_id } })
      stay = others
    }
  }
  return splits
}

const stillMatches = (a: MatchTraits, b: MatchTraits, weighWords: ReturnType<typeof weighLocally>): boolean =>
  (compareTraits(a, b, weighWords)?.odds ?? Number.NEGATIVE_INFINITY) >= SPLIT_ODDS
