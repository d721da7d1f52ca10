import cluster, { type Worker } from 'node:cluster'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { AggregatorRegistry } from 'prom-client'
import type { Config } from './config.ts'
import { migrateConfigured } from './configured-database.ts'
import { monotonicMs, systemClock } from './lib/clock.ts'
import { CLOSE_TIMEOUT_MS, startSandbox } from './main.ts'
import { createMemoryCounters } from './store/counters.ts'
import type { FromWorker, MetricsJson, ToWorker, WorkerOrders } from './worker-messages.ts'

/** Several processes behind one port. */
export type Fleet = {
  readonly url: string
  /** Drains and ends every worker, then what was started beside them. */
  stop(): Promise<void>
}

/** A worker could not start; its own words say why. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
}

const PROGRAM = join(import.meta.dirname, 'cli', 'serve-worker.ts')
/** One that lived shorter than this is not replaced at once. */
const SHORT_LIFE_MS = 10_000
const REST_MAX_MS = 10_000
const METRICS_PATIENCE_MS = 1_500

type Deps = { onDeath(words: string): void }

/**
 * Where the kernel can, it spreads connections over the workers. Elsewhere this process hands them out, and one that is on
 * its way to a worker that dies is never answered.
 */
const REUSES_PORT = process.platform === 'linux' || process.platform === 'freebsd'

/**
 * Starts `count` workers and keeps that many alive. This process serves nobody itself: it counts for all of them and owns
 * the sandbox, so that a worker may die without taking anything along.
 */
export async function serveWithWorkers(config: Config, count: number, deps: Deps): Promise<Fleet> {
  const port = await freePortOf(config)
  await migrateConfigured(config)
  const sandbox = config.sandbox ? await startSandbox(config) : undefined
  const desk = createDesk({ vendorEnvironment: sandbox?.environment, port, reusePort: REUSES_PORT })
  let stopping = false
  let shortLives = 0

  cluster.setupPrimary({ exec: PROGRAM, args: [] })

  function replace(worker: Worker, livedMs: number): void {
    if (stopping) return
    shortLives = livedMs < SHORT_LIFE_MS ? shortLives + 1 : 0
    const restMs = shortLives === 0 ? 0 : Math.min(REST_MAX_MS, 100 * 2 ** shortLives)
    const { exitCode, signalCode } = worker.process
    deps.onDeath(`Worker ${worker.process.pid} ended (${signalCode ?? exitCode}); another starts in ${restMs} ms.`)
    setTimeout(() => {
      if (!stopping) start()
    }, restMs)
  }

  function start(): Promise<string> {
    const worker = cluster.fork()
    const bornAt = monotonicMs()
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'listening') resolve(message.url)
      else if (message.kind === 'failed') reject(new WorkerFailure(message.words))
      else desk.hear(worker, message)
    })
    // A worker whose channel broke while something was sent to it is about to exit, which is heard below.
    worker.on('error', () => undefined)
    worker.once('exit', (code, signal) => {
      reject(new WorkerFailure(`A worker ended (${signal ?? code}) before it could serve.`))
      replace(worker, monotonicMs() - bornAt)
    })
    // Whoever waits hears of it; for a replacement nobody does.
    promise.catch(() => undefined)
    return promise
  }

  async function stop(): Promise<void> {
    stopping = true
    await endAll(config.drainMs + CLOSE_TIMEOUT_MS)
    await sandbox?.close()
  }

  try {
    const [url = ''] = await Promise.all(Array.from({ length: count }, start))
    return { url, stop }
  } catch (error) {
    stopping = true
    for (const worker of living()) worker.process.kill('SIGKILL')
    await sandbox?.close()
    throw error
  }
}

/** Workers would share the port with a stranger without a word; a plain listener is refused, and tells. */
function freePortOf({ host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port }, () => {
      const { port: taken } = probe.address() as AddressInfo
      probe.close(() => resolve(taken))
    })
  })
}

const living = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}

/** Asks every worker to drain and end; one that does not is ended. */
async function endAll(withinMs: number): Promise<void> {
  const all = living()
  const gone = all.map((worker) => new Promise<void>((resolve) => void worker.once('exit', () => resolve())))
  for (const worker of all) tell(worker, { kind: 'stop' })
  const timer = setTimeout(() => {
    for (const worker of all) worker.process.kill('SIGKILL')
  }, withinMs)
  await Promise.all(gone)
  clearTimeout(timer)
}

/** What workers ask this process for. */
function createDesk(orders: WorkerOrders) {
  const counters = createMemoryCounters(systemClock)
  const collecting = new Map<number, { parts: MetricsJson[]; missing: number; done(): void }>()
  let lastId = 0

  async function allMetrics(): Promise<string> {
    const workers = living().filter((worker) => worker.isConnected())
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<void>()
    const collection = { parts: [] as MetricsJson[], missing: workers.length, done: resolve }
    collecting.set(id, collection)
    for (const worker of workers) tell(worker, { kind: 'own_metrics_wanted', id })
    // One that is still starting, or stuck, has no say.
    const timer = setTimeout(resolve, METRICS_PATIENCE_MS)
    await promise
    clearTimeout(timer)
    collecting.delete(id)
    return AggregatorRegistry.aggregate([...collection.parts] as object[]).metrics()
  }

  return {
    hear(worker: Worker, message: FromWorker): void {
      if (message.kind === 'orders_wanted') tell(worker, { kind: 'orders', orders })
      if (message.kind === 'count') {
        const answer = message.additions.map((addition) => counters.add(...addition))
        tell(worker, { kind: 'counted', id: message.id, answer })
      }
      if (message.kind === 'all_metrics_wanted') {
        void allMetrics().then((answer) => tell(worker, { kind: 'all_metrics', id: message.id, answer }))
      }
      if (message.kind === 'own_metrics') {
        const collection = collecting.get(message.id)
        if (collection === undefined) return
        collection.parts.push(message.metrics)
        collection.missing -= 1
        if (collection.missing === 0) collection.done()
      }
    },
  }
}
