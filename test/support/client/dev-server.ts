import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, SeraiError, signInWith } from '../../../packages/client/src/index.ts'
import type { LedgerEntry } from '../../../sandbox/server/ledger.ts'
import { DEMO } from '../../../src/cli/dev.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import { serve } from '../../../src/process/serve.ts'
import { testLocations } from '../app/app.ts'
import { freePort } from '../servers/postgres.ts'

export { DEMO }

const MANY = { quota: 100_000, windowMs: 60_000 }

/** What `npm start` gives a developer: the service with its stand-ins and the demo account, on the machine's own clock. */
export async function devServer(settings: Partial<Config> = {}) {
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
  const running = await serve({ ...config, allowances, ...settings }, { demo: DEMO, locations: testLocations() })
  await running.app.manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)
  await warm(running.url)
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

/** Small, so that it is read quickly. */
export const PLACE = 'Zermatt'

/** Reads the place until every vendor has told all it has there, so that a busy machine fails no test. */
async function warm(baseUrl: string): Promise<void> {
  const client = createClient({ baseUrl, ...signInWith(DEMO, { baseUrl }) })
  const [place] = (await client.locations.search({ starts_with: PLACE, limit: 1 })).data
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const stay = { check_in: day(30), check_out: day(32), occupancies: [{ adults: 2 }], timeout_ms: 15_000 }
  for (let tries = 0; tries < 10; tries += 1) {
    const found = await client.search.create({ destination_id: place?.id ?? '', ...stay }).catch((error: unknown) => {
      if (error instanceof SeraiError && error.retryable) return undefined
      throw error
    })
    if (found?.partial === false) return
  }
  throw new Error(`${PLACE} could not be read`)
}
