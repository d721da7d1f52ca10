import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { remoteControls } from '../../sandbox/server/remote-control.ts'
import type { SomeSettings } from '../../sandbox/server/settings.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'

type SpawnOptions = {
  readonly dataDir?: string
  readonly pictureBase: string
  readonly seed?: number
  /** What the stand-ins do more or less often than by default. */
  readonly settings?: SomeSettings
  /** Called when the process ends without having been closed. */
  onExit?(code: number | null): void
}

/** What the process reports when it is ready, or why it failed. */
export type SandboxMessage = Pick<Sandbox, 'environment' | 'origins'> | { readonly failure: string }

export type SpawnedSandbox = Sandbox & { readonly pid: number | undefined }

const PROGRAM = join(import.meta.dirname, 'sandbox-process.ts')
/** It takes about a second; a machine that is very busy may need more. */
const START_TIMEOUT_MS = 20_000
const CLOSE_TIMEOUT_MS = 3_000

/**
 * Starts the sandbox as its own process: it does not slow down the server's event loop, and it ends with the process
 * that started it, even when that one is killed.
 */
export async function spawnSandbox(options: SpawnOptions): Promise<SpawnedSandbox> {
  const child = spawn(process.execPath, [PROGRAM, ...argumentsOf(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { environment, origins } = await ready(child)
  let closing = false
  child.once('exit', (code) => {
    if (!closing) options.onExit?.(code)
  })
  // The sandbox does not keep its parent process running.
  child.unref()
  child.channel?.unref()
  return {
    pid: child.pid,
    environment,
    origins,
    control: remoteControls(origins),
    close() {
      closing = true
      return ended(child)
    },
  }
}

function argumentsOf({ dataDir, pictureBase, seed, settings }: SpawnOptions): string[] {
  return [
    `--picture-base=${pictureBase}`,
    ...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]),
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(settings === undefined ? [] : [`--settings=${JSON.stringify(settings)}`]),
  ]
}

async function ready(child: ChildProcess): Promise<Pick<Sandbox, 'environment' | 'origins'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<Sandbox, 'environment' | 'origins'>>()
  const fail = (why: string) => reject(new Error(`The sandbox did not start: ${why}`))
  const timer = setTimeout(() => fail(`no answer after ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS)
  child.once('error', (error) => fail(error.message))
  child.once('exit', (code) => fail(`it ended with ${code}`))
  child.once('message', (message: SandboxMessage) => ('failure' in message ? fail(message.failure) : resolve(message)))
  try {
    return await promise
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS)
  child.ref()
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(timer)
}
