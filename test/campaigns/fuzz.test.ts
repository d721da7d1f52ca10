import { expect, test } from 'vitest'
import { startFuzzedApp } from '../../chaos/fuzz/run.ts'
import { openDatabase } from '../../src/store/database.ts'
import { expectNoFuzzFailures } from '../support/servers/fuzz-app.ts'
import { freshDatabase, startPostgres } from '../support/servers/postgres.ts'

test('10,000 valid and invalid requests of a client, an operator and their agents get answers that match their schemas, and a 5xx only if they simulate one', async () => {
  const { total } = await expectNoFuzzFailures(await startFuzzedApp(), { runs: 10_000, millis: 350_000 })
  expect(total).toBeGreaterThanOrEqual(10_000)
}, 400_000)

test('300 such requests cause no other 5xx on PostgreSQL, which is stricter than SQLite', async () => {
  const postgres = await startPostgres()
  try {
    const database = openDatabase({ kind: 'postgres', url: await freshDatabase(postgres, 'fuzz') })
    const { total } = await expectNoFuzzFailures(await startFuzzedApp({ database }), { runs: 300, millis: 60_000 })
    expect(total).toBeGreaterThanOrEqual(150)
  } finally {
    await postgres.stop()
  }
})
