import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import type { BookingStore } from '../store/bookings.ts'
import type { VendorLists } from '../store/vendor-turns.ts'

type Deps = {
  readonly bookings: Pick<BookingStore, 'confirmedAmong' | 'promptReadings'>
  readonly lists: VendorLists
  readonly vendors: readonly Vendor[]
  readonly clock: Clock
}

const EVERY_MS = 6 * HOUR_MS
const RETRY_MS = HOUR_MS
const LIST_TIMEOUT_MS = 120_000
/** Bookings that arrive later are read by the schedule alone. */
const DAYS_AHEAD = 60

/** Prompts a reading of each confirmed booking that its vendor lists as cancelled; returns how many. */
export function createWatchLists(deps: Deps): () => Promise<number> {
  return async function watchLists() {
    const prompted = await Promise.all(deps.vendors.map((vendor) => watchList(deps, vendor)))
    return prompted.reduce((sum, count) => sum + count, 0)
  }
}

async function watchList(deps: Deps, vendor: Vendor): Promise<number> {
  if (vendor.listCancelled === undefined) return 0
  const task = await deps.lists.claim(vendor.id, deps.clock.now(), LIST_TIMEOUT_MS + 60_000)
  if (task === undefined) return 0
  const found = await promptCancelled(deps, vendor)
  await deps.lists.done(task, deps.clock.now() + (found === undefined ? RETRY_MS : EVERY_MS))
  return found ?? 0
}

/** Undefined if the vendor did not answer. */
async function promptCancelled({ bookings, clock }: Deps, vendor: Vendor): Promise<number | undefined> {
  const from = addDays(dateIn('UTC', clock.now()), -1)
  using deadline = startDeadline(LIST_TIMEOUT_MS)
  const context = { requestId: `list-${vendor.id}`, signal: deadline.signal }
  let prompted = 0
  try {
    for await (const page of vendor.listCancelled?.({ from, to: addDays(from, DAYS_AHEAD) }, context) ?? []) {
      const references = page.filter(({ state }) => state === 'cancelled').map(({ reference }) => reference)
      const confirmed = await bookings.confirmedAmong(vendor.id, references)
      prompted += await bookings.promptReadings(vendor.id, confirmed, clock.now())
    }
    return prompted
  } catch (error) {
    if (error instanceof VendorError) return undefined
    throw error
  }
}
