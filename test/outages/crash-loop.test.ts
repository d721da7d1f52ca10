import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCrashLoop } from '../../chaos/crash/loop.ts'
import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import { freshDatabase, type Postgres, startPostgres } from '../support/servers/postgres.ts'

const seed = Number(process.env.SERAI_CHAOS_SEED ?? Math.floor(Math.random() * 1e9))
/** Starting servers is slow on a busy machine. */
const TIMEOUT_MS = 300_000
/** `npm run chaos -- crash-loop` runs longer. All cycles are run, however slow the machine is. */
const LOOP = { seed, cycles: 5, millis: TIMEOUT_MS }

async function expectNothingBroken(databaseUrl?: string): Promise<void> {
  const { violations, ...figures } = await runCrashLoop({
    ...LOOP,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  })
  console.log(`crash loop, seed ${seed}: ${JSON.stringify(figures)}`)
  expect(violations).toEqual([])
  // Guards against a loop without bookings.
  expect(figures.cycles).toBeGreaterThanOrEqual(5)
  expect(figures.bookings).toBeGreaterThanOrEqual(10)
  expect(figures.byState.confirmed).toBeGreaterThan(0)
  expect(Object.keys(figures.byVendor).sort()).toEqual([...STAND_IN_IDS].sort())
  expect(figures.seen.broken).toBeGreaterThan(0)
}

// Both at once, because each mostly waits for a server to start or for the next attempt.
describe.concurrent('a server that is killed repeatedly', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  test(
    'a server on SQLite killed while booking neither duplicates nor loses nor invents bookings',
    () => expectNothingBroken(),
    TIMEOUT_MS,
  )

  test(
    'a server on PostgreSQL killed while booking neither duplicates nor loses nor invents bookings',
    async () => expectNothingBroken(await freshDatabase(postgres, 'crash')),
    TIMEOUT_MS,
  )

  test(
    'a server on PostgreSQL killed while guests pay by card charges each booking once, and no other',
    async () => {
      const databaseUrl = await freshDatabase(postgres, 'crash_cards')
      const { violations, ...figures } = await runCrashLoop({ ...LOOP, cards: true, databaseUrl })
      console.log(`crash loop with payments, seed ${seed}: ${JSON.stringify(figures)}`)
      expect(violations).toEqual([])
      expect(figures.cycles).toBeGreaterThanOrEqual(5)
      expect(figures.byPayment['confirmed/captured']).toBeGreaterThan(0)
      // Crashes interrupted bookings or the payments before them.
      expect((figures.seen.broken ?? 0) + (figures.seen['pay broken'] ?? 0)).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})
