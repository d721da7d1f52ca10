import { freeTurns } from '../../booking/store/vendor-turns.ts'
import type { ContentStatus } from '../../catalogue/sync/content-status.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import type { Tables } from '../../store/tables.ts'
import type { QuotaUsage } from '../../vendors/capabilities.ts'
import type { VendorEnvironment } from '../../vendors/contract.ts'
import type { AccountCount, CallSum } from '../store/vendor-health.ts'
import { type CallSpan, type CallWindow, sumCalls, sumSpans } from './call-windows.ts'
import { accountFor, SLOT_MS } from './count-vendors.ts'

/** From best to worst; metrics report the position in this list. */
export const BREAKER_STATES = ['closed', 'half_open', 'open'] as const
type BreakerState = (typeof BREAKER_STATES)[number]

type Windows = { readonly hour: CallWindow; readonly day: CallWindow; readonly week: CallWindow }
type Looks = { readonly searches: number; readonly bookings: number }

export type VendorOverview = Windows & {
  readonly vendorId: string
  readonly environment: VendorEnvironment
  /** The last hour, five minutes each. */
  readonly recent: readonly CallSpan[]
  /** Worst state of all processes and call classes. */
  readonly breaker: BreakerState
  readonly breakers: readonly (Tables['vendor_breakers'] & { readonly limit: number })[]
  readonly processes: number
  readonly quota: {
    readonly readingsPerMinute: number
    readonly readingsFree: number
    readonly contentRequestsToday: number
    readonly contentRequestsPerDay: number | undefined
    readonly heldUntil: number | undefined
    readonly calls: readonly QuotaUsage[]
  }
  readonly content: ContentStatus
  readonly looks: Looks
  readonly failingOperations: readonly FailingOperation[]
}

/** An operation that mostly fails, even if the vendor as a whole does not. */
export type FailingOperation = {
  readonly operation: string
  readonly period: 'hour' | 'day'
  readonly calls: number
  readonly failures: number
}

export type VendorDetail = VendorOverview & {
  readonly operations: readonly (Windows & { readonly operation: string })[]
  /** The last day, an hour each. */
  readonly hours: readonly CallSpan[]
  readonly accounts: readonly (Looks & { readonly accountId: string })[]
}

/** Stored figures of all vendors. */
export type Figures = {
  readonly now: number
  readonly slotsFrom: number
  readonly hoursFrom: number
  readonly slots: readonly CallSum[]
  readonly hours: readonly CallSum[]
  readonly week: readonly Omit<CallSum, 'began_at'>[]
  readonly breakers: readonly Tables['vendor_breakers'][]
  readonly searches: readonly AccountCount[]
  readonly booked: readonly AccountCount[]
  readonly turns: readonly { readonly vendor_id: string; readonly next_reading_at: number }[]
  readonly content: readonly ContentStatus[]
  readonly quotas?: ReadonlyMap<string, readonly QuotaUsage[]>
}

export type KnownVendor = {
  readonly id: string
  readonly environment: VendorEnvironment
  /** Concurrent calls of a class per process. */
  limitFor(callClass: string): number
  readQuotas?(): Promise<readonly QuotaUsage[]>
}

/** Fewer calls prove nothing. */
const FAILING_CALLS = 5
const FAILING_SHARE = 0.2

export const SLOTS = 12
export const HOURS = 24

