import type { AddressInfo } from 'node:net'
import type { App, Overrides } from './app.ts'
import type { Config } from './config.ts'
import { LOCATIONS_FILE, openLocations } from './locations/load-locations.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { spawnSandbox } from './sandbox/spawn-sandbox.ts'

export type Running = {
  readonly url: string
  readonly app: App
  readonly sandbox: Sandbox | undefined
  stop(): Promise<void>
}

export type ServeOptions = {
  /** Lets several processes listen on one port; the kernel chooses among them. */
  readonly reusePort?: boolean
  /** Done before anybody can call. */
  prepare?(app: App): Promise<unknown>
}

/**
 * Starts serving, with the vendors' stand-ins beside it where the configuration asks for them. Port 0 takes any free one.
 * What takes longest and needs nobody is begun first: the stand-ins' process, and unpacking the places. The many files
 * of the application are read meanwhile.
 */
export async function serve(config: Config, overrides: Overrides = {}, options: ServeOptions = {}): Promise<Running> {
  const sandbox = config.sandbox ? startSandbox(config) : undefined
  const locations = overrides.locations ?? heardLater(openLocations(LOCATIONS_FILE))
  const { buildApp } = await import('./app.ts')
  const app = await buildApp(config, { ...(await sandboxOverrides(sandbox)), locations, ...overrides })
  const running = await sandbox
  const stop = async () => {
    await app.close()
    await running?.close()
  }
  try {
    await options.prepare?.(app)
    await app.http.listen({
      host: config.host,
      port: config.port,
      ...(options.reusePort === true ? { reusePort: true } : {}),
    })
  } catch (error) {
    await stop()
    throw error
  }
  const { port } = app.http.server.address() as AddressInfo
  return { url: `http://${config.host}:${port}`, app, sandbox: running, stop }
}

async function sandboxOverrides(sandbox: Promise<Sandbox> | undefined): Promise<Overrides> {
  if (sandbox === undefined) return {}
  return {
    vendorEnvironment: heardLater(sandbox.then(({ environment }) => environment)),
    picture: await sandboxPicture(),
  }
}

/** Drawn here, for the browser only knows this server. */
export async function sandboxPicture(): Promise<NonNullable<Overrides['picture']>> {
  const { pictureOf } = await import('./sandbox/pictures/picture-path.ts')
  return (path) => pictureOf(path)?.svg
}

/** A process of its own: it costs the server's event loop nothing, and it goes when we go. */
export function startSandbox(config: Config): Promise<Sandbox> {
  return heardLater(
    spawnSandbox({
      locationsFile: LOCATIONS_FILE,
      dataDir: config.dataDir,
      pictureBase: `${config.publicUrl}/sandbox/pictures`,
      onExit: (code) =>
        console.error(`The sandbox ended by itself (${code}); searches will find no vendor. Start again.`),
    }),
  )
}

/** Whoever waits for it hears of a failure; until then it must not count as unheard. */
function heardLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

export const CLOSE_TIMEOUT_MS = 15_000

/** Readiness first, so that a balancer looks elsewhere; then what is under way is finished; then the end. */
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

export function onSignal(stop: () => Promise<void>): void {
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}
