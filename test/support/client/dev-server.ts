import { createClient, SeraiError, signInWith } from '../../../packages/client/src/index.ts'
import type { LedgerEntry } from '../../../sandbox/server/ledger.ts'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import { DEMO } from '../../../src/cli/commands/dev.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import { serve } from '../../../src/process/serve.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { testLocations } from '../app/app.ts'
import { aPlace } from '../sandbox/places.ts'
import { freePort } from '../servers/postgres.ts'
import { sharedThreads } from '../vendors/shared-threads.ts'

export { DEMO }

const MANY = { quota: 100_000, windowMs: 60_000 }

/** A small town, so that its content is read quickly. */
export const PLACE = 'Zermatt'

/** Places that recipes and commands search without simulation. */
const PLACES = [PLACE, 'Paris', 'Nice', 'Barcelona']

/**
 * The service as `npm start` runs it, with stand-ins and the demo account, on the system clock.
 * Everything is in this process and in memory; `test/process/readme.test.ts` starts the real one.
 */
export async function devServer(settings: Partial<Config> = {}) {
  const config = readConfig({
    NODE_ENV: 'development',
    PORT: String(await freePort()),
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
  const sandbox = await startSandbox({
    places: PLACES.map(aPlace),
    pictureBase: `${config.publicUrl}/sandbox/pictures`,
  })
  const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  const running = await serve(
    { ...config, allowances, ...settings },
    {
      demo: DEMO,
      database,
      locations: testLocations(),
      readingThreads: sharedThreads,
      vendorEnvironment: Promise.resolve(sandbox.environment),
    },
  )
  await running.app.manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)
  await warm(running.url)
  return {
    url: running.url,
    /** Every booking at every stand-in. */
    async ledger(): Promise<LedgerEntry[]> {
      return (await Promise.all(Object.values(sandbox.control).map((control) => control.ledger()))).flat()
    },
    async close() {
      await running.stop()
      await sandbox.close()
      await database.close()
    },
  }
}

/** Searches the place until all vendors have sent its content, so that tests also pass on a busy machine. */
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
