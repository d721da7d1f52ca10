import type { VendorCall } from '../../domain/vendor-call.ts'
import type { Ids } from '../../lib/crypto/ids.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import { type CallRecord, isOnBookingPath } from './call-record.ts'
import { redactedCall } from './redact-call.ts'

type Deps = {
  readonly ids: Ids
  write(calls: readonly VendorCall[]): Promise<void>
  onFailure(error: unknown, lost: number): void
}

/** Beyond this, calls are dropped: the log must not take the memory that bookings need. */
const WAITING_MAX = 1_000
const AT_ONCE = 50
/** Of failed calls outside of bookings, per vendor: one that is down fails thousands of times an hour. */
const FAILURES_PER_MINUTE = 20

/** Keeps calls for operators. Adding one costs nothing: they are redacted and written later, in batches. */
export function createCallLog({ ids, write, onFailure }: Deps) {
  let waiting: CallRecord[] = []
  let dropped = 0
  let writing: Promise<unknown> = Promise.resolve()
  const failures = new Map<string, { minute: number; count: number }>()

  function isTooMany({ vendor, call, at }: CallRecord): boolean {
    if (waiting.length >= WAITING_MAX) return true
    if (isOnBookingPath(call)) return false
    const minute = Math.floor(at / MINUTE_MS)
    const known = failures.get(vendor)
    const count = known?.minute === minute ? known.count + 1 : 1
    failures.set(vendor, { minute, count })
    return count > FAILURES_PER_MINUTE
  }

  async function writeBatch(): Promise<number> {
    const batch = waiting.slice(0, AT_ONCE)
    waiting = waiting.slice(AT_ONCE)
    try {
      await write(batch.map((record) => redactedCall(record, ids.prefixed('vcl'))))
    } catch (error) {
      onFailure(error, batch.length)
      return 0
    }
    return batch.length
  }

  return {
    add(record: CallRecord): void {
      if (isTooMany(record)) dropped += 1
      else waiting.push(record)
    },

    /** Writes what is waiting, a batch at a time; returns how many of them. */
    flush(): Promise<number> {
      const next = writing.then(writeBatch)
      writing = next
      return next
    },

    /** How many were not kept. */
    dropped: () => dropped,
  }
}
