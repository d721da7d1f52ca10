import type { VendorCall } from '../../domain/vendor-call.ts'
import type { Ids } from '../../lib/crypto/ids.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import { type CallRecord, isOnBookingPath } from './call-record.ts'
import { redactCall } from './redact-call.ts'

type Deps = {
  readonly ids: Ids
  write(calls: readonly VendorCall[]): Promise<void>
  onFailure(error: unknown, lost: number): void
}

/** Calls beyond this are dropped to bound memory. */
const QUEUE_MAX = 1_000
const BATCH_SIZE = 50
/** Per vendor, for failed calls outside of bookings. A vendor that is down fails thousands of times an hour. */
const FAILURES_PER_MINUTE = 20

/** Log of vendor calls for operators. Calls are redacted and written later, in batches. */
export function createCallLog({ ids, write, onFailure }: Deps) {
  let queue: CallRecord[] = []
  let dropped = 0
  let writing: Promise<unknown> = Promise.resolve()
  const failures = new Map<string, { minute: number; count: number }>()

  function shouldDrop({ vendor, call, at }: CallRecord): boolean {
    if (queue.length >= QUEUE_MAX) return true
    if (isOnBookingPath(call)) return false
    const minute = Math.floor(at / MINUTE_MS)
    const previous = failures.get(vendor)
    const count = previous?.minute === minute ? previous.count + 1 : 1
    failures.set(vendor, { minute, count })
    return count > FAILURES_PER_MINUTE
  }

  async function writeBatch(): Promise<number> {
    const batch = queue.slice(0, BATCH_SIZE)
    queue = queue.slice(BATCH_SIZE)
    try {
      await write(batch.map((record) => redactCall(record, ids.prefixed('vcl'))))
    } catch (error) {
      onFailure(error, batch.length)
      return 0
    }
    return batch.length
  }

  return {
    add(record: CallRecord): void {
      if (shouldDrop(record)) dropped += 1
      else queue.push(record)
    },

    /** Writes the next batch and returns its size. */
    flush(): Promise<number> {
      const next = writing.then(writeBatch)
      writing = next
      return next
    },

    /** Number of dropped calls. */
    dropped: () => dropped,
  }
}
