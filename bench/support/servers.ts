import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Server = { readonly url: string; readonly pid: number; readonly readyMs: number; close(): Promise<void> }

/** As in scripts/run.mjs and the image. */
const MEMORY = '--max-semi-space-size=16'

/** Serai with its defaults, in a separate process with its sandbox, on an empty data directory. */
export async function startSerai(env: Record<string, string> = {}): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const server = await startProcess([MEMORY, join(import.meta.dirname, '../../src/cli/serai.ts'), 'dev'], {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '262144',
    MALLOC_TRIM_THRESHOLD_: '262144',
    PORT: '0',
    SERAI_DATA_DIR: dataDir,
    SERAI_LOG_LEVEL: 'silent',
    SERAI_RATE_LIMIT_PER_MINUTE: '1000000000',
    // It would use most of a core in the first minutes after a first start.
    SERAI_CONTENT_JOB: 'off',
    ...env,
  })
  return {
    ...server,
    async close() {
      await server.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A server with constant responses: the best that the framework, or Node itself, can do. */
export function startConstant(kind: 'fastify' | 'http', bodyFile: string): Promise<Server> {
  return startProcess([join(import.meta.dirname, 'constant-server.ts'), kind, bodyFile], {})
}

/** The process listens on a port chosen by the system and prints its address. */
async function startProcess(args: string[], env: Record<string, string>): Promise<Server> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await readAddress(child)
  await waitUntilReady(`${url}/readyz`, child)
  return {
    url,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 5_000).unref()
      }),
  }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`)
    try {
      const answer = await fetch(url)
      await answer.arrayBuffer()
      if (answer.ok) return
    } catch {
      // Not listening yet.
    }
    await new Promise((later) => setTimeout(later, 20))
  }
  throw new Error('the server was not ready within 30 s')
}

/** The first address that the process prints. */
function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const [address] = /http:\/\/127\.0\.0\.1:\d+(?=\s|\/)/.exec(printed) ?? []
      if (address !== undefined) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the server exited with ${code}`)))
  })
}
