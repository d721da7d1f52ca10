import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './postgres.ts'
import { startServer } from './server-process.ts'

/**
 * Starts a server and ends it, while the first tests run: Node keeps what it has compiled only if a process ends by itself, and most
 * servers of these tests are killed. Without it, in a fresh clone, each of their starts would cost almost twice as much.
 */
export default function keepCompiledServer(): () => Promise<void> {
  const kept = startAndEnd().catch((error) => console.warn(`What a server compiles was not kept: ${error}`))
  return () => kept
}

async function startAndEnd(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-compiled-'))
  try {
    const server = await startServer({ dataDir, port: await freePort(), env: {} })
    await server.stop()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
