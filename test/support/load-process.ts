/** A crowd in a process of its own: sends what it is told to, and answers with what it saw. See load-crowd.ts. */
import type { CrowdOrder, CrowdReport } from './load-crowd.ts'
import { sleep } from './server-process.ts'
import { realTraffic, simulatedSearches, simulatedTraffic } from './simulated-traffic.ts'
import { startLoad } from './steady-load.ts'

const trafficOf = ({ kind, name, destinationId = '', vendors }: CrowdOrder) =>
  kind === 'real'
    ? realTraffic(name, destinationId, vendors)
    : kind === 'simulated'
      ? simulatedTraffic(name)
      : simulatedSearches(name)

process.on('message', async (order: CrowdOrder) => {
  const { url, tokens, perSecond, seconds } = order
  const loads = tokens.map((token, at) =>
    startLoad({ url, token, perSecond, requestOf: trafficOf({ ...order, name: `${order.name}-${at}` }) }),
  )
  await sleep(seconds * 1_000)
  const reports = await Promise.all(loads.map((load) => load.stop()))
  const byStatus: Record<string, number> = {}
  for (const report of reports) {
    for (const [status, count] of Object.entries(report.byStatus)) byStatus[status] = (byStatus[status] ?? 0) + count
  }
  const report: CrowdReport = {
    sent: reports.reduce((sum, { sent }) => sum + sent, 0),
    byStatus,
    failures: reports.flatMap(({ failures }) => failures),
    times: reports.flatMap(({ times }) => times),
  }
  process.send?.(report)
})
process.on('disconnect', () => process.exit(0))
