import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import type { App } from '../compose/app.ts'
import type { Overrides } from '../compose/core.ts'
import { type Config, ConfigError, isSandboxInstalled } from '../config.ts'
import { inAddress } from '../lib/net/web-address.ts'
import { openLocations } from '../locations/load-locations.ts'

export type Running = {
  readonly url: string
  readonly app: App
  readonly sandbox: Sandbox | undefined
  stop(): Promise<void>
}

type ServeOptions = {
  /** Lets several processes listen on one port; the kernel chooses among them. */
  readonly reusePort?: boolean
  /** Done before anybody can call. */
  prepare?(app: App): Promise<unknown>
}

/**
 * Starts serving, with the vendors' stand-ins where the configuration asks for them and nobody has started them. Port 0 takes any free one. What takes
 * longest is begun first: the stand-ins' process, and unpacking the locations. The application is loaded meanwhile.
 */
export async function serve(config: Config, overrides: Overrides = {}, options: ServeOptions = {}): Promise<Running> {
  refuseTestMode(config)
  const isStarted = overrides.vendorEnvironment !== undefined
  const sandbox = config.sandbox && !isStarted ? startSandbox(config) : undefined
  const locations = overrides.locations ?? awaitedLater(openLocations())
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
  return { url: `http://${inAddress(config.host)}:${port}`, app, sandbox: running, stop }
}

/** Its secret is known to everybody. */
export function refuseTestMode({ mode }: Config): void {
  if (mode === 'test')
    throw new ConfigError('NODE_ENV=test cannot serve. Set NODE_ENV=production, or development to try it out.')
}

async function sandboxOverrides({ mode }: Config, sandbox: Promise<Sandbox> | undefined): Promise<Overrides> {
  if (sandbox !== undefined) {
    const vendorEnvironment = awaitedLater(sandbox.then(({ environment }) => environment))
    return { vendorEnvironment, picture: await sandboxPicture() }
  }
  // Stand-ins that were started by hand refer to the same pictures.
  return mode === 'development' && isSandboxInstalled() ? { picture: await sandboxPicture() } : {}
}

/** Drawn by this process: the browser only knows this server. */
export async function sandboxPicture(): Promise<NonNullable<Overrides['picture']>> {
  const { pictureOf } = await import('../../sandbox/pictures/picture-path.ts')
  return (path) => pictureOf(path)?.svg
}

/** A process of its own: it costs the server's event loop nothing, and it ends with the server. */
export function startSandbox(config: Config): Promise<Sandbox> {
  return awaitedLater(
    openSandbox(config, (code) =>
      console.error(`The sandbox ended by itself (${code}); searches will find no vendor. Start again.`),
    ),
  )
}

/** Loaded here and not above, because the production image has no sandbox. */
export async function openSandbox(config: Config, onExit?: (code: number | null) => void): Promise<Sandbox> {
  const { spawnSandbox } = await import('./spawn-sandbox.ts')
  return spawnSandbox({
    dataDir: config.dataDir,
    pictureBase: `${config.publicUrl}/sandbox/pictures`,
    // Rarely, but so that whoever develops against it meets it.
    settings: { worseTerms: 0.001 },
    ...(onExit === undefined ? {} : { onExit }),
  })
}

/** A promise that is awaited later: until then its failure must not end the process as an unhandled rejection. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

export const CLOSE_TIMEOUT_MS = 15_000

/** Readiness says no first, so that a balancer looks elsewhere; then what is under way is finished; then the process ends. */
export function stopper(running: Running, config: Config): () => Promise<void> {
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

/**
 * Ends the process on SIGTERM and SIGINT: at once while it starts, and then as `by` says. In a container the first process gets no
 * signal that it does not listen for, so it listens from the beginning.
 */
export function stopOnSignal() {
  let stop = async (): Promise<void> => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  return {
    by(orderly: () => Promise<void>): void {
      stop = orderly
    },
  }
}
