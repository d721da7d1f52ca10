/**
 * One account at ten times its rate beside a quiet one, and many slow connections: `node scripts/chaos/overload.ts
 * [--seconds 30]`. Prints what the quiet one waited before and meanwhile. Exit code 1 when anything answered 5xx, a quiet
 * request failed, slow connections stayed, or memory grew by more than 150 MB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addAccounts, signIn, TRAVELLER } from '../../test/support/crash-traveller.ts'
import { runOverload, slowClients } from '../../test/support/overload.ts'
import { freePort } from '../../test/support/postgres.ts'
import { startServer } from '../../test/support/server-process.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
const NOISY = { email: 'noisy@example.com', name: 'Noa Isy', password: 'a very noisy password' }
const GROWN_MAX_MB = 150
const CLOSED_MAX_MS = 15_000

const dataDir = mkdtempSync(join(tmpdir(), 'serai-overload-'))
await addAccounts({ SERAI_DATA_DIR: dataDir }, [TRAVELLER, NOISY])
// 1,200 units a minute are two searches a second.
const env = { SERAI_RATE_LIMIT_PER_MINUTE: '1200' }
const quietPerSecond = 2
const server = await startServer({ dataDir, port: await freePort(), env })
try {
  const slow = slowClients(server.url, 300)
  const tokens = { quiet: await signIn(server.url), noisy: await signIn(server.url, NOISY) }
  const report = await runOverload(server, tokens, {
    seconds: Number(values.seconds),
    noisyPerSecond: 20,
    quietPerSecond,
  })
  const connections = await slow.closed()
  console.log({ ...report, connections })
  const broken =
    report.failures.length > 0 ||
    report.quietBookings.failed > 0 ||
    report.grownMb > GROWN_MAX_MB ||
    connections.closedAfterMs > CLOSED_MAX_MS
  process.exitCode = broken ? 1 : 0
} finally {
  await server.kill()
  rmSync(dataDir, { recursive: true, force: true })
}