/** Extracts the figures of one vendor. */
export function describeVendor(all: Figures, vendor: KnownVendor, readingsPerMinute: number): VendorDetail {
  const { id: vendorId, environment } = vendor
  const own = <T extends { readonly vendor_id: string }>(rows: readonly T[]) =>
    rows.filter(({ vendor_id }) => vendor_id === vendorId)
  const [slots, hours, week, breakers] = [own(all.slots), own(all.hours), own(all.week), own(all.breakers)]
  const readWindows = (operation?: string): Windows => {
    const only = <T extends { readonly operation: string }>(rows: readonly T[]) =>
      operation === undefined ? rows : rows.filter((row) => row.operation === operation)
    return { hour: sumCalls(only(slots)), day: sumCalls(only(hours)), week: sumCalls(only(week)) }
  }
  const content = all.content.find((status) => status.vendorId === vendorId) ?? unknownContent(vendorId)
  const accounts = countLooks(vendorId, all.searches, all.booked)
  const operations = listOperations(week).map((operation) => ({ operation, ...readWindows(operation) }))
  const nextReadingAt = own(all.turns)[0]?.next_reading_at ?? 0
  return {
    vendorId,
    environment,
    ...readWindows(),
    recent: sumSpans(slots, all.slotsFrom, SLOT_MS, SLOTS),
    breaker: worstState(breakers),
    processes: new Set(breakers.map(({ process }) => process)).size,
    quota: {
      readingsPerMinute,
      readingsFree: freeTurns(nextReadingAt, all.now, readingsPerMinute).free,
      contentRequestsToday: content.requestsToday,
      contentRequestsPerDay: content.requestsPerDay,
      heldUntil: heldUntil(breakers, all.now),
      calls: all.quotas?.get(vendorId) ?? [],
    },
    content,
    looks: {
      searches: accounts.reduce((sum, { searches }) => sum + searches, 0),
      bookings: accounts.reduce((sum, { bookings }) => sum + bookings, 0),
    },
    operations,
    failingOperations: operations.flatMap(findFailing).toSorted((a, b) => b.failures / b.calls - a.failures / a.calls),
    hours: sumSpans(hours, all.hoursFrom, HOUR_MS, HOURS),
    breakers: breakers.map((row) => ({ ...row, limit: vendor.limitFor(row.call_class) })),
    accounts,
  }
}

/** The last hour decides; the last day only if there were too few calls since. */
function findFailing({ operation, hour, day }: VendorDetail['operations'][number]): FailingOperation[] {
  const period = hour.calls >= FAILING_CALLS ? 'hour' : 'day'
  const { calls, failures } = period === 'hour' ? hour : day
  return calls >= FAILING_CALLS && failures >= calls * FAILING_SHARE ? [{ operation, period, calls, failures }] : []
}

const listOperations = (rows: readonly { readonly operation: string }[]) =>
  [...new Set(rows.map(({ operation }) => operation))].sort()

function heldUntil(breakers: readonly Tables['vendor_breakers'][], now: number): number | undefined {
  const last = Math.max(0, ...breakers.map(({ held_until }) => held_until ?? 0))
  return last > now ? last : undefined
}

const worstState = (breakers: readonly Tables['vendor_breakers'][]): BreakerState =>
  BREAKER_STATES.findLast((state) => breakers.some((breaker) => breaker.state === state)) ?? 'closed'

type Counts = readonly AccountCount[]

/** By account, most searches first. Guests are counted together. */
function countLooks(vendorId: string, searches: Counts, bookings: Counts): VendorDetail['accounts'] {
  const looks = new Map<string, { searches: number; bookings: number }>()
  const add = (kind: 'searches' | 'bookings', counts: Counts) => {
    for (const { accountId, count } of counts.filter((row) => row.vendorId === vendorId)) {
      const account = accountFor(accountId)
      const sum = looks.get(account) ?? { searches: 0, bookings: 0 }
      sum[kind] += count
      looks.set(account, sum)
    }
  }
  add('searches', searches)
  add('bookings', bookings)
  return [...looks]
    .map(([accountId, sum]) => ({ accountId, ...sum }))
    .sort((a, b) => b.searches - a.searches || (a.accountId < b.accountId ? -1 : 1))
}

const unknownContent = (vendorId: string): ContentStatus => ({
  vendorId,
  properties: 0,
  dropped: 0,
  withoutRooms: 0,
  fullAt: undefined,
  freshAt: undefined,
  feed: undefined,
  requestsToday: 0,
  requestsPerDay: undefined,
  failure: undefined,
  nextAt: undefined,
  lateSince: undefined,
})
