import cluster, { type Worker } from 'node:cluster'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { AggregatorRegistry, type RegistryContentType } from 'prom-client'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import { migrateConfigured } from '../compose/database.ts'
import type { Config } from '../config.ts'
import { monotonicMs } from '../lib/time/clock.ts'
import { CLOSE_TIMEOUT_MS, refuseTestMode, startSandbox } from './serve.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-link.ts'

/** Several processes behind one port. */
type RunningWorkers = {
  readonly url: string
  /** Drains and ends every worker, then the sandbox. */
  stop(): Promise<void>
}

/** A worker could not start; its own words say why. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
}

const PROGRAM = join(import.meta.dirname, 'worker.ts')
/** A worker that lived shorter than this is not replaced at once. */
const SHORT_LIFE_MS = 10_000
const PAUSE_MAX_MS = 10_000

/**
 * Where the kernel can, it spreads connections over the workers. Elsewhere this process hands them out, and one that is on
 * its way to a worker that dies is never answered.
 */
const REUSES_PORT = process.platform === 'linux' || process.platform === 'freebsd'

/**
 * Starts `count` workers and keeps that many alive. This process serves nobody itself: it counts allowances for all of them
 * and owns the sandbox, so that a worker may die without taking anything along.
 */
export async function serveWithWorkers(
  config: Config,
  count: number,
  onDeath: (words: string) => void,
): Promise<RunningWorkers> {
  refuseTestMode(config)
  const port = await freePortOf(config)
  const { port: metricsPort } = config.metrics
  if (metricsPort !== undefined) await freePortOf({ host: config.host, port: metricsPort })
  await migrateConfigured(config)
  const sandbox = config.sandbox ? await startSandbox(config) : undefined
  // Each listens to the messages of its own part in the workers.
  new RateLimiterClusterMaster()
  const metrics = new AggregatorRegistry()
  const settings: WorkerSettings = {
    port,
    reusePort: REUSES_PORT,
    ...(sandbox === undefined ? {} : { vendorEnvironment: sandbox.environment }),
  }
  cluster.setupPrimary({ exec: PROGRAM, args: [JSON.stringify(settings)] })
  let stopping = false
  const replace = createReplacing(onDeath)
  const tell = (error: unknown) => onDeath(error instanceof Error ? error.message : String(error))
  const start = async (): Promise<string> => {
    const bornAt = monotonicMs()
    const worker = cluster.fork()
    worker.once('exit', () => {
      if (!stopping) replace(worker, monotonicMs() - bornAt, () => !stopping && start().catch(tell))
    })
    return untilListening(worker, metrics)
  }

  try {
    const [url = ''] = await Promise.all(Array.from({ length: count }, start))
    return {
      url,
      async stop() {
        stopping = true
        await endAll(config.drainMs + CLOSE_TIMEOUT_MS)
        await sandbox?.close()
      },
    }
  } catch (error) {
    stopping = true
    for (const worker of living()) worker.process.kill('SIGKILL')
    await sandbox?.close()
    throw error
  }
}

/** Resolves with the worker's address. For as long as the worker lives its requests for metrics are answered. */
function untilListening(worker: Worker, metrics: AggregatorRegistry<RegistryContentType>) {
  return new Promise<string>((resolve, reject) => {
    worker.on('message', async (message: FromWorker) => {
      if (message.kind === 'listening') resolve(message.url)
      if (message.kind === 'failed') reject(new WorkerFailure(message.words))
      if (message.kind === 'metrics_wanted') {
        const text = await metrics.clusterMetrics().catch(() => undefined)
        send(worker, { kind: 'metrics', id: message.id, text })
      }
    })
    // A worker whose channel broke while something was sent to it is about to exit.
    worker.on('error', () => undefined)
    worker.once('exit', (code, signal) =>
      reject(new WorkerFailure(`A worker ended (${signal ?? code}) before it could serve.`)),
    )
  })
}

/** Starts another worker for one that ended: at once, or after a growing pause where one after the other lives shortly. */
function createReplacing(onDeath: (words: string) => void) {
  let shortLives = 0
  return ({ process: { pid, exitCode, signalCode } }: Worker, livedMs: number, start: () => unknown): void => {
    shortLives = livedMs < SHORT_LIFE_MS ? shortLives + 1 : 0
    const pauseMs = shortLives === 0 ? 0 : Math.min(PAUSE_MAX_MS, 100 * 2 ** shortLives)
    onDeath(`Worker ${pid} ended (${signalCode ?? exitCode}); another starts in ${pauseMs} ms.`)
    setTimeout(start, pauseMs)
  }
}

/** Workers would silently share the port with another program that allows it; a plain listener is refused, and tells. */
function freePortOf({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port }, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

const living = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}

/** Asks every worker to drain and end; one that does not is killed. */
async function endAll(withinMs: number): Promise<void> {
  const all = living()
  const gone = all.map((worker) => new Promise<void>((resolve) => void worker.once('exit', () => resolve())))
  for (const worker of all) send(worker, { kind: 'stop' })
  const timer = setTimeout(() => {
    for (const worker of all) worker.process.kill('SIGKILL')
  }, withinMs)
  await Promise.all(gone)
  clearTimeout(timer)
}
