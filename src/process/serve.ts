import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import type { App } from '../compose/app.ts'
import type { Overrides } from '../compose/core.ts'
import { type Config, ConfigError, isSandboxInstalled } from '../config.ts'
import { formatHost } from '../lib/net/web-address.ts'
import { openLocations } from '../locations/load-locations.ts'

export type Running = {
  readonly url: string
  readonly app: App
  readonly sandbox: Sandbox | undefined
  stop(): Promise<void>
}

type ServeOptions = {
  /** Lets several processes listen on one port. */
  readonly reusePort?: boolean
  /** Runs before the server listens. */
  prepare?(app: App): Promise<unknown>
}

/** Starts the sandbox if configured and not running yet. The slowest steps, sandbox and locations, run while the app is loaded. */
export async function serve(config: Config, overrides: Overrides = {}, options: ServeOptions = {}): Promise<Running> {
  refuseTestMode(config)
  const isStarted = overrides.vendorEnvironment !== undefined
  const sandbox = config.sandbox && !isStarted ? startSandboxProcess(config) : undefined
  const locations = overrides.locations ?? deferRejection(openLocations())
  const { buildApp } = await import('../compose/app.ts')
  const app = await buildApp(config, { ...(await sandboxOverrides(config, sandbox)), locations, ...overrides })
  const running = await sandbox
  const stop = async () => {
    await app.close()
    await running?.close()
  }
  try {
    await options.prepare?.(app)
    const shared = options.reusePort === true ? { reusePort: true } : {}
    await app.metrics?.listen({ host: config.host, port: config.metrics.port ?? 0, ...shared })
    await app.http.listen({ host: config.host, port: config.port, ...shared })
  } catch (error) {
    await stop()
    throw error
  }
  const address = app.http.server.address()
  const port = typeof address === 'object' ? address?.port : config.port
  return { url: `http://${formatHost(config.host)}:${port}`, app, sandbox: running, stop }
}

/** The secret of test mode is public. */
export function refuseTestMode({ mode }: Config): void {
  if (mode === 'test')
    throw new ConfigError('NODE_ENV=test cannot serve. Set NODE_ENV=production, or development to try it out.')
}

async function sandboxOverrides({ mode }: Config, sandbox: Promise<Sandbox> | undefined): Promise<Overrides> {
  if (sandbox !== undefined) {
    const vendorEnvironment = deferRejection(sandbox.then(standInVariables))
    return { vendorEnvironment, picture: await loadSandboxPictures() }
  }
  // A sandbox that was started by hand refers to the same pictures.
  return mode === 'development' && isSandboxInstalled() ? { picture: await loadSandboxPictures() } : {}
}

/** Environment variables that point vendors and the payment provider to the sandbox. */
export const standInVariables = ({ environment, payments }: Sandbox) => ({ ...environment, ...payments.environment })

/** Pictures are drawn by this process, because the browser cannot reach the sandbox. */
export async function loadSandboxPictures(): Promise<NonNullable<Overrides['picture']>> {
  const { renderPicture: pictureOf } = await import('../../sandbox/pictures/picture-path.ts')
  return (path) => pictureOf(path)?.svg
}

export function startSandboxProcess(config: Config): Promise<Sandbox> {
  return deferRejection(
    openSandbox(config, (code) =>
      console.error(`The sandbox ended unexpectedly (${code}), so searches fail. Restart Serai.`),
    ),
  )
}

/** Imported dynamically, because the production image has no sandbox. */
export async function openSandbox(config: Config, onExit?: (code: number | null) => void): Promise<Sandbox> {
  const { spawnSandbox } = await import('./spawn-sandbox.ts')
  return spawnSandbox({
    dataDir: config.dataDir,
    pictureBase: `${config.publicUrl}/sandbox/pictures`,
    paymentsWebhookUrl: `${config.publicUrl}/api/payments/providers/stripe/notifications`,
    // Rare, but often enough for developers to notice.
    settings: { worseTerms: 0.001 },
    ...(onExit === undefined ? {} : { onExit }),
  })
}

/** For a promise that is awaited later; until then a rejection would end the process as unhandled. */
function deferRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

export const CLOSE_TIMEOUT_MS = 15_000

/** Fails readiness checks first, so that load balancers stop sending requests; then finishes running work and exits. */
export function createStopHandler(running: Running, config: Config): () => Promise<void> {
  let stopping = false
  return async () => {
    if (stopping) return
    stopping = true
    running.app.drain()
    setTimeout(() => process.exit(1), config.drainMs + CLOSE_TIMEOUT_MS).unref()
    await new Promise((resolve) => setTimeout(resolve, config.drainMs))
    await running.stop()
    process.exit(0)
  }
}

/** Exits at once on SIGTERM and SIGINT until a handler is set. In a container, PID 1 ignores signals without a listener. */
export function stopOnSignal() {
  let stop = async (): Promise<void> => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  return {
    setHandler(handler: () => Promise<void>): void {
      stop = handler
    },
  }
}
