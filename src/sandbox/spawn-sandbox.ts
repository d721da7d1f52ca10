import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { remoteControl } from './remote-control.ts'
import type { Sandbox } from './sandbox.ts'

export type SpawnOptions = {
  /** The location file, from which the world takes its towns. */
  readonly locationsFile: string
  readonly dataDir?: string
  readonly pictureBase: string
  readonly seed?: number
  /** Told when the process ends without having been closed. */
  onExit?(code: number | null): void
}

/** What the process says once it can be asked, or why it never will be. */
export type SandboxMessage = Pick<Sandbox, 'environment' | 'origins'> | { readonly failure: string }

export type SpawnedSandbox = Sandbox & { readonly pid: number | undefined }

const PROGRAM = join(import.meta.dirname, '..', 'sandbox-process.ts')
/** It takes about a second; a machine that is very busy may need more. */
const START_TIMEOUT_MS = 20_000
const CLOSE_TIMEOUT_MS = 3_000

/**
 * The sandbox in a process of its own: it takes nothing from the server's event loop, it survives a restart of
 * whatever it serves, and it ends with the process that started it, however that one ends.
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
  // Nobody should have to wait for the sandbox in order to end.
  child.unref()
  child.channel?.unref()
  return {
    pid: child.pid,
    environment,
    origins,
    control: { expedia_rapid: remoteControl(origins.expedia_rapid), hotelbeds: remoteControl(origins.hotelbeds) },
    close() {
      closing = true
      return ended(child)
    },
  }
}

function argumentsOf({ locationsFile, dataDir, pictureBase, seed }: SpawnOptions): string[] {
  return [
    `--locations=${locationsFile}`,
    `--picture-base=${pictureBase}`,
    ...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]),
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
  ]
}

function ready(child: ChildProcess): Promise<Pick<Sandbox, 'environment' | 'origins'>> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      stop()
      child.kill('SIGKILL')
      reject(new Error(`The sandbox did not start: ${why}`))
    }
    const timer = setTimeout(() => fail(`no sign of it after ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS)
    const onMessage = (message: SandboxMessage) => {
      if ('failure' in message) return fail(message.failure)
      stop()
      resolve(message)
    }
    const onError = (error: Error) => fail(error.message)
    const onExit = (code: number | null) => fail(`it ended with ${code}`)
    const stop = () => {
      clearTimeout(timer)
      child.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    child.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
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
