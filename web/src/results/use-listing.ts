import { useEffect, useMemo, useRef, useState } from 'react'
import { preload } from 'react-dom'
import type { Summary } from '../api/shapes.ts'
import type { SearchRun } from '../search/search-store.ts'
import { toPictureUrl } from '../ui/picture-url.ts'
import type { Filters, Sort } from './filters/filters.ts'
import { buildListing, chooseIntake, type Listing } from './listing.ts'

/** Wait for other vendors after the first response. */
const GATHER_MS = 150
/** Cards whose pictures are visible at once. */
export const EAGER_CARDS = 3
/** Scroll distance beyond which the user is reading the list. */
const READING_PX = 120
/** A card under the pointer or with focus must not move away. */
const POINTED_CARD = '[data-property]:hover, [data-property]:focus-within'

export type ShownListing = Listing & {
  readonly all: readonly Summary[]
  /** True until the first results arrive, unless an earlier list is shown meanwhile. */
  readonly isGathering: boolean
  /** True while the list of the previous conditions is shown because the search for the new ones has no results yet. */
  readonly isStale: boolean
  /** Number of times the same stays were sorted again. Cards are then replaced in place instead of moved. */
  readonly round: number
  refresh(): void
}

/** `stayKey`: the search without its conditions. */
export function useListing(
  { key, stayKey }: { readonly key: string; readonly stayKey: string },
  run: SearchRun,
  filters: Filters,
  sort: Sort,
  destination: string | undefined,
): ShownListing {
  const [refreshed, setRefreshed] = useState(0)
  const isWaiting = useGathering(key, run)
  const [held, setHeld] = useState<Held>()
  if (isWaiting && run.found.size > 0)
    preloadPictures(buildListing([], [...run.found.values()], filters, sort, 'fresh', destination).shown)
  const isStale = isWaiting && held?.stayKey === stayKey && held.found.size > 0
  const found = isStale ? held.found : isWaiting ? NO_RESULTS : run.found
  const signature = `${key} ${isStale} ${JSON.stringify(filters)} ${sort} ${refreshed}`
  let listing = held?.listing ?? EMPTY_LISTING
  let round = held?.round ?? 0
  const hasEnded = run.status !== 'running'
  if (held === undefined || held.signature !== signature || held.found !== found || held.hasEnded !== hasEnded) {
    const intake = chooseIntake({
      isNewList: held?.signature !== signature,
      isScrolled: scrollY > READING_PX,
      isPointing: document.querySelector(POINTED_CARD) !== null,
      hasEnded,
    })
    listing = buildListing(held?.listing.shown ?? [], [...found.values()], filters, sort, intake, destination)
    if (intake === 'fresh' && held?.signature === signature) round += 1
    setHeld({ signature, stayKey, found, hasEnded, listing, round })
  }
  const all = useMemo(() => [...found.values()], [found])
  const refresh = () => setRefreshed((count) => count + 1)
  useSortWhenLeft(hasEnded && listing.outdated > 0, refresh)
  return {
    ...listing,
    all,
    isGathering: isWaiting && !isStale,
    isStale,
    round,
    refresh,
  }
}

/** Preloads the pictures of the first cards, the largest elements of the first screen. */
function preloadPictures(cards: readonly Summary[]): void {
  for (const { image } of cards.slice(0, EAGER_CARDS))
    if (image !== '') preload(toPictureUrl(image), { as: 'image', fetchPriority: 'high' })
}

/** Sorts an ended search once no card is pointed at any more and the list has not been scrolled. */
function useSortWhenLeft(isNeeded: boolean, refresh: () => void): void {
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    if (!isNeeded) return
    const attempt = () => {
      if (scrollY <= READING_PX && document.querySelector(POINTED_CARD) === null) latest.current()
    }
    addEventListener('pointermove', attempt)
    addEventListener('focusin', attempt)
    return () => {
      removeEventListener('pointermove', attempt)
      removeEventListener('focusin', attempt)
    }
  }, [isNeeded])
}

type Held = {
  signature: string
  stayKey: string
  found: SearchRun['found']
  hasEnded: boolean
  listing: Listing
  round: number
}

const NO_RESULTS: SearchRun['found'] = new Map()
const EMPTY_LISTING: Listing = { shown: [], waiting: 0, outdated: 0 }

/** Waits briefly after the first response, so that most lists appear once and in order. */
function useGathering(key: string, run: SearchRun): boolean {
  const [settledFor, setSettledFor] = useState('')
  const { firstFoundAt } = run
  const isRunning = run.status === 'running'
  useEffect(() => {
    if (!isRunning || firstFoundAt === undefined) return
    const timer = setTimeout(() => setSettledFor(key), firstFoundAt + GATHER_MS - performance.now())
    return () => clearTimeout(timer)
  }, [key, isRunning, firstFoundAt])
  if (!isRunning) return false
  // A slow device may have been busy for longer than the wait.
  return firstFoundAt === undefined || (settledFor !== key && performance.now() - firstFoundAt < GATHER_MS)
}
