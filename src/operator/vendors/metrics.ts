import { Gauge, Histogram, type Registry } from 'prom-client'
import type { CountedCall } from './count-vendors.ts'
import { BREAKER_STATES } from './describe-vendor.ts'
import { LATENCY_BOUNDS_MS } from './latency.ts'

type Breakers<Class extends string> = {
  readonly vendorIds: readonly string[]
  readonly classes: readonly Class[]
  readState(vendorId: string, callClass: Class): (typeof BREAKER_STATES)[number]
}

/** Labels come from closed lists. */
export function addVendorMetrics(registry: Registry) {
  const registers = [registry]
  const duration = new Histogram({
    name: 'serai_vendor_call_duration_seconds',
    help: 'Calls to vendors including retries, by outcome: the class of the status or the fault; given_up if the client did not wait.',
    labelNames: ['vendor', 'operation', 'outcome'],
    buckets: LATENCY_BOUNDS_MS.map((ms) => ms / 1000),
    registers,
  })
  return {
    onCall({ vendor, operation, status, fault, ms }: CountedCall): void {
      const outcome = fault ?? (status === undefined ? 'internal' : `${Math.floor(status / 100)}xx`)
      duration.observe({ vendor, operation, outcome }, ms / 1000)
    },
    watchBreakers<Class extends string>({ vendorIds, classes, ...breakers }: Breakers<Class>): void {
      new Gauge({
        name: 'serai_vendor_breaker_state',
        help: '0 closed, 1 half open, 2 open: while open, the vendor is not called.',
        labelNames: ['vendor', 'class'],
        registers,
        aggregator: 'max',
        collect() {
          for (const vendor of vendorIds)
            for (const name of classes)
              this.set({ vendor, class: name }, BREAKER_STATES.indexOf(breakers.readState(vendor, name)))
        },
      })
    },
  }
}
