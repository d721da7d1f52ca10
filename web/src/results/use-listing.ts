import { useEffect, useMemo, useState } from 'react'
import type { Summary } from '../api/shapes.ts'
import type { SearchRun } from '../search/search-store.ts'
import type { Filters, Sort } from './filters/filters.ts'
import { buildListing, type Intake, type Listing } from './listing.ts'

/** Wait for other vendors after the first response. */
const GATHER_MS = 150
/** Scroll distance beyond which the user is reading the list. */
const READING_PX = 120

export type ShownListing = Listing & {
  readonly all: readonly Summary[]
  readonly isGathering: boolean
  refresh(): void
}

export function useListing(
  key: string,
  run: SearchRun,
  filters: Filters,
  sort: Sort,
  destination: string | undefined,
): ShownListing {
  const [refreshed, setRefreshed] = useState(0)
  const isGathering = useGathering(key, run)
  const found = isGathering ? NO_RESULTS : run.found
  const signature = `${key} ${JSON.stringify(filters)} ${sort} ${refreshed}`
  const [held, setHeld] = useState<{ signature: string; found: SearchRun['found']; listing: Listing }>()
  let listing = held?.listing ?? EMPTY_LISTING
  if (held === undefined || held.signature !== signature || held.found !== found) {
    const intake: Intake = held?.signature !== signature ? 'fresh' : scrollY > READING_PX ? 'hold' : 'keep_top'
    listing = buildListing(held?.listing.shown ?? [], [...found.values()], filters, sort, intake, destination)
    setHeld({ signature, found, listing })
  }
  const all = useMemo(() => [...found.values()], [found])
  return { ...listing, all, isGathering, refresh: () => setRefreshed((count) => count + 1) }
}

const NO_RESULTS: SearchRun['found'] = new Map()
const EMPTY_LISTING: Listing = { shown: [], waiting: 0, outdated: 0 }

/** Waits briefly after the first response, so that most lists appear once and in order. */
function useGathering(key: string, run: SearchRun): boolean {
  const [settledFor, setSettledFor] = useState('')
  const isRunning = run.status === 'running'
  const hasFirst = run.found.size > 0
  useEffect(() => {
    if (!isRunning || !hasFirst) return
    const timer = setTimeout(() => setSettledFor(key), GATHER_MS)
    return () => clearTimeout(timer)
  }, [key, isRunning, hasFirst])
  return isRunning && (!hasFirst || settledFor !== key)
}
