import type { Circle } from '../../lib/geo.ts'
import { createEarthGrid } from '../index/earth-grid.ts'
import type { MatchNode, MatchPair } from './assign-matches.ts'
import { compareTraits, MATCH_ODDS, MATCH_RADIUS_KM } from './compare-traits.ts'
import { weighLocally } from './names/local-words.ts'

/** Stored with every vendor property. A circle touches nine cells at most. */
const grid = createEarthGrid(0.02)

/** Pairs this far below the threshold are too weak to be a rival of one above it. */
const RIVAL_ODDS = MATCH_ODDS - 0.5

export const matchCellOf = grid.findCell

/** The cells in which a partner of something at this point may lie. */
export function matchCellsAround(point: Circle['center'], radiusKm = MATCH_RADIUS_KM): number[] {
  return grid.touching({ center: point, radiusKm }, Number.POSITIVE_INFINITY) ?? []
}

/** Compares every new node with its neighbours of other vendors only, so the cost grows with the density. */
export function pairNeighbours(nodes: readonly MatchNode[], isNew: (number: number) => boolean): MatchPair[] {
  const cells = nodes.map(({ traits }) => grid.findCell(traits))
  const byCell = Map.groupBy(nodes.keys(), (number) => cells[number])
  const weightsOf = weighLocally(nodes)
  const pairs: MatchPair[] = []
  for (const [a, { traits }] of nodes.entries()) {
    if (!isNew(a)) continue
    for (const cell of matchCellsAround(traits)) {
      for (const b of byCell.get(cell) ?? []) {
        // A pair of two new nodes is met twice and compared once.
        if (b === a || (b < a && isNew(b))) continue
        const other = nodes[b]?.traits
        if (other === undefined || other.vendorId === traits.vendorId) continue
        const comparison = compareTraits(traits, other, weightsOf)
        if (comparison !== undefined && comparison.odds >= RIVAL_ODDS) pairs.push({ a, b, ...comparison })
      }
    }
  }
  return pairs
}
