import { isGuestId } from '../../domain/guest-access.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { dateIn } from '../../lib/time/plain-date.ts'
import type { Tables } from '../../store/tables.ts'
import type { CallFault } from '../../vendors/vendor-error.ts'
import type { VendorHealthStore } from '../store/vendor-health.ts'
import { classifyCall } from './call-outcome.ts'
import { boundFor } from './latency.ts'

/** The part of a finished call that is counted. */
export type CountedCall = {
  readonly vendor: string
  readonly operation: string
  readonly status: number | undefined
  readonly fault: CallFault | undefined
  readonly ms: number
}

/** State of one class of calls in this process. */
export type ClassState = {
  readonly vendorId: string
  readonly callClass: string
  readonly state: Tables['vendor_breakers']['state']
  readonly underWay: number
  readonly heldUntil: number | undefined
}

type Deps = {
  readonly store: Pick<VendorHealthStore, 'add'>
  readonly clock: Clock
  /** Name of this process for operators. */
  readonly process: string
}

export const SLOT_MS = 5 * MINUTE_MS
/** All guests are counted as one customer. */
const GUESTS = 'guests'
export const accountFor = (ownerId: string): string => (isGuestId(ownerId) ? GUESTS : ownerId)

export type CountVendors = ReturnType<typeof createCountVendors>

/** Counts calls and searches in memory; `write` adds them to the totals of all processes. */
export function createCountVendors({ store, clock, process }: Deps) {
  let calls = new Map<string, Tables['vendor_call_counts']>()
  let searches = new Map<string, Tables['vendor_searches']>()
  const breakerRow = createBreakerRows(process)

  function addSearches(row: Tables['vendor_searches']): void {
    const key = `${row.day} ${row.vendor_id} ${row.account_id}`
    const counted = searches.get(key)
    if (counted === undefined) searches.set(key, row)
    else counted.searches += row.searches
  }

  return {
    onCall({ vendor, operation, status, fault, ms }: CountedCall): void {
      addCalls(calls, {
        minutes: SLOT_MS / MINUTE_MS,
        began_at: floorTo(clock.now(), SLOT_MS),
        vendor_id: vendor,
        operation,
        outcome: classifyCall(status, fault),
        up_to_ms: boundFor(ms),
        calls: 1,
      })
    },

    /** Counts a search in which these vendors took part. */
    onSearch(ownerId: string, vendorIds: readonly string[]): void {
      const day = dateIn('UTC', clock.now())
      for (const vendor_id of vendorIds) addSearches({ day, vendor_id, account_id: accountFor(ownerId), searches: 1 })
    },

    /** Keeps the counts for the next attempt if writing fails. */
    async write(states: readonly ClassState[]): Promise<void> {
      const now = clock.now()
      const counted = [...calls.values()]
      const searched = [...searches.values()]
      calls = new Map()
      searches = new Map()
      const breakers = states.map((state) => breakerRow(state, now))
      try {
        await store.add({ calls: [...counted, ...byHour(counted)], searches: searched, breakers })
      } catch (error) {
        for (const row of counted) addCalls(calls, row)
        for (const row of searched) addSearches(row)
        throw error
      }
    },
  }
}

/** Tracks since when a breaker has not been closed, across the states open and half open. */
function createBreakerRows(process: string) {
  const since = new Map<string, { readonly isClosed: boolean; readonly at: number }>()
  return ({ vendorId, callClass, state, underWay, heldUntil }: ClassState, now: number): Tables['vendor_breakers'] => {
    const key = `${vendorId} ${callClass}`
    const isClosed = state === 'closed'
    const previous = since.get(key)
    const at = previous?.isClosed === isClosed ? previous.at : now
    since.set(key, { isClosed, at })
    const held_until = heldUntil === undefined || heldUntil <= now ? null : heldUntil
    return {
      process,
      vendor_id: vendorId,
      call_class: callClass,
      state,
      since: at,
      under_way: underWay,
      held_until,
      seen_at: now,
    }
  }
}

const floorTo = (timestamp: number, spanMs: number) => Math.floor(timestamp / spanMs) * spanMs

function addCalls(sums: Map<string, Tables['vendor_call_counts']>, row: Tables['vendor_call_counts']): void {
  const key = `${row.began_at} ${row.vendor_id} ${row.operation} ${row.outcome} ${row.up_to_ms}`
  const sum = sums.get(key)
  if (sum === undefined) sums.set(key, row)
  else sum.calls += row.calls
}

/** Merges spans of one hour, because an upsert may not touch a row twice. */
function byHour(spans: readonly Tables['vendor_call_counts'][]): Tables['vendor_call_counts'][] {
  const sums = new Map<string, Tables['vendor_call_counts']>()
  for (const row of spans)
    addCalls(sums, { ...row, minutes: HOUR_MS / MINUTE_MS, began_at: floorTo(row.began_at, HOUR_MS) })
  return [...sums.values()]
}
