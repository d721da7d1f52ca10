import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerEntry } from '../../../sandbox/server/ledger.ts'
import { DEMO } from '../../../src/cli/dev.ts'
import { readConfig } from '../../../src/config.ts'
import { serve } from '../../../src/process/serve.ts'
import { freePort } from '../servers/postgres.ts'

export { DEMO }

const MANY = { quota: 100_000, windowMs: 60_000 }

/** What `npm start` gives a developer: the service with its stand-ins and the demo account, on the machine's own clock. */
export async function devServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-dev-'))
  const config = readConfig({
    NODE_ENV: 'development',
    PORT: String(await freePort()),
    SERAI_DATA_DIR: dataDir,
    SERAI_LOG_LEVEL: 'silent',
    SERAI_CONTENT_JOB: 'off',
  })
  const allowances = {
    ...config.allowances,
    account: MANY,
    address: MANY,
    signInsPerAddress: MANY,
    signInsPerPair: MANY,
  }
  const running = await serve({ ...config, allowances }, { demo: DEMO })
  await running.app.manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)
  return {
    url: running.url,
    /** Every booking at every stand-in. */
    async ledger(): Promise<LedgerEntry[]> {
      const controls = Object.values(running.sandbox?.control ?? {})
      return (await Promise.all(controls.map((control) => control.ledger()))).flat()
    },
    async close() {
      await running.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
