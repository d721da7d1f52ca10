import type { Circle } from '../../lib/geo.ts'
import { type Clock, monotonicMs } from '../../lib/time/clock.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { Tables } from '../../store/tables.ts'
import type { Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import type { PropertyTextsReader } from '../properties/property-texts.ts'
import type { CompleteRooms } from '../rooms/complete-rooms.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import type { ContentClaim, ContentJobStore } from '../store/content-jobs.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import type { AreaReader } from './area-reader.ts'
import type { DropMissing } from './drop-properties.ts'
import type { SyncFeed } from './sync-feed.ts'

export type KeepSettings = {
  /** `feed`: everything that a vendor has, then its changes. `areas`: selected places only. */
  readonly job: 'feed' | 'areas' | 'off'
  /** Older areas are read again. */
  readonly refreshAfterMs: number
  readonly fullEveryMs: number
  readonly changesEveryMs: number
  readonly retryMs: number
  /** A slice ends after this time, so that shutdown does not wait for the whole feed. */
  readonly sliceMs: number
  /** Pause of background work after a search. */
  readonly quietMs: number
}

type Deps = {
  readonly vendors: readonly Vendor[]
  readonly jobs: ContentJobStore
  readonly progress: Pick<ContentProgressStore, 'feed'>
  readonly store: Pick<CatalogueStore, 'withoutRooms' | 'countSeenSince'>
  readonly areas: Pick<AreaReader, 'readArea'>
  readonly rooms: Pick<CompleteRooms, 'complete'>
  readonly clock: Clock
  readonly settings: KeepSettings
  readonly syncFeed: SyncFeed
  readonly dropMissing: DropMissing
  readonly keepTexts: PropertyTextsReader['keep']
  /** Best-known places, best first. */
  places(): readonly Circle[]
  /** Total number of content requests that this process has sent to the vendor. */
  countRequests(vendorId: string): number
  isBusy(): boolean
}

/** Lease duration; another process takes over if this one dies. */
const LEASE_MS = 120_000
const ROOMS_BATCH_SIZE = 100
/** Nothing is dropped if a feed lists less than this share of the known properties. */
const PLAUSIBLE_SHARE = 0.5

/** Keeps content fresh in slices within each vendor's allowance. One process works at a time and resumes where the last stopped. */
export function createKeepContent(deps: Deps) {
  const stopped = new AbortController()
  const shared = { signal: stopped.signal, counted: new Map<string, number>() }

  return {
    /** Runs one slice per vendor; returns 1 if there is more to do immediately. */
    async round(): Promise<number> {
      const slices = deps.vendors.map((vendor) => runSlice(deps, vendor, shared))
      // Waits for all, or the next round would start an unfinished slice again.
      await Promise.allSettled(slices)
      return (await Promise.all(slices)).some(Boolean) ? 1 : 0
    },
    stop: () => stopped.abort(),
  }
}

/** Shared by all slices of a process. */
type Shared = {
  readonly signal: AbortSignal
  /** Requests counted up to the last slice of each vendor; others are sent between slices. */
  readonly counted: Map<string, number>
}

async function runSlice(deps: Deps, vendor: Vendor, shared: Shared): Promise<boolean> {
  const { jobs, clock, settings } = deps
  const { signal } = shared
  const now = clock.now()
  if (settings.job === 'off' || signal.aborted) return false
  const claimed = await jobs.claim(vendor.id, now, LEASE_MS)
  if (claimed === undefined) {
    shared.counted.set(vendor.id, deps.countRequests(vendor.id))
    return false
  }
  const slice = createSlice(deps, vendor, claimed, shared)
  let dueAt: number | undefined
  try {
    if (slice.isSpent()) return false
    const more = settings.job === 'feed' ? await readFeed(deps, vendor, slice) : await readPlaces(deps, vendor, slice)
    const moreTexts = !more && (await readTexts(deps, vendor, slice))
    await slice.save({ retry_at: null, failure: null })
    return more || moreTexts
  } catch (error) {
    const isExpected = error instanceof VendorError
    const failure = isExpected ? error.message.slice(0, 200) : 'Unexpected error; see the log.'
    // A shutdown aborts the calls, which is not a failure.
    if (!signal.aborted) dueAt = clock.now() + settings.retryMs
    await slice.save(dueAt === undefined ? {} : { retry_at: dueAt, failure })
    if (!isExpected) throw error
    return false
  } finally {
    await jobs.release(slice.task(), dueAt ?? clock.now(), dueAt !== undefined)
  }
}

type Slice = ReturnType<typeof createSlice>

/** The vendor's row during one slice, and the limits of the slice. */
function createSlice(deps: Deps, vendor: Vendor, claimed: ContentClaim, { signal, counted }: Shared) {
  const { jobs, clock, settings, isBusy } = deps
  const until = monotonicMs() + settings.sliceMs
  let { row, task } = claimed
  const requestsToday = () => {
    const today = dateIn('UTC', clock.now())
    return row.requests_day === today ? row.requests : 0
  }
  const isSpent = () => requestsToday() >= (vendor.capabilities.contentRequestsPerDay ?? Number.POSITIVE_INFINITY)
  return {
    row: () => row,
    task: () => task,
    isSpent,
    context: { signal, requestId: `content-${vendor.id}` },
    /** Renews the lease; false once another process has taken over. */
    async save(change: Partial<Tables['content_jobs']> = {}): Promise<boolean> {
      const sent = deps.countRequests(vendor.id)
      const requests = requestsToday() + sent - (counted.get(vendor.id) ?? 0)
      counted.set(vendor.id, sent)
      const now = clock.now()
      row = { ...row, requests_day: dateIn('UTC', now), requests, ...change }
      const extended = await jobs.save({ task, row }, now + LEASE_MS)
      task = extended ?? task
      return extended !== undefined
    },
    async mayGoOn(): Promise<boolean> {
      return (await this.save()) && !isSpent() && !signal.aborted && !isBusy() && monotonicMs() < until
    },
  }
}

/** Other languages come last. A busy machine reads some of them too. */
async function readTexts({ keepTexts, isBusy }: Deps, vendor: Vendor, slice: Slice): Promise<boolean> {
  if (slice.isSpent()) return false
  const more = await keepTexts(vendor, slice.context, () => slice.mayGoOn())
  return more && !slice.isSpent() && !isBusy()
}

async function readFeed(deps: Deps, vendor: Vendor, slice: Slice): Promise<boolean> {
  const { clock, settings, syncFeed } = deps
  const { full_at: fullAt, fresh_at } = slice.row()
  const freshAt = fresh_at ?? fullAt
  const isWholeDue = fullAt === null || freshAt === null || clock.now() - fullAt > settings.fullEveryMs
  if (!isWholeDue && clock.now() - freshAt < settings.changesEveryMs) return readMissingRooms(deps, vendor, slice)
  const earlier = await findUnprocessedFeed(deps, vendor, fullAt ?? 0)
  const isWhole = isWholeDue || earlier !== undefined
  // One extra day, because the vendor's time zone may differ.
  const since = isWhole ? {} : { since: addDays(dateIn('UTC', freshAt), -1) }
  const read = earlier ?? (await syncFeed(vendor, { ...since, mayGoOn: () => slice.mayGoOn() }, slice.context))
  const isDone = read.isDone && (!isWhole || (await dropUnlisted(deps, vendor, slice, read.startedAt)))
  if (!isDone) return !slice.isSpent() && !deps.isBusy()
  await slice.save({ fresh_at: read.startedAt, ...(isWhole && { full_at: read.startedAt }) })
  return false
}

/** A full feed that was read but not followed up, because its process died or it was run by command. */
async function findUnprocessedFeed({ progress, clock, settings }: Deps, vendor: Vendor, fullAt: number) {
  const feed = await progress.feed(vendor.id, '')
  if (feed === undefined || feed.finished_at === null || feed.started_at <= fullAt) return undefined
  return clock.now() - feed.started_at > settings.fullEveryMs ? undefined : { isDone: true, startedAt: feed.started_at }
}

/** False if it had to stop early. An implausibly short feed drops nothing. */
async function dropUnlisted({ store, dropMissing }: Deps, vendor: Vendor, slice: Slice, startedAt: number) {
  const { known, seen } = await store.countSeenSince(vendor.id, startedAt)
  if (seen < known * PLAUSIBLE_SHARE) return true
  const { dropped, isDone } = await dropMissing(vendor, startedAt, slice.context, () => slice.mayGoOn())
  await slice.save({ dropped: slice.row().dropped + dropped })
  return isDone
}

/** Reads the places in turn, then missing rooms, and starts again after some days. */
async function readPlaces(deps: Deps, vendor: Vendor, slice: Slice): Promise<boolean> {
  if (deps.isBusy()) return false
  const { next_area, fresh_at } = slice.row()
  const place = deps.places()[next_area]
  if (place !== undefined) {
    const { status } = await deps.areas.readArea(vendor, place, slice.context.requestId)
    // A concurrent search, which may not ask vendors, looked it up first.
    if (status === 'unread') return true
    if (status === 'timeout' || status === 'error')
      throw new VendorError(vendor.id, status === 'timeout' ? 'timeout' : 'unavailable', 'none')
    await slice.save({ next_area: next_area + 1, fresh_at: deps.clock.now() })
    return !slice.isSpent()
  }
  const isStale = next_area > 0 && deps.clock.now() - (fresh_at ?? 0) > deps.settings.refreshAfterMs
  const more = await readMissingRooms(deps, vendor, slice)
  if (!more && isStale) await slice.save({ next_area: 0 })
  return more
}

/** Rooms of properties that are known only from lists. Returns true if there may be more. */
async function readMissingRooms({ store, rooms, isBusy }: Deps, vendor: Vendor, slice: Slice): Promise<boolean> {
  if (isBusy()) return false
  const ids = await store.withoutRooms(vendor.id, ROOMS_BATCH_SIZE)
  if (ids.length > 0) await rooms.complete(vendor, ids, slice.context)
  return ids.length > 0 && (await slice.mayGoOn())
}
