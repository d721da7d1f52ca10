import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { Tables } from '../../store/tables.ts'
import type { Vendor } from '../../vendors/contract.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import type { IngestContent } from './ingest-content.ts'
import { WHOLE_EARTH } from './plan-area.ts'

export type FeedProgress = {
  /** Includes those of an interrupted earlier run. */
  readonly properties: number
  readonly dropped: number
  readonly total: number | undefined
  /** True if this run continues an earlier one. */
  readonly isResumed: boolean
  /** Start of the feed, possibly in an earlier run. */
  readonly startedAt: number
  /** False if it had to stop early. */
  readonly isDone: boolean
}

export type FeedOptions = {
  readonly since?: PlainDate
  onProgress?(progress: FeedProgress): void
  /** Called after each page is stored; the next run continues from there. */
  mayGoOn?(): Promise<boolean>
}
export type SyncFeed = (vendor: Vendor, options: FeedOptions, context: CallContext) => Promise<FeedProgress>

type Deps = {
  readonly ingest: IngestContent
  readonly progress: ContentProgressStore
  readonly clock: Clock
  /** Reads the vendor's rate remarks; false if there is more to read. */
  syncRemarks(vendor: Vendor, context: CallContext, mayGoOn?: () => Promise<boolean>): Promise<boolean>
}

/** Cursor of a feed whose pages are read but whose remarks are not. */
const PAGES_READ = ''
/** Older runs restart, because cursors may be offsets into a list that has changed. */
const RESUME_WITHIN_MS = 7 * DAY_MS

/** Reads a full feed or the changes since a day. Stores the cursor after each page, so that a killed run can resume. */
export function createSyncFeed({ ingest, progress, clock, syncRemarks }: Deps): SyncFeed {
  return async function syncFeed(vendor, { since, onProgress, mayGoOn }, context) {
    const earlier = await progress.feed(vendor.id, since ?? '')
    const isResumed = earlier !== undefined && mayResume(earlier, clock.now())
    let row = isResumed ? earlier : newFeed(vendor.id, since ?? '', clock.now())
    const report = (): FeedProgress => ({
      properties: row.properties,
      dropped: row.dropped,
      total: row.total ?? undefined,
      isResumed,
      startedAt: row.started_at,
      isDone: row.finished_at !== null,
    })
    onProgress?.(report())

    const query = {
      kind: 'feed',
      ...(since === undefined ? {} : { since }),
      ...(row.cursor === null ? {} : { cursor: row.cursor }),
    } as const
    for await (const page of row.cursor === PAGES_READ ? [] : vendor.content(query, context)) {
      const ingested = await ingest(page.properties, since === undefined ? 'whole' : 'changes')
      row = {
        ...row,
        cursor: page.cursor ?? PAGES_READ,
        properties: row.properties + ingested.added + ingested.changed + ingested.unchanged,
        dropped: row.dropped + page.dropped + ingested.dropped,
        total: page.total ?? row.total,
        updated_at: clock.now(),
      }
      await progress.putFeed(row)
      onProgress?.(report())
      if (page.cursor !== undefined && mayGoOn !== undefined && !(await mayGoOn())) return report()
    }
    if (since === undefined && !(await syncRemarks(vendor, context, mayGoOn))) return report()
    // The full feed covers the whole earth. Stored first, because a finished feed is not read again.
    if (since === undefined) await progress.putAreas(vendor.id, [{ key: WHOLE_EARTH }], row.started_at)
    row = { ...row, cursor: null, finished_at: clock.now(), updated_at: clock.now() }
    await progress.putFeed(row)
    return report()
  }
}

const mayResume = ({ cursor, finished_at, updated_at }: Tables['content_feeds'], now: number): boolean =>
  finished_at === null && cursor !== null && now - updated_at < RESUME_WITHIN_MS

function newFeed(vendorId: string, since: string, now: number): Tables['content_feeds'] {
  return {
    vendor_id: vendorId,
    since,
    cursor: null,
    properties: 0,
    dropped: 0,
    total: null,
    started_at: now,
    updated_at: now,
    finished_at: null,
  }
}
