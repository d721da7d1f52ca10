import { AggregatorRegistry, type Registry } from 'prom-client'
import { systemClock } from './lib/clock.ts'
import {
  type Addition,
  type Count,
  type Counters,
  createBatchedCounters,
  createMemoryCounters,
} from './store/counters.ts'
import type { FromWorker, ToWorker, WorkerOrders } from './worker-messages.ts'

export type WorkerLink = {
  readonly orders: Promise<WorkerOrders>
  readonly counters: Counters
  /** How to read the metrics of all workers; of this one alone when the first process does not answer. */
  metrics(own: Registry): () => Promise<string>
  say(message: FromWorker): void
  onStop(stop: () => void): void
}

/** The first process has nothing else to do, so its answer takes well under a millisecond. */
const PATIENCE_MS = 250
const METRICS_PATIENCE_MS = 3_000

/** A worker's side of the channel to the process that started it. */
export function openWorkerLink(): WorkerLink {
  const orders = Promise.withResolvers<WorkerOrders>()
  const waiting = new Map<number, (answer: never) => void>()
  let lastId = 0
  let stop: () => void = () => undefined
  let registry: Registry | undefined

  const say = (message: FromWorker) => {
    // A channel that is closed ends this process anyway.
    if (process.connected) process.send?.(message)
  }
  function ask<T>(patienceMs: number, questionOf: (id: number) => FromWorker): Promise<T> {
    lastId += 1
    const id = lastId
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id)
        reject(new Error('the first process does not answer'))
      }, patienceMs)
      waiting.set(id, (answer: T) => {
        clearTimeout(timer)
        resolve(answer)
      })
      say(questionOf(id))
    })
  }
  function answered(id: number, answer: unknown): void {
    const resolve = waiting.get(id)
    waiting.delete(id)
    resolve?.(answer as never)
  }

  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'orders':
        return orders.resolve(message.orders)
      case 'counted':
      case 'all_metrics':
        return answered(message.id, message.answer)
      case 'own_metrics_wanted':
        return void registry
          ?.getMetricsAsJSON()
          .then((metrics) => say({ kind: 'own_metrics', id: message.id, metrics }))
          .catch(() => undefined)
      case 'stop':
        return stop()
    }
  })
  say({ kind: 'orders_wanted' })

  const exchange = (additions: readonly Addition[]) =>
    ask<readonly Count[]>(PATIENCE_MS, (id) => ({ kind: 'count', id, additions }))
  return {
    orders: orders.promise,
    counters: createBatchedCounters(exchange, createMemoryCounters(systemClock)),
    metrics(own) {
      registry = own
      return async () => {
        try {
          return await ask<string>(METRICS_PATIENCE_MS, (id) => ({ kind: 'all_metrics_wanted', id }))
        } catch {
          return AggregatorRegistry.aggregate([await own.getMetricsAsJSON()]).metrics()
        }
      }
    },
    say,
    onStop(handler) {
      stop = handler
    },
  }
}
