import type { Clock } from '../../lib/time/clock.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { Tables } from '../../store/tables.ts'
import type { Vendor } from '../../vendors/contract.ts'
import type { ContentJobStore } from '../store/content-jobs.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import type { KeepSettings } from './keep-content.ts'

/** Times are epoch milliseconds. */
export type ContentStatus = {
  readonly vendorId: string
  readonly properties: number
  /** Properties that the vendor has dropped. */
  readonly dropped: number
  /** Properties known only from result lists. */
  readonly withoutRooms: number
  /** Start of the last full feed that was read to its end. */
  readonly fullAt: number | undefined
  /** Start of the last full or incremental feed, or time of the last area read ahead. */
  readonly freshAt: number | undefined
  /** The feed in progress. */
  readonly feed: { readonly since: string; readonly properties: number; readonly total: number | undefined } | undefined
  readonly requestsToday: number
  readonly requestsPerDay: number | undefined
  readonly failure: string | undefined
  /** Next run; undefined if nothing is scheduled. */
  readonly nextAt: number | undefined
  /** Time since which the content is overdue. */
  readonly lateSince: number | undefined
}

type Deps = {
  readonly vendors: readonly Vendor[]
  readonly jobs: ContentJobStore
  readonly progress: ContentProgressStore
  readonly clock: Clock
  readonly settings: KeepSettings
}

export async function readContentStatus({ vendors, jobs, progress, clock, settings }: Deps): Promise<ContentStatus[]> {
  const [rows, counts, feeds] = await Promise.all([jobs.all(), jobs.counts(), progress.feeds()])
  const now = clock.now()
  const today = dateIn('UTC', now)
  return vendors.map(({ id, capabilities }) => {
    const row = rows.find(({ vendor_id }) => vendor_id === id)
    const count = counts.find(({ vendor_id }) => vendor_id === id)
    const isRead = (feed: Tables['content_feeds']) =>
      feed.finished_at !== null || feed.started_at <= (row?.fresh_at ?? 0)
    const feed = feeds.find((candidate) => candidate.vendor_id === id && !isRead(candidate))
    const requestsToday = row?.requests_day === today ? row.requests : 0
    const isSpent = requestsToday >= (capabilities.contentRequestsPerDay ?? Number.POSITIVE_INFINITY)
    return {
      vendorId: id,
      properties: count?.properties ?? 0,
      dropped: count?.dropped ?? 0,
      withoutRooms: count?.rooms_unread ?? 0,
      fullAt: row?.full_at ?? undefined,
      freshAt: row?.fresh_at ?? undefined,
      feed: feed && { since: feed.since, properties: feed.properties, total: feed.total ?? undefined },
      requestsToday,
      requestsPerDay: capabilities.contentRequestsPerDay,
      failure: row?.failure ?? undefined,
      ...computeSchedule(row, settings, now, isSpent ? Date.parse(addDays(today, 1)) : now),
    }
  })
}

type Schedule = Pick<ContentStatus, 'nextAt' | 'lateSince'>

/** A feed is late after two missed intervals, or if it fails before its first full read. Nothing is read before `earliest`. */
function computeSchedule(
  row: Tables['content_jobs'] | undefined,
  settings: KeepSettings,
  now: number,
  earliest: number,
): Schedule {
  const retryAt = row?.retry_at ?? undefined
  const failedAt = retryAt === undefined ? undefined : retryAt - settings.retryMs
  if (settings.job === 'off') return { nextAt: undefined, lateSince: undefined }
  const dueAt = settings.job === 'feed' ? feedDueAt(row, settings) : undefined
  // The best-known places are read once, so only failures make them late.
  if (dueAt === undefined)
    return { nextAt: settings.job === 'feed' ? Math.max(earliest, retryAt ?? 0) : retryAt, lateSince: failedAt }
  const lateAt = dueAt + settings.changesEveryMs
  return { nextAt: Math.max(dueAt, retryAt ?? 0, earliest), lateSince: lateAt < now ? lateAt : undefined }
}

/** Undefined before the first full feed. */
function feedDueAt(row: Tables['content_jobs'] | undefined, settings: KeepSettings): number | undefined {
  const fullAt = row?.full_at ?? undefined
  if (fullAt === undefined) return undefined
  return Math.min(fullAt + settings.fullEveryMs, (row?.fresh_at ?? fullAt) + settings.changesEveryMs)
}
