import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './postgres.ts'
import { startServer } from './server-process.ts'

/**
 * Starts and stops a server while the first tests run, because Node writes its compile cache only on a clean exit.
 * Most servers of these tests are killed, and without the cache each start takes almost twice as long.
 */
export default function fillCompileCache(): () => Promise<void> {
  const filled = startAndStop().catch((error) => console.warn(`The compile cache could not be filled: ${error}`))
  return () => filled
}

async function startAndStop(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-compiled-'))
  try {
    const server = await startServer({ dataDir, port: await freePort(), env: {} })
    await server.stop()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
