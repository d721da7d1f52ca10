import type { NotedRequest } from '../domain/noted-request.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import type { Tables } from '../store/tables.ts'
import type { RequestStore } from './store/requests.ts'

export const REQUEST_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    request_id: { type: 'string', filterable: true, nullable: false },
    at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    operation: { type: 'string', sortable: true, filterable: true, nullable: false },
    method: { type: 'string', filterable: true, nullable: false },
    status: { type: 'integer', sortable: true, filterable: true, nullable: false },
    code: { type: 'string', sortable: true, filterable: true },
    took_ms: { type: 'integer', sortable: true, filterable: true, nullable: false },
    account_id: { type: 'string', filterable: true },
    key_id: { type: 'string', filterable: true },
    simulated: { type: 'boolean', filterable: true, nullable: false },
    search_id: { type: 'string', filterable: true },
    booking_id: { type: 'string', filterable: true },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['at'], orderDirections: ['desc'] },
})

/** Support is asked later about bookings and about failed requests of known callers. */
const KEEP = { plainMs: 7 * DAY_MS, longMs: 30 * DAY_MS }
/** Unwritten requests in memory; further ones are only counted in the metrics. */
const WAITING_MAX = 1_000
/** Rows per transaction, limited to keep it within a few milliseconds. */
const ROWS_PER_WRITE = 100
/** Limits refused requests, which could fill the disk, and location searches, sent on every keystroke. */
const FREQUENT_MAX = 10
const LOCATION_SEARCH = 'locations.search'

type Deps = {
  readonly store: RequestStore
  readonly clock: Clock
  readonly ids: Ids
  onDropped(count: number): void
}

export type RequestLog = ReturnType<typeof createRequestLog>

/** Collects requests in memory and writes them in batches, so that no request waits for it. */
export function createRequestLog({ store, clock, ids, onDropped }: Deps) {
  let waiting: Unwritten[] = []
  let frequent = { refused: 0, locations: 0 }

  function hasRoomFor(request: NotedRequest): boolean {
    if (waiting.length >= WAITING_MAX) return false
    const kind = isRefusedEarly(request) ? 'refused' : isLocationSearch(request) ? 'locations' : undefined
    if (kind === undefined) return true
    frequent[kind] += 1
    return frequent[kind] <= FREQUENT_MAX
  }

  return {
    note(request: NotedRequest): void {
      if (hasRoomFor(request)) waiting.push(toRow(request, clock.now()))
      else onDropped(1)
    },

    /** Keeps unwritten requests in memory for the next attempt, up to the limit. */
    async write(): Promise<number> {
      let rows = waiting
      waiting = []
      frequent = { refused: 0, locations: 0 }
      try {
        while (rows.length > 0) {
          await store.add(rows.slice(0, ROWS_PER_WRITE).map((row) => ({ id: ids.prefixed('rq'), ...row })))
          rows = rows.slice(ROWS_PER_WRITE)
        }
      } catch (error) {
        const unwritten = [...rows, ...waiting]
        waiting = unwritten.slice(0, WAITING_MAX)
        onDropped(unwritten.length - waiting.length)
        throw error
      }
      return 0
    },

    byRequestId: (requestId: string): Promise<Tables['requests'][]> => store.byRequestId(requestId),
    list: (plan: ListPlan, charge: Charge): Promise<ListPage<Tables['requests']>> =>
      runOnSql(plan, store.listing(), charge),
    deleteExpired: (): Promise<number> => store.deleteExpired(clock.now()),
  }
}

/** The caller is unknown, or was refused because of load. */
const isRefusedEarly = ({ accountId, status }: NotedRequest): boolean =>
  accountId === undefined || status === 429 || status === 503

const isLocationSearch = ({ operation, status }: NotedRequest): boolean => operation === LOCATION_SEARCH && status < 400

type Unwritten = Omit<Tables['requests'], 'id'>

function toRow(request: NotedRequest, now: number): Unwritten {
  const { operation, status, accountId, bookingId } = request
  const isKeptLonger =
    bookingId !== undefined ||
    operation.startsWith('booking.') ||
    status >= 500 ||
    (status >= 400 && accountId !== undefined)
  return {
    request_id: request.requestId,
    at: now,
    operation,
    method: request.method,
    path: request.path,
    status,
    code: request.code ?? null,
    took_ms: Math.round(request.ms),
    account_id: accountId ?? null,
    key_id: request.keyId ?? null,
    simulated: request.simulated ? 1 : 0,
    search_id: request.searchId ?? null,
    booking_id: bookingId ?? null,
    expires_at: now + (isKeptLonger ? KEEP.longMs : KEEP.plainMs),
  }
}
