import { AggregatorRegistry, type Registry } from 'prom-client'

/** Passed to the worker as its only argument, in JSON. */
export type WorkerSettings = {
  readonly port: number
  readonly reusePort: boolean
  /** Vendors' settings, if the primary process started a sandbox. */
  readonly vendorEnvironment?: Readonly<Record<string, string>>
}

export type ToWorker =
  | { readonly kind: 'stop' }
  /** Metrics of all workers; `text` is undefined if one of them did not respond. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined }

export type FromWorker =
  | { readonly kind: 'listening'; readonly url: string }
  /** The reason is shown to the operator. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'metrics_wanted'; readonly id: number }

/** Longer than prom-client's own timeout of five seconds. */
const METRICS_TIMEOUT_MS = 6_000

/** Worker's side of the channel to the primary process. */
export function openWorkerLink() {
  // Sends this worker's metrics to the primary process on request; empty until a registry is set.
  new AggregatorRegistry()
  AggregatorRegistry.setRegistries([])
  const waiting = new Map<number, (text: string | undefined) => void>()
  let lastId = 0
  // A worker that is still starting has nothing to finish.
  let stop: () => void = () => process.exit(0)

  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') stop()
    if (message.kind === 'metrics') waiting.get(message.id)?.(message.text)
  })
  const send = (message: FromWorker) => {
    // A closed channel ends this process anyway.
    if (process.connected) process.send?.(message)
  }
  async function readAllMetrics(): Promise<string | undefined> {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const timer = setTimeout(() => resolve(undefined), METRICS_TIMEOUT_MS)
    waiting.set(id, resolve)
    send({ kind: 'metrics_wanted', id })
    const text = await promise
    clearTimeout(timer)
    waiting.delete(id)
    return text
  }

  return {
    /** Returns a reader for the metrics of all workers, or only this one's if the primary process fails. */
    metrics(own: Registry): () => Promise<string> {
      AggregatorRegistry.setRegistries(own)
      return async () =>
        (await readAllMetrics()) ?? AggregatorRegistry.aggregate([await own.getMetricsAsJSON()]).metrics()
    },
    send,
    onStop(handler: () => void): void {
      stop = handler
    },
  }
}
