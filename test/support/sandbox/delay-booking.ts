import { expect } from 'vitest'
import type { VendorControl } from '../../../sandbox/server/control.ts'

const WAIT_MAX_MS = 20_000

/** Delays the next booking at each of these vendors. `received` waits until one of them has received a booking. */
export async function delayNextBooking(
  controls: readonly VendorControl[],
  ms: number,
): Promise<{ received(): Promise<void> }> {
  for (const control of controls) await control.addFaults({ kind: 'latency', operation: 'book', ms, times: 1 })
  const countLeft = async () =>
    (await Promise.all(controls.map((control) => control.faults())))
      .flat()
      .filter(({ kind, operation }) => kind === 'latency' && operation === 'book')
      .reduce((sum, { times = 0 }) => sum + times, 0)
  const planned = await countLeft()
  return {
    received: () => expect.poll(countLeft, { timeout: WAIT_MAX_MS, interval: 20 }).toBeLessThan(planned),
  }
}
