import type { Summary } from '../api/shapes.ts'
import { createComparator, type Filters, passesFilters, type Sort } from './filters/filters.ts'

/** Handling of new results: sort everything, keep the first screen, or wait for the user. */
export type Intake = 'fresh' | 'keep_top' | 'hold'

export type Listing = {
  readonly shown: readonly Summary[]
  /** Number of stays found but not shown yet. */
  readonly waiting: number
  /** Number of shown stays whose price or position has changed. */
  readonly outdated: number
}

type Reading = {
  /** The order, the filters or the search are new. */
  readonly isNewList: boolean
  readonly isScrolled: boolean
  readonly isPointing: boolean
  readonly hasEnded: boolean
}

/** At the end of the search the whole list is sorted, unless it is being read. */
export function chooseIntake({ isNewList, isScrolled, isPointing, hasEnded }: Reading): Intake {
  if (isNewList) return 'fresh'
  if (isScrolled) return 'hold'
  return hasEnded && !isPointing ? 'fresh' : 'keep_top'
}

/** Cards on the first screen, which do not move while being read. */
const KEPT_CARDS = 6

/**
 * Builds the list from what was shown before. At the top of the page, later results are sorted in below the first
 * cards; after scrolling, nothing moves until the user asks. `destination`: see `createComparator`.
 */
export function buildListing(
  previous: readonly Summary[],
  all: readonly Summary[],
  filters: Filters,
  sort: Sort,
  intake: Intake,
  destination?: string,
): Listing {
  const wanted = all.filter((property) => passesFilters(property, filters)).sort(createComparator(sort, destination))
  if (intake === 'fresh' || previous.length === 0) return { shown: wanted, waiting: 0, outdated: 0 }
  if (intake === 'hold') return { shown: previous, ...countDifferences(previous, wanted) }
  const byId = new Map(wanted.map((property) => [property.property_id, property]))
  const kept = previous.slice(0, KEPT_CARDS).flatMap((property) => byId.get(property.property_id) ?? [])
  const keptIds = new Set(kept.map((property) => property.property_id))
  const shown = [...kept, ...wanted.filter((property) => !keptIds.has(property.property_id))]
  const moved = kept.filter((property, place) => wanted[place]?.property_id !== property.property_id).length
  return { shown, waiting: 0, outdated: moved }
}

function countDifferences(
  shown: readonly Summary[],
  wanted: readonly Summary[],
): Pick<Listing, 'waiting' | 'outdated'> {
  const prices = new Map(shown.map(({ property_id, total_price }) => [property_id, total_price]))
  let waiting = 0
  let outdated = 0
  for (const property of wanted) {
    const price = prices.get(property.property_id)
    if (price === undefined) waiting += 1
    else if (price !== property.total_price) outdated += 1
  }
  return { waiting, outdated }
}
