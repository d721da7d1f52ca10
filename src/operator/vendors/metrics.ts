import { Gauge, Histogram, type Registry } from 'prom-client'
import { classifyCall } from './call-outcome.ts'
import type { CountedCall } from './count-vendors.ts'
import { BREAKER_STATES, type VendorOverview } from './describe-vendor.ts'
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
    help: 'Calls to vendors including retries, by outcome: the class of the status or the fault; credentials for 401 and 403, given_up if the client did not wait.',
    labelNames: ['vendor', 'operation', 'outcome'],
    buckets: LATENCY_BOUNDS_MS.map((ms) => ms / 1000),
    registers,
  })
  return {
    onCall({ vendor, operation, status, fault, ms }: CountedCall): void {
      const reply = status === undefined ? 'internal' : `${Math.floor(status / 100)}xx`
      // Other 4xx are how some vendors report "no rooms".
      const outcome = classifyCall(status, fault) === 'credentials' ? 'credentials' : (fault ?? reply)
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

/** Usage of quotas, and searches and bookings of the last 30 days; every process reports the same values. */
export function addVendorUsageMetrics(
  registry: Registry,
  { overviews, onBug }: { overviews(): Promise<readonly VendorOverview[]>; onBug(error: unknown): void },
): void {
  const add = (name: string, help: string, labelNames: string[], write: (gauge: Gauge, each: VendorOverview) => void) =>
    new Gauge({
      name,
      help,
      labelNames: ['vendor', ...labelNames],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.reset()
        for (const each of (await overviews().catch(onBug)) ?? []) write(this, each)
      },
    })
  add(
    'serai_vendor_quota_used_ratio',
    'Share of the configured quota that is used in the current window.',
    ['kind', 'window_seconds'],
    (gauge, { vendorId: vendor, quota }) => {
      for (const { kind, windowMs, amount, used } of quota.calls)
        gauge.set({ vendor, kind, window_seconds: windowMs / 1000 }, used / amount)
    },
  )
  add('serai_vendor_searches', 'Searches that queried the vendor in the last 30 days.', [], (gauge, each) =>
    gauge.set({ vendor: each.vendorId }, each.looks.searches),
  )
  add('serai_vendor_bookings', 'Real bookings at the vendor in the last 30 days.', [], (gauge, each) =>
    gauge.set({ vendor: each.vendorId }, each.looks.bookings),
  )
}
