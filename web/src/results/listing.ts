import type { Summary } from '../api/shapes.ts'
import { shownPrice } from '../offer/shown-price.ts'
import { compareBy, type Filters, passes, type Sort } from './filters/filters.ts'

/** How new results enter the list: sort everything, keep what is on screen, or wait until asked. */
export type Intake = 'fresh' | 'keep_top' | 'hold'

export type Listing = {
  readonly shown: readonly Summary[]
  /** Number of stays found but not shown yet. */
  readonly waiting: number
  /** Number of shown stays whose price or position has changed. */
  readonly outdated: number
}

/** The cards on the first screen; they are not moved while being read. */
const TOP = 6

/**
 * The list to show, given what was shown before. While the user is at the top, later results are sorted in below the
 * first cards; after scrolling, nothing moves until the user asks for it. `destination`: see `compareBy`.
 */
export function listingOf(
  previous: readonly Summary[],
  all: readonly Summary[],
  filters: Filters,
  sort: Sort,
  intake: Intake,
  destination?: string,
): Listing {
  const wanted = all.filter((property) => passes(property, filters)).sort(compareBy(sort, filters, destination))
  if (intake === 'fresh' || previous.length === 0) return { shown: wanted, waiting: 0, outdated: 0 }
  if (intake === 'hold') return { shown: previous, ...differences(previous, wanted, filters) }
  const byId = new Map(wanted.map((property) => [property.property_id, property]))
  const kept = previous.slice(0, TOP).flatMap((property) => byId.get(property.property_id) ?? [])
  const keptIds = new Set(kept.map((property) => property.property_id))
  const shown = [...kept, ...wanted.filter((property) => !keptIds.has(property.property_id))]
  const moved = kept.filter((property, place) => wanted[place]?.property_id !== property.property_id).length
  return { shown, waiting: 0, outdated: moved }
}

function differences(
  shown: readonly Summary[],
  wanted: readonly Summary[],
  filters: Filters,
): Pick<Listing, 'waiting' | 'outdated'> {
  const priceOf = (property: Summary) => shownPrice(property, filters).total
  const prices = new Map(shown.map((property) => [property.property_id, priceOf(property)]))
  let waiting = 0
  let outdated = 0
  for (const property of wanted) {
    const price = prices.get(property.property_id)
    if (price === undefined) waiting += 1
    else if (price !== priceOf(property)) outdated += 1
  }
  return { waiting, outdated }
}
