import type { AddressInfo } from 'node:net'
import { type App, buildApp, LOCATIONS_FILE, type Overrides } from './app.ts'
import type { Config } from './config.ts'
import { pictureOf } from './sandbox/pictures/picture-path.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { spawnSandbox } from './sandbox/spawn-sandbox.ts'

export type Running = {
  readonly url: string
  readonly app: App
  readonly sandbox: Sandbox | undefined
  stop(): Promise<void>
}

/** `reusePort` lets several processes listen on one port; the kernel chooses among them. */
export type SocketOptions = { readonly reusePort?: boolean }

/** Starts serving, with the vendors' stand-ins beside it where the configuration asks for them. Port 0 takes any free one. */
export async function serve(config: Config, overrides: Overrides = {}, socket: SocketOptions = {}): Promise<Running> {
  const sandbox = config.sandbox ? startSandbox(config) : undefined
  const app = await buildApp(config, {
    ...(sandbox === undefined
      ? {}
      : { vendorEnvironment: sandbox.then(({ environment }) => environment), picture: sandboxPicture }),
    ...overrides,
  })
  const running = await sandbox
  const stop = async () => {
    await app.close()
    await running?.close()
  }
  try {
    await app.http.listen({ host: config.host, port: config.port, ...socket })
  } catch (error) {
    await stop()
    throw error
  }
  const { port } = app.http.server.address() as AddressInfo
  return { url: `http://${config.host}:${port}`, app, sandbox: running, stop }
}

export const sandboxPicture = (path: string): string | undefined => pictureOf(path)?.svg

/** A process of its own: it costs the server's event loop nothing, and it goes when we go. */
export function startSandbox(config: Config): Promise<Sandbox> {
  const started = spawnSandbox({
    locationsFile: LOCATIONS_FILE,
    dataDir: config.dataDir,
    pictureBase: `${config.publicUrl}/sandbox/pictures`,
    onExit: (code) =>
      console.error(`The sandbox ended by itself (${code}); searches will find no vendor. Start again.`),
  })
  // Whoever waits for it hears of a failure; until then it must not count as unheard.
  started.catch(() => undefined)
  return started
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
