import type { AddressInfo } from 'node:net'
import { type App, buildApp } from './app.ts'
import type { Config } from './config.ts'

export type Running = { readonly url: string; readonly app: App; stop(): Promise<void> }

/** Starts serving. Port 0 takes any free one. */
export async function serve(config: Config): Promise<Running> {
  const app = await buildApp(config)
  try {
    await app.http.listen({ host: config.host, port: config.port })
  } catch (error) {
    await app.close()
    throw error
  }
  const { port } = app.http.server.address() as AddressInfo
  return { url: `http://${config.host}:${port}`, app, stop: () => app.close() }
}

const CLOSE_TIMEOUT_MS = 15_000

/** Readiness first, so that a balancer looks elsewhere; then what is under way is finished; then the end. */
export function stopOnSignal(running: Running, config: Config): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    running.app.drain()
    setTimeout(() => process.exit(1), config.drainMs + CLOSE_TIMEOUT_MS).unref()
    await new Promise((resolve) => setTimeout(resolve, config.drainMs))
    await running.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}
