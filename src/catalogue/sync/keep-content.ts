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
  /** `feed`: all that a vendor has, then its changes. `areas`: some places only. */
  readonly job: 'feed' | 'areas' | 'off'
  /** Areas that were read longer ago than this are read again. */
  readonly refreshAfterMs: number
  readonly fullEveryMs: number
  readonly changesEveryMs: number
  readonly retryMs: number
  /** A round ends after this time, so that a process that closes does not wait for the whole feed. */
  readonly sliceMs: number
  /** So long after a search, the machine is left to those who search. */
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
  /** The best-known places, best first. */
  places(): readonly Circle[]
  /** How many requests for content this process has sent to the vendor, ever. */
  requestsOf(vendorId: string): number
  isBusy(): boolean
}

/** A process that dies keeps the others waiting no longer. */
const LEASE_MS = 120_000
const ROOMS_AT_ONCE = 100
/** A feed that shows less than this share of what is known is not believed when it comes to dropping. */
const BELIEVED_SHARE = 0.5

/**
 * Keeps the vendors' content fresh, a slice at a time: of several processes one, within the vendor's allowance, and from where
 * the last slice stopped, whichever process that was.
 */
export function createKeepContent(deps: Deps) {
  const stopped = new AbortController()
  const own = { signal: stopped.signal, counted: new Map<string, number>() }

  return {
    /** One slice for each vendor; returns whether there is more to do at once. */
    async round(): Promise<number> {
      const slices = deps.vendors.map((vendor) => sliceOf(deps, vendor, own))
      // A slice that went on after the round would be begun a second time by the next one.
      await Promise.allSettled(slices)
      return (await Promise.all(slices)).some(Boolean) ? 1 : 0
    },
    stop: () => stopped.abort(),
  }
}

/** What all slices of a process share. */
type Own = {
  readonly signal: AbortSignal
  /** How many requests were sent to each vendor by the last slice; others are sent between two slices too. */
  readonly counted: Map<string, number>
}

async function sliceOf(deps: Deps, vendor: Vendor, own: Own): Promise<boolean> {
  const { jobs, clock, settings } = deps
  const { signal } = own
  const now = clock.now()
  if (settings.job === 'off' || signal.aborted) return false
  const claimed = await jobs.claim(vendor.id, now, LEASE_MS)
  if (claimed === undefined) {
    own.counted.set(vendor.id, deps.requestsOf(vendor.id))
    return false
  }
  const slice = createSlice(deps, vendor, claimed, own)
  let dueAt: number | undefined
  try {
    if (slice.isSpent()) return false
    const more = settings.job === 'feed' ? await readFeed(deps, vendor, slice) : await readPlaces(deps, vendor, slice)
    const moreTexts = !more && (await readTexts(deps, vendor, slice))
    await slice.save({ retry_at: null, failure: null })
    return more || moreTexts
  } catch (error) {
    const isExpected = error instanceof VendorError
    const failure = isExpected ? error.message.slice(0, 200) : 'an unexpected error; the log has it'
    // A process that closes cuts its own calls short: then nobody has failed.
    if (!signal.aborted) dueAt = clock.now() + settings.retryMs
    await slice.save(dueAt === undefined ? {} : { retry_at: dueAt, failure })
    if (!isExpected) throw error
    return false
  } finally {
    await jobs.release(slice.task(), dueAt ?? clock.now(), dueAt !== undefined)
  }
}

type Slice = ReturnType<typeof createSlice>

/** The vendor's row during one slice, and how long the slice may go on. */
function createSlice(
  { jobs, clock, settings, requestsOf, isBusy }: Deps,
  vendor: Vendor,
  claimed: ContentClaim,
  { signal, counted }: Own,
) {
  const until = monotonicMs() + settings.sliceMs
  let { row, task } = claimed
  const ofToday = () => {
    const today = dateIn('UTC', clock.now())
    return row.requests_day === today ? row.requests : 0
  }
  const isSpent = () => ofToday() >= (vendor.capabilities.contentRequestsPerDay ?? Number.POSITIVE_INFINITY)
  return {
    row: () => row,
    task: () => task,
    isSpent,
    context: { signal, requestId: `content-${vendor.id}` },
    /** Renews the lease; false once another process has taken over. */
    async save(change: Partial<Tables['content_jobs']> = {}): Promise<boolean> {
      const sent = requestsOf(vendor.id)
      const requests = ofToday() + sent - (counted.get(vendor.id) ?? 0)
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

/** Further languages come last: the catalogue works without them. Some of them even on a machine that is searched all the time. */
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
  if (!isWholeDue && clock.now() - freshAt < settings.changesEveryMs) return false
  const earlier = await readAlready(deps, vendor, fullAt ?? 0)
  const isWhole = isWholeDue || earlier !== undefined
  // A day more than needed: the vendor's days are not ours.
  const since = isWhole ? {} : { since: addDays(dateIn('UTC', freshAt), -1) }
  const read = earlier ?? (await syncFeed(vendor, { ...since, mayGoOn: () => slice.mayGoOn() }, slice.context))
  const isDone = read.isDone && (!isWhole || (await dropGone(deps, vendor, slice, read.startedAt)))
  if (!isDone) return !slice.isSpent() && !deps.isBusy()
  await slice.save({ fresh_at: read.startedAt, ...(isWhole && { full_at: read.startedAt }) })
  return false
}

/** A whole feed that was read to its end, but not followed up: by a process that died then, or by command. */
async function readAlready({ progress, clock, settings }: Deps, vendor: Vendor, fullAt: number) {
  const feed = await progress.feed(vendor.id, '')
  if (feed === undefined || feed.finished_at === null || feed.started_at <= fullAt) return undefined
  return clock.now() - feed.started_at > settings.fullEveryMs ? undefined : { isDone: true, startedAt: feed.started_at }
}

/** False where it was told to stop before the end. Nothing is dropped on the word of a feed that is far too short. */
async function dropGone({ store, dropMissing }: Deps, vendor: Vendor, slice: Slice, startedAt: number) {
  const { known, seen } = await store.countSeenSince(vendor.id, startedAt)
  if (seen < known * BELIEVED_SHARE) return true
  const { dropped, isDone } = await dropMissing(vendor, startedAt, slice.context, () => slice.mayGoOn())
  await slice.save({ dropped: slice.row().dropped + dropped })
  return isDone
}

/** The places to be read one after another; then the rooms that were left out; and after some days all of it again. */
async function readPlaces(deps: Deps, vendor: Vendor, slice: Slice): Promise<boolean> {
  if (deps.isBusy()) return false
  const { next_area, fresh_at } = slice.row()
  const place = deps.places()[next_area]
  if (place !== undefined) {
    const { status } = await deps.areas.readArea(vendor, place, slice.context.requestId)
    // A search looked it up at the same moment, and may ask nobody.
    if (status === 'unread') return true
    if (status === 'timeout' || status === 'error')
      throw new VendorError(vendor.id, status === 'timeout' ? 'timeout' : 'unavailable', 'none')
    await slice.save({ next_area: next_area + 1, fresh_at: deps.clock.now() })
    return !slice.isSpent()
  }
  const ids = await deps.store.withoutRooms(vendor.id, ROOMS_AT_ONCE)
  if (ids.length > 0) await deps.rooms.complete(vendor, ids, slice.context)
  else if (next_area > 0 && deps.clock.now() - (fresh_at ?? 0) > deps.settings.refreshAfterMs)
    await slice.save({ next_area: 0 })
  return ids.length > 0 && !slice.isSpent()
}
