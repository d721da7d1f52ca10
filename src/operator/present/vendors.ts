import type { Static } from 'typebox'
import type { ContentStatus } from '../../catalogue/sync/content-status.ts'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import type {
  CallSpanSchema,
  CallWindowSchema,
  LookToBookSchema,
  VendorContentSchema,
  VendorDetailSchema,
  VendorHealthSchema,
} from '../schemas/vendors.ts'
import type { CallSpan, CallWindow } from '../vendors/call-windows.ts'
import type { VendorDetail, VendorOverview } from '../vendors/describe-vendor.ts'

const ACCOUNTS_MAX = 100

export function presentVendorHealth(vendor: VendorOverview): Static<typeof VendorHealthSchema> {
  const { quota } = vendor
  return {
    vendor_id: vendor.vendorId,
    environment: vendor.environment,
    ...presentWindows(vendor),
    recent: vendor.recent.map(presentSpan),
    breaker: vendor.breaker,
    processes: vendor.processes,
    quota: {
      readings_per_minute: quota.readingsPerMinute,
      readings_free: quota.readingsFree,
      content_requests_today: quota.contentRequestsToday,
      content_requests_per_day: quota.contentRequestsPerDay ?? null,
      held_until: momentOrNull(quota.heldUntil),
      calls: quota.calls.map(({ kind, windowMs, amount, used }) => ({
        kind,
        window_seconds: windowMs / 1000,
        allowed: amount,
        used,
      })),
    },
    content: presentContent(vendor.content),
    look_to_book: presentLooks(vendor.looks),
    failing_operations: vendor.failingOperations.map((failing) => ({ ...failing })),
  }
}

export const presentVendorDetail = (vendor: VendorDetail): Static<typeof VendorDetailSchema> => ({
  ...presentVendorHealth(vendor),
  operations: vendor.operations.map((entry) => ({ operation: entry.operation, ...presentWindows(entry) })),
  hours: vendor.hours.map(presentSpan),
  breakers: vendor.breakers.map((breaker) => ({
    process: breaker.process,
    class: breaker.call_class,
    state: breaker.state,
    since: moment(breaker.since),
    calls_under_way: breaker.under_way,
    calls_at_once: breaker.limit,
    seen_at: moment(breaker.seen_at),
  })),
  accounts: vendor.accounts
    .slice(0, ACCOUNTS_MAX)
    .map(({ accountId, ...looks }) => ({ account_id: accountId, ...presentLooks(looks) })),
})

type Windows = Pick<VendorOverview, 'hour' | 'day' | 'week'>

const presentWindows = ({ hour, day, week }: Windows) => ({
  last_hour: presentWindow(hour),
  last_day: presentWindow(day),
  last_week: presentWindow(week),
})

const presentWindow = ({ calls, failures, p50Ms, p95Ms, errors }: CallWindow): Static<typeof CallWindowSchema> => ({
  calls,
  failures,
  p50_ms: p50Ms ?? null,
  p95_ms: p95Ms ?? null,
  errors: errors.flatMap(({ kind, calls: count }) => (kind === 'ok' ? [] : [{ kind, calls: count }])),
})

const presentSpan = ({ beganAt, calls, failures, p95Ms }: CallSpan): Static<typeof CallSpanSchema> => ({
  began_at: moment(beganAt),
  calls,
  failures,
  p95_ms: p95Ms ?? null,
})

const presentContent = (content: ContentStatus): Static<typeof VendorContentSchema> => ({
  properties: content.properties,
  dropped: content.dropped,
  without_rooms: content.withoutRooms,
  full_at: momentOrNull(content.fullAt),
  fresh_at: momentOrNull(content.freshAt),
  next_at: momentOrNull(content.nextAt),
  late_since: momentOrNull(content.lateSince),
  failure: content.failure ?? null,
})

const presentLooks = ({ searches, bookings }: VendorOverview['looks']): Static<typeof LookToBookSchema> => ({
  searches,
  bookings,
  ratio: bookings === 0 ? null : Math.round((searches / bookings) * 10) / 10,
})
