import type { Circle } from '../../lib/geo.ts'
import { createEarthGrid } from '../index/earth-grid.ts'
import type { MatchNode, MatchPair } from './assign-matches.ts'
import { compareTraits, MATCH_ODDS, MATCH_RADIUS_KM } from './compare-traits.ts'
import { weighLocally } from './names/local-words.ts'

/** The cell is stored with every vendor property. A circle touches nine cells at most. */
const grid = createEarthGrid(0.02)

/** Weaker pairs cannot compete with one above the threshold. */
const RIVAL_ODDS = MATCH_ODDS - 0.5

export const findMatchCell = grid.findCell

/** Cells in which a match of this point may lie. */
export function matchCellsAround(point: Circle['center'], radiusKm = MATCH_RADIUS_KM): number[] {
  return grid.touching({ center: point, radiusKm }, Number.POSITIVE_INFINITY) ?? []
}

/** Compares new nodes only with neighbours of other vendors, so the cost grows with density. */
export function pairNeighbours(nodes: readonly MatchNode[], isNew: (number: number) => boolean): MatchPair[] {
  const cells = nodes.map(({ traits }) => grid.findCell(traits))
  const byCell = Map.groupBy(nodes.keys(), (number) => cells[number])
  const weighWords = weighLocally(nodes)
  const pairs: MatchPair[] = []
  for (const [a, { traits }] of nodes.entries()) {
    if (!isNew(a)) continue
    for (const cell of matchCellsAround(traits)) {
      for (const b of byCell.get(cell) ?? []) {
        // Compares a pair of two new nodes only once.
        if (b === a || (b < a && isNew(b))) continue
        const other = nodes[b]?.traits
        if (other === undefined || other.vendorId === traits.vendorId) continue
        const comparison = compareTraits(traits, other, weighWords)
        if (comparison !== undefined && comparison.odds >= RIVAL_ODDS) pairs.push({ a, b, ...comparison })
      }
    }
  }
  return pairs
}
