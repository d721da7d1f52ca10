import { describe, expect, test } from 'vitest'
import { type FuzzOptions, fuzz, fuzzedApp } from '../../chaos/fuzz/run.ts'
import { openDatabase } from '../../src/store/database.ts'
import { freshDatabase, startPostgres } from '../support/servers/postgres.ts'

/** Others each time; `npm run chaos -- fuzz` sends many more. */
const seed = Number(process.env.SERAI_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Also: whatever was wrong with the requests, nothing of ours broke over it. */
async function expectSound(app: Awaited<ReturnType<typeof fuzzedApp>>, options: Omit<FuzzOptions, 'seed'>) {
  try {
    const started = performance.now()
    const seen = await fuzz(app, { seed, ...options })
    const total = Object.values(seen).reduce((sum, count) => sum + count, 0)
    const seconds = Math.round((performance.now() - started) / 1_000)
    console.log(`fuzz, seed ${seed}: ${total} requests in ${seconds} s, by status ${JSON.stringify(seen)}`)
    expect(app.logged.filter((line) => line.includes('unexpected'))).toEqual([])
    return { seen, total }
  } finally {
    await app.close()
  }
}

describe('requests made from our own document, right and wrong', () => {
  test('1,000 of them: never a 5xx, always an answer that the document promises, never a second', async () => {
    const { seen, total } = await expectSound(await fuzzedApp(), { runs: 1_000, millis: 60_000 })
    // On a machine too busy to get through all of them, half is still a proof.
    expect(total).toBeGreaterThanOrEqual(500)
    // Few of them make something (201): by chance, none may.
    for (const status of ['200', '400', '401', '404', '422']) expect(seen[status]).toBeGreaterThan(0)
  })

  test('300 of them on PostgreSQL, which is pickier than SQLite', async () => {
    const postgres = await startPostgres()
    try {
      const database = openDatabase({ kind: 'postgres', url: await freshDatabase(postgres, 'fuzz') })
      const { total } = await expectSound(await fuzzedApp({ database }), { runs: 300, millis: 60_000 })
      expect(total).toBeGreaterThanOrEqual(150)
    } finally {
      await postgres.stop()
    }
  })
})
