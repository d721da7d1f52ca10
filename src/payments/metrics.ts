import { Gauge, Histogram, type Registry } from 'prom-client'
import { cachedFor } from '../lib/async/cached.ts'
import type { Clock } from '../lib/time/clock.ts'
import { type PaymentCounts, UNDERWAY_STATES } from './store/payment-figures.ts'

type Deps = {
  readonly clock: Clock
  count(): Promise<PaymentCounts>
  onBug(error: unknown): void
}

/** Up to the deadline of a call. */
const CALL_BOUNDS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 20]

/** Outcome of one call to the provider. */
type ProviderCall = {
  readonly operation: string
  readonly status: number | undefined
  readonly fault: string | undefined
  readonly ms: number
}

/** Counts calls in the process that makes them. Labels come from closed lists. */
export function addProviderCallMetrics(registry: Registry): (provider: string, call: ProviderCall) => void {
  const duration = new Histogram({
    name: 'serai_payment_provider_call_duration_seconds',
    help: 'Calls to the payment provider, by outcome: the class of the status, or the fault.',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: CALL_BOUNDS_SECONDS,
    registers: [registry],
  })
  return (provider, { operation, status, fault, ms }) => {
    const outcome = fault ?? (status === undefined ? 'internal' : `${Math.floor(status / 100)}xx`)
    duration.observe({ provider, operation, outcome }, ms / 1_000)
  }
}

/** Several scrapers share one database query. */
const CACHE_MS = 5_000

type Shared = { readonly registers: Registry[]; readonly aggregator: 'max' }

/** Read from the database for each scrape, so every process reports the same figures. */
export function addPaymentMetrics(registry: Registry, { clock, count, onBug }: Deps): void {
  const cached = cachedFor(clock, CACHE_MS, () =>
    count().catch((error: unknown) => {
      onBug(error)
      throw error
    }),
  )
  // No figure is better than a stale one.
  const figures = () => cached().catch(() => undefined)
  const shared: Shared = { registers: [registry], aggregator: 'max' }
  addStateMetrics(shared, figures, clock)
  new Gauge({
    ...shared,
    name: 'serai_payments_attention',
    help: 'Payments that an operator should look at, by reason.',
    labelNames: ['reason', 'live'],
    async collect() {
      this.reset()
      for (const { reason, isLive, count } of (await figures())?.byReason ?? [])
        this.set({ reason, live: String(isLive) }, count)
    },
  })
}

function addStateMetrics(shared: Shared, figures: () => Promise<PaymentCounts | undefined>, clock: Clock): void {
  const rows = async () => {
    const read = await figures()
    return UNDERWAY_STATES.flatMap((state) =>
      [true, false].map((isLive) => ({
        labels: { state, live: String(isLive) },
        found: read?.byState.find((row) => row.state === state && row.isLive === isLive),
        isRead: read !== undefined,
      })),
    ).filter(({ isRead }) => isRead)
  }
  new Gauge({
    ...shared,
    name: 'serai_payments',
    help: 'Payments that are not at rest, by state.',
    labelNames: ['state', 'live'],
    async collect() {
      this.reset()
      for (const { labels, found } of await rows()) this.set(labels, found?.count ?? 0)
    },
  })
  new Gauge({
    ...shared,
    name: 'serai_payments_oldest_seconds',
    help: 'Age of the payment that has been longest in a state; 0 if there is none.',
    labelNames: ['state', 'live'],
    async collect() {
      this.reset()
      const now = clock.now()
      for (const { labels, found } of await rows()) this.set(labels, Math.max(0, now - (found?.since ?? now)) / 1_000)
    },
  })
}
