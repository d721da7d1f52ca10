import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../../sandbox/start-sandbox.ts'
import { spawnSandbox } from '../../../src/process/spawn-sandbox.ts'
import { aPlace } from '../sandbox/places.ts'

export const ROOT = join(import.meta.dirname, '../../..')
/** Takes a few seconds, and many times that on a busy machine. */
const START_TIMEOUT_MS = 90_000
const STOP_TIMEOUT_MS = 20_000

type ServerOptions = {
  readonly dataDir: string
  readonly port: number
  /** Additional variables: vendors, database, limits. */
  readonly env: Readonly<Record<string, string>>
  /** A program and its arguments to run the server under. */
  readonly under?: readonly string[]
}

export type ServerProcess = {
  readonly url: string
  readonly pid: number
  /** Resolves when it listens; rejects with its output if it never does. */
  readonly ready: Promise<void>
  /** Output so far. */
  output(): string
  /** Crashes it: no signal handler, no clean shutdown. */
  kill(): Promise<void>
  /** Stops it gracefully and returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts the real server as a separate process on loopback. It inherits only PATH. */
export function spawnServer({ dataDir, port, env, under = [] }: ServerOptions): ServerProcess {
  const [program = process.execPath, ...args] = [
    ...under,
    process.execPath,
    join(ROOT, 'src', 'cli', 'serai.ts'),
    'serve',
  ]
  const child = spawn(program, args, {
    cwd: ROOT,
    // A wrapper does not forward signals, so they are sent to the whole group.
    detached: under.length > 0,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'development',
      NODE_NO_WARNINGS: '1',
      SERAI_DATA_DIR: dataDir,
      PORT: String(port),
      SERAI_SANDBOX: 'false',
      SERAI_RATE_LIMIT_PER_MINUTE: '10000000',
      // The job would use most of a core for the first minutes.
      SERAI_CONTENT_JOB: 'off',
      ...env,
    },
  })
  const printed: string[] = []
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no server after ${START_TIMEOUT_MS / 1_000} s: ${printed.join('')}`)),
      START_TIMEOUT_MS,
    )
    const onOutput = (chunk: Buffer) => {
      printed.push(chunk.toString())
      if (chunk.includes('listening on')) {
        clearTimeout(timer)
        resolve()
      }
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`the server ended (${code ?? signal}) before it listened: ${printed.join('')}`))
    })
  })
  // A server may be killed while it starts; a caller that awaits `ready` gets the error.
  ready.catch(() => undefined)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    ready,
    output: () => printed.join(''),
    async kill() {
      await endProcess(child, 'SIGKILL', under.length > 0)
    },
    stop: () => endProcess(child, 'SIGTERM', under.length > 0),
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals, group: boolean): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return child.exitCode
  const target = group ? -child.pid : child.pid
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.kill(target, signal)
  const timer = setTimeout(() => process.kill(target, 'SIGKILL'), STOP_TIMEOUT_MS)
  const code = await exit
  clearTimeout(timer)
  return code
}

export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const server = spawnServer(options)
  try {
    await server.ready
  } catch (error) {
    // On a busy machine it may still start later, and would then keep running.
    await server.kill()
    throw error
  }
  return server
}

export type Stage = {
  readonly dataDir: string
  readonly sandbox: Sandbox
  /** Ends the stand-ins and removes every file. */
  close(): Promise<void>
}

/** A folder for one test, and stand-ins in a process that outlives any server. */
export async function openStage(name: string, seed = 1): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), `serai-${name}-`))
  const sandbox = await spawnSandbox({
    dataDir,
    pictureBase: 'http://127.0.0.1:1/sandbox/pictures',
    seed,
  })
  return {
    dataDir,
    sandbox,
    async close() {
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Like `openStage`, with stand-ins of one town in this process. A separate process first builds the whole world. */
export async function openSmallStage(name: string, town = 'Zermatt'): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), `serai-${name}-`))
  const pictureBase = 'http://127.0.0.1:1/sandbox/pictures'
  const sandbox = await startSandbox({ dataDir, pictureBase, places: [aPlace(town)] })
  return {
    dataDir,
    sandbox,
    async close() {
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A folder for one test whose server has no vendors. */
export function openDataFolder(name: string): Pick<Stage, 'dataDir'> & { close(): void } {
  const dataDir = mkdtempSync(join(tmpdir(), `serai-${name}-`))
  return { dataDir, close: () => rmSync(dataDir, { recursive: true, force: true }) }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
