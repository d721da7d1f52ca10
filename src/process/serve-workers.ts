import cluster, { type Worker } from 'node:cluster'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { AggregatorRegistry, type RegistryContentType } from 'prom-client'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import { migrateConfigured } from '../compose/database.ts'
import type { Config } from '../config.ts'
import { monotonicMs } from '../lib/time/clock.ts'
import { CLOSE_TIMEOUT_MS, refuseTestMode, standInVariables, startSandboxProcess } from './serve.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-link.ts'

type RunningWorkers = {
  readonly url: string
  /** Drains and stops every worker, then the sandbox. */
  stop(): Promise<void>
}

/** A worker could not start. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
}

const PROGRAM = join(import.meta.dirname, 'worker.ts')
/** A worker that ended sooner than this is replaced after a pause. */
const SHORT_LIFE_MS = 10_000
const PAUSE_MAX_MS = 10_000

/** The kernel distributes connections. Elsewhere this process does, and loses those on their way to a worker that dies. */
const REUSES_PORT = process.platform === 'linux' || process.platform === 'freebsd'

/**
 * Starts `count` workers and replaces those that die. This process serves no requests: it counts rate limits for all workers
 * and owns the sandbox.
 */
export async function serveWithWorkers(
  config: Config,
  count: number,
  report: (message: string) => void,
): Promise<RunningWorkers> {
  refuseTestMode(config)
  const port = await findFreePort(config)
  const { port: metricsPort } = config.metrics
  if (metricsPort !== undefined) await findFreePort({ host: config.host, port: metricsPort })
  await migrateConfigured(config)
  const sandbox = config.sandbox ? await startSandboxProcess(config) : undefined
  // Both listen to messages from the workers.
  new RateLimiterClusterMaster()
  const metrics = new AggregatorRegistry()
  const settings: WorkerSettings = {
    port,
    reusePort: REUSES_PORT,
    ...(sandbox === undefined ? {} : { vendorEnvironment: standInVariables(sandbox) }),
  }
  cluster.setupPrimary({ exec: PROGRAM, args: [JSON.stringify(settings)] })
  let stopping = false
  const replace = createReplacer(report)
  const reportError = (error: unknown) => report(error instanceof Error ? error.message : String(error))
  const start = async (): Promise<string> => {
    const startedAt = monotonicMs()
    const worker = cluster.fork()
    worker.once('exit', () => {
      if (!stopping) replace(worker, monotonicMs() - startedAt, () => !stopping && start().catch(reportError))
    })
    return waitUntilListening(worker, metrics)
  }

  try {
    const [url = ''] = await Promise.all(Array.from({ length: count }, start))
    return {
      url,
      async stop() {
        stopping = true
        await stopWorkers(config.drainMs + CLOSE_TIMEOUT_MS)
        await sandbox?.close()
      },
    }
  } catch (error) {
    stopping = true
    for (const worker of listWorkers()) worker.process.kill('SIGKILL')
    await sandbox?.close()
    throw error
  }
}

/** Resolves with the worker's URL. Also answers the worker's requests for metrics as long as it lives. */
function waitUntilListening(worker: Worker, metrics: AggregatorRegistry<RegistryContentType>) {
  return new Promise<string>((resolve, reject) => {
    worker.on('message', async (message: FromWorker) => {
      if (message.kind === 'listening') resolve(message.url)
      if (message.kind === 'failed') reject(new WorkerFailure(message.reason))
      if (message.kind === 'metrics_wanted') {
        const text = await metrics.clusterMetrics().catch(() => undefined)
        send(worker, { kind: 'metrics', id: message.id, text })
      }
    })
    // Sending to a worker that is about to exit may fail.
    worker.on('error', () => undefined)
    worker.once('exit', (code, signal) =>
      reject(new WorkerFailure(`A worker ended (${signal ?? code}) before it was ready.`)),
    )
  })
}

/** Replaces a worker at once, or after a growing pause if workers keep ending soon. */
function createReplacer(report: (message: string) => void) {
  let shortLives = 0
  return ({ process: { pid, exitCode, signalCode } }: Worker, livedMs: number, start: () => unknown): void => {
    shortLives = livedMs < SHORT_LIFE_MS ? shortLives + 1 : 0
    const pauseMs = shortLives === 0 ? 0 : Math.min(PAUSE_MAX_MS, 100 * 2 ** shortLives)
    report(`Worker ${pid} ended (${signalCode ?? exitCode}); a new one starts in ${pauseMs} ms.`)
    setTimeout(start, pauseMs)
  }
}

/** Fails if the port is in use. Workers would silently share it with another program that allows that. */
function findFreePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port }, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

const listWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}

/** Asks every worker to drain and exit; kills those that do not. */
async function stopWorkers(withinMs: number): Promise<void> {
  const all = listWorkers()
  const exits = all.map((worker) => new Promise<void>((resolve) => void worker.once('exit', () => resolve())))
  for (const worker of all) send(worker, { kind: 'stop' })
  const timer = setTimeout(() => {
    for (const worker of all) worker.process.kill('SIGKILL')
  }, withinMs)
  await Promise.all(exits)
  clearTimeout(timer)
}
