import { AggregatorRegistry, type Registry } from 'prom-client'

/** What a worker needs to know from the process that starts it: its only argument, as JSON. */
export type WorkerSettings = {
  readonly port: number
  readonly reusePort: boolean
  /** Variables of the sandbox's vendors, where the first process started one. */
  readonly vendorEnvironment?: Readonly<Record<string, string>>
}

export type ToWorker =
  | { readonly kind: 'stop' }
  /** The metrics of all workers; without a text where one of them did not answer. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined }

export type FromWorker =
  | { readonly kind: 'listening'; readonly url: string }
  /** It cannot start; the words are for the operator. */
  | { readonly kind: 'failed'; readonly words: string }
  | { readonly kind: 'metrics_wanted'; readonly id: number }

/** prom-client gives up after five seconds by itself. */
const METRICS_PATIENCE_MS = 6_000

/** A worker's side of the channel to the process that started it. */
export function openWorkerLink() {
  // Answers the first process when it asks for this worker's metrics, with none until there is a registry.
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
    // A channel that is closed ends this process anyway.
    if (process.connected) process.send?.(message)
  }
  async function metricsOfAll(): Promise<string | undefined> {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const timer = setTimeout(() => resolve(undefined), METRICS_PATIENCE_MS)
    waiting.set(id, resolve)
    send({ kind: 'metrics_wanted', id })
    const text = await promise
    clearTimeout(timer)
    waiting.delete(id)
    return text
  }

  return {
    /** How to read the metrics of all workers; of this one alone when the first process cannot tell them. */
    metrics(own: Registry): () => Promise<string> {
      AggregatorRegistry.setRegistries(own)
      return async () =>
        (await metricsOfAll()) ?? AggregatorRegistry.aggregate([await own.getMetricsAsJSON()]).metrics()
    },
    send,
    onStop(handler: () => void): void {
      stop = handler
    },
  }
}
