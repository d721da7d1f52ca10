import type { VendorId } from '../domain/offer.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'

type Refusal = { readonly vendorId: VendorId; readonly since: number; readonly lastAt: number }

type Log = { warn(fields: object, text: string): void }

/** Vendors that rejected a condition of a search during the last day, as seen by this process. */
export function createRefusedConditions(clock: Clock, log: Log) {
  const byVendor = new Map<VendorId, Refusal>()
  const recent = () => [...byVendor.values()].filter(({ lastAt }) => lastAt > clock.now() - DAY_MS)
  return {
    record(error: unknown, vendorId: VendorId): void {
      log.warn({ err: error, vendor: vendorId }, 'the vendor rejected a condition of a search')
      const now = clock.now()
      const known = recent().find((refusal) => refusal.vendorId === vendorId)
      byVendor.set(vendorId, { vendorId, since: known?.since ?? now, lastAt: now })
    },
    recent,
  }
}
export type RefusedConditions = ReturnType<typeof createRefusedConditions>
