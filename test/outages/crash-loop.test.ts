import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCrashLoop } from '../../chaos/crash/loop.ts'
import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import { freshDatabase, type Postgres, startPostgres } from '../support/servers/postgres.ts'

const seed = Number(process.env.SERAI_CHAOS_SEED ?? Math.floor(Math.random() * 1e9))
/** A machine busy with other things takes its time to start servers. */
const TIMEOUT_MS = 300_000
/** `npm run chaos -- crash-loop` goes on for longer. */
const LOOP = { seed, cycles: 5, millis: 120_000 }

async function expectNothingBroken(databaseUrl?: string): Promise<void> {
  const { violations, ...figures } = await runCrashLoop({
    ...LOOP,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  })
  console.log(`crash loop, seed ${seed}: ${JSON.stringify(figures)}`)
  expect(violations).toEqual([])
  // A loop in which hardly anything happened proves nothing.
  expect(figures.cycles).toBeGreaterThanOrEqual(5)
  expect(figures.bookings).toBeGreaterThanOrEqual(10)
  expect(figures.byState.confirmed).toBeGreaterThan(0)
  expect(Object.keys(figures.byVendor).sort()).toEqual([...STAND_IN_IDS].sort())
  expect(figures.seen.broken).toBeGreaterThan(0)
}

// Both at once: each waits most of the time, for a server to start or for a vendor to be asked again.
describe.concurrent('a server killed again and again while it books', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  test('doubles, loses and invents nothing on SQLite', () => expectNothingBroken(), TIMEOUT_MS)

  test(
    'doubles, loses and invents nothing on PostgreSQL',
    async () => expectNothingBroken(await freshDatabase(postgres, 'crash')),
    TIMEOUT_MS,
  )
})
