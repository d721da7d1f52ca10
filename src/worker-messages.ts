import type { Addition, Count } from './store/counters.ts'

/** What a worker is told before it builds anything. */
export type WorkerOrders = {
  /** Variables of the sandbox's vendors, where the first process started one. */
  readonly vendorEnvironment: Readonly<Record<string, string>> | undefined
  readonly port: number
  readonly reusePort: boolean
}

/** As prom-client writes one process's metrics down for another. */
export type MetricsJson = readonly object[]

export type ToWorker =
  | { readonly kind: 'orders'; readonly orders: WorkerOrders }
  | { readonly kind: 'counted'; readonly id: number; readonly answer: readonly Count[] }
  | { readonly kind: 'all_metrics'; readonly id: number; readonly answer: string }
  | { readonly kind: 'own_metrics_wanted'; readonly id: number }
  | { readonly kind: 'stop' }

export type FromWorker =
  | { readonly kind: 'orders_wanted' }
  | { readonly kind: 'listening'; readonly url: string }
  /** It cannot start; the words are for the operator. */
  | { readonly kind: 'failed'; readonly words: string }
  | { readonly kind: 'count'; readonly id: number; readonly additions: readonly Addition[] }
  | { readonly kind: 'all_metrics_wanted'; readonly id: number }
  | { readonly kind: 'own_metrics'; readonly id: number; readonly metrics: MetricsJson }
