import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { remoteControls } from '../../sandbox/server/remote-control.ts'
import type { PartialSettings } from '../../sandbox/server/settings.ts'
import type { Sandbox, SandboxPayments } from '../../sandbox/start-sandbox.ts'
import { remoteStripeControl } from '../../sandbox/stripe/stripe-control.ts'

type SpawnOptions = {
  readonly dataDir?: string
  readonly pictureBase: string
  readonly seed?: number
  readonly settings?: PartialSettings
  readonly paymentsWebhookUrl?: string
  /** Called if the process ends unexpectedly. */
  onExit?(code: number | null): void
}

/** Sent when the process is ready or has failed. */
export type SandboxMessage = Ready | { readonly failure: string }
type Ready = Pick<Sandbox, 'environment' | 'origins'> & {
  readonly payments: Pick<SandboxPayments, 'origin' | 'environment'>
}

export type SpawnedSandbox = Sandbox & { readonly pid: number | undefined }

const PROGRAM = join(import.meta.dirname, 'sandbox-process.ts')
/** Usually takes a second. */
const START_TIMEOUT_MS = 20_000
const CLOSE_TIMEOUT_MS = 3_000

/** A separate process does not slow down the server's event loop. It ends with its parent, even if the parent is killed. */
export async function spawnSandbox(options: SpawnOptions): Promise<SpawnedSandbox> {
  const child = spawn(process.execPath, [PROGRAM, ...formatArguments(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { environment, origins, payments } = await waitUntilReady(child)
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
    payments: { ...payments, control: remoteStripeControl(payments.origin) },
    close() {
      closing = true
      return stop(child)
    },
  }
}

function formatArguments({ dataDir, pictureBase, seed, settings, paymentsWebhookUrl }: SpawnOptions): string[] {
  return [
    `--picture-base=${pictureBase}`,
    ...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]),
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(settings === undefined ? [] : [`--settings=${JSON.stringify(settings)}`]),
    ...(paymentsWebhookUrl === undefined ? [] : [`--payments-webhook=${paymentsWebhookUrl}`]),
  ]
}

async function waitUntilReady(child: ChildProcess): Promise<Ready> {
  const { promise, resolve, reject } = Promise.withResolvers<Ready>()
  const fail = (reason: string) => reject(new Error(`The sandbox did not start: ${reason}`))
  const timer = setTimeout(() => fail(`no response after ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS)
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS)
  child.ref()
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(timer)
}
