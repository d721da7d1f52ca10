import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccounts, signIn, TRAVELLER } from '../support/crash-traveller.ts'
import { runOverload, slowClients } from '../support/overload.ts'
import { freePort } from '../support/postgres.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const NOISY = { email: 'noisy@example.com', name: 'Noa Isy', password: 'a very noisy password' }
const dataDir = mkdtempSync(join(tmpdir(), 'serai-overload-'))
let server: ServerProcess

beforeAll(async () => {
  await addAccounts({ SERAI_DATA_DIR: dataDir }, [TRAVELLER, NOISY])
  const env = { SERAI_RATE_LIMIT_PER_MINUTE: '1800' }
  server = await startServer({ dataDir, port: await freePort(), env })
})
afterAll(async () => {
  await server?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

test('one account far over its rate costs the others little, breaks nothing, and holds no memory', async () => {
  const slow = slowClients(server.url, 60)
  const tokens = { quiet: await signIn(server.url), noisy: await signIn(server.url, NOISY) }
  // 1,800 units a minute are three searches a second; sixty a second are twenty times that.
  const report = await runOverload(server, tokens, { seconds: 5, noisyPerSecond: 60, quietPerSecond: 12 })
  console.log('overload:', report)
  expect(report.failures).toEqual([])
  expect(report.refused).toBeGreaterThan(0)
  expect(report.quietBookings.failed).toBe(0)
  expect(report.quietBookings.made).toBeGreaterThanOrEqual(5)
  // Wide, because the machine that runs this has other things to do; scripts/chaos/overload.ts prints the real figures.
  expect(report.p95Ms.during).toBeLessThan(report.p95Ms.before * 1.2 + 1_000)
  expect(report.grownMb).toBeLessThan(100)
  const { opened, closedAfterMs } = await slow.closed()
  console.log(`${opened} slow connections, all closed after ${closedAfterMs} ms`)
  expect(closedAfterMs).toBeLessThan(15_000)
})
