import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Server = { readonly url: string; readonly pid: number; readonly readyMs: number; close(): Promise<void> }

/** As scripts/run.mjs and the image start it. */
const MEMORY = '--max-semi-space-size=16'

/** Serai as anybody starts it, in a process of its own with its sandbox, on an empty data directory. */
export async function startSerai(env: Record<string, string> = {}): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const port = await freePort()
  const server = await startProcess([MEMORY, join(import.meta.dirname, '../../src/cli/serai.ts'), 'dev'], port, {
    MALLOC_ARENA_MAX: '2',
    PORT: String(port),
    SERAI_DATA_DIR: dataDir,
    SERAI_LOG_LEVEL: 'silent',
    SERAI_RATE_LIMIT_PER_MINUTE: '1000000000',
    // For the first minutes after a first start it would take most of a core.
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

/** A route that answers a constant: what the framework, or Node itself, can do at best. */
export async function startConstant(kind: 'fastify' | 'http', bodyFile: string): Promise<Server> {
  const port = await freePort()
  return startProcess([join(import.meta.dirname, 'constant-server.ts'), kind, String(port), bodyFile], port, {})
}

async function startProcess(args: string[], port: number, env: Record<string, string>): Promise<Server> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/readyz`, child)
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

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    try {
      const answer = await fetch(url)
      await answer.arrayBuffer()
      if (answer.ok) return
    } catch {
      // Not listening yet.
    }
    await new Promise((later) => setTimeout(later, 20))
  }
  throw new Error('the server did not come up within 30 s')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
