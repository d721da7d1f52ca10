import { expect, test } from 'vitest'
import { fuzzedApp } from '../../chaos/fuzz/run.ts'
import { openDatabase } from '../../src/store/database.ts'
import { expectSound } from '../support/servers/fuzz-app.ts'
import { freshDatabase, startPostgres } from '../support/servers/postgres.ts'

test('300 requests made from our own document, right and wrong, on PostgreSQL, which is pickier than SQLite', async () => {
  const postgres = await startPostgres()
  try {
    const database = openDatabase({ kind: 'postgres', url: await freshDatabase(postgres, 'fuzz') })
    const { total } = await expectSound(await fuzzedApp({ database }), { runs: 300, millis: 60_000 })
    expect(total).toBeGreaterThanOrEqual(150)
  } finally {
    await postgres.stop()
  }
})
