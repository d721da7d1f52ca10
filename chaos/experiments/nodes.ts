/** Two nodes on a real PostgreSQL and Redis behind a load balancer: restarts and outages, longer than in the tests. */
import { readArguments, readCount } from '../../scripts/read-arguments.ts'
import { sleep } from '../../test/support/servers/server-process.ts'
import { simulatedTraffic } from '../load/simulated-traffic.ts'
import { startLoad } from '../load/steady-load.ts'

const USAGE = `Usage: node chaos/experiments/nodes.ts [--restarts 20] [--outages 8] [--flaps 5]

Exit code 1 if a request failed that should not, or if the vendors' bookings and ours differ.`

const { values } = readArguments(USAGE, {
  options: {
    restarts: { type: 'string', default: '20' },
    outages: { type: 'string', default: '8' },
    flaps: { type: 'string', default: '5' },
  },
})
const counts = {
  restarts: readCount(USAGE, '--restarts', values.restarts),
  outages: readCount(USAGE, '--outages', values.outages),
  flaps: readCount(USAGE, '--flaps', values.flaps),
}

// Loaded after the arguments are read, so that --help answers at once.
const { fetchToken: signIn } = await import('../crash/api-client.ts')
const { startNodes } = await import('../nodes/nodes.ts')
const { databaseOutages, rollingRestarts } = await import('../nodes/outages.ts')
const problems: string[] = []
const nodes = await startNodes(2)
try {
  if (counts.restarts > 0) await restartNodes()
  if (counts.flaps > 0) await interruptRedis()
  if (counts.outages > 0) await loseDatabase()
} finally {
  await nodes.close()
}
for (const message of problems) console.error(message)
process.exit(problems.length > 0 ? 1 : 0)

async function restartNodes(): Promise<void> {
  const report = await rollingRestarts(nodes, { rounds: counts.restarts, perSecond: 30 })
  const { sent, byStatus, failures, exitCodes } = report
  console.log(`${counts.restarts} rolling restarts:`, { sent, byStatus, p95Ms: report.percentile(0.95), exitCodes })
  problems.push(...failures, ...exitCodes.filter((code) => code !== 0).map((code) => `a node ended with ${code}`))
}

/** Redis is killed, restarted, frozen and resumed. */
async function interruptRedis(): Promise<void> {
  const { url } = nodes.balancer
  const load = startLoad({ url, token: await signIn(url), perSecond: 30, createRequest: simulatedTraffic('flap') })
  for (let times = 0; times < counts.flaps; times += 1) {
    await sleep(2_000)
    await nodes.redis.kill()
    await sleep(2_000)
    await nodes.redis.start()
    await sleep(2_000)
    nodes.redis.freeze()
    await sleep(3_000)
    nodes.redis.resume()
  }
  const { sent, byStatus, failures, percentile } = await load.stop()
  console.log(`Redis lost ${counts.flaps} times:`, { sent, byStatus, p95Ms: percentile(0.95) })
  problems.push(...failures)
}

/** PostgreSQL is killed repeatedly while clients book. */
async function loseDatabase(): Promise<void> {
  const report = await databaseOutages(nodes, { outages: counts.outages, upMs: 5_000, downMs: 2_000, bookers: 12 })
  console.log(`PostgreSQL lost ${counts.outages} times:`, report)
  problems.push(...report.violations)
  for (const ms of report.unreadyAfterMs) if (ms > 2_000) problems.push(`/readyz failed only after ${ms} ms`)
  for (const ms of report.readyAfterMs) if (ms > 10_000) problems.push(`/readyz succeeded only after ${ms} ms`)
  if (report.decided === 0) problems.push('inconclusive: no booking was decided')
}
