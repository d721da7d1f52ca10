import { expect, test } from 'vitest'
import { fuzzedApp } from '../../chaos/fuzz/run.ts'
import { expectSound } from '../support/servers/fuzz-app.ts'

// `test/campaigns/fuzz.test.ts` does the same on PostgreSQL.
test('1,000 requests made from our own document, right and wrong: never a 5xx, always an answer that the document promises, never a second', async () => {
  const { seen, total } = await expectSound(await fuzzedApp(), { runs: 1_000, millis: 60_000 })
  // On a machine too busy to get through all of them, half is still a proof.
  expect(total).toBeGreaterThanOrEqual(500)
  // Few of them make something (201): by chance, none may.
  for (const status of ['200', '400', '401', '404', '422']) expect(seen[status]).toBeGreaterThan(0)
})
