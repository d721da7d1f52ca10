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
  const env = { SERAI_RATE_LIMIT_PER_MINUTE: '6000' }
  server = await startServer({ dataDir, port: await freePort(), env })
})
afterAll(async () => {
  await server?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

test('one account at ten times its rate costs the others little, breaks nothing, and holds no memory', async () => {
  const slow = slowClients(server.url, 60)
  const tokens = { quiet: await signIn(server.url), noisy: await signIn(server.url, NOISY) }
  // 6,000 units a minute are ten searches a second; the window lets 600 of them come at once.
  const report = await runOverload(server, tokens, { seconds: 5, noisyPerSecond: 250, quietPerSecond: 16 })
  console.log('overload:', report)
  expect(report.failures).toEqual([])
  expect(report.refused).toBeGreaterThan(0)
  expect(report.quietBookings.failed).toBe(0)
  expect(report.quietBookings.made).toBeGreaterThanOrEqual(5)
  expect(report.p95Ms.during).toBeLessThan(report.p95Ms.before * 1.2 + 250)
  expect(report.grownMb).toBeLessThan(100)
  const { opened, closedAfterMs } = await slow.closed()
  console.log(`${opened} slow connections, all closed after ${closedAfterMs} ms`)
  expect(closedAfterMs).toBeLessThan(13_000)
})
