import { expect, test } from 'vitest'
import { startFuzzedApp } from '../../chaos/fuzz/run.ts'
import { expectNoFuzzFailures } from '../support/servers/fuzz-app.ts'

// `test/campaigns/fuzz.test.ts` sends more, also on PostgreSQL.
test('500 generated requests of a client, an operator and their agents get documented answers in under a second, and a 5xx only if they simulate one', async () => {
  const { seen, total } = await expectNoFuzzFailures(await startFuzzedApp(), { runs: 500, millis: 60_000 })
  // A busy machine may not get through all of them.
  expect(total).toBeGreaterThanOrEqual(250)
  // A 201 is so rare that a run may have none.
  for (const status of ['200', '400', '401', '404', '422']) expect(seen[status]).toBeGreaterThan(0)
})
