/** Process of a load generator: sends the ordered load and returns a report. */

import { sleep } from '../../test/support/servers/server-process.ts'
import type { GeneratorReport, LoadOrder } from './load-generator.ts'
import { realTraffic, simulatedSearches, simulatedTraffic } from './simulated-traffic.ts'
import { startLoad } from './steady-load.ts'

const createTraffic = ({ kind, name, destinationId = '', vendors }: LoadOrder) =>
  kind === 'real'
    ? realTraffic(name, destinationId, vendors)
    : kind === 'simulated'
      ? simulatedTraffic(name)
      : simulatedSearches(name)

process.on('message', async (order: LoadOrder) => {
  const { url, tokens, perSecond, seconds } = order
  // Floods are answered with 429; other refusals are visible by status.
  const loads = tokens.map((token, index) =>
    startLoad({
      url,
      token,
      perSecond,
      createRequest: createTraffic({ ...order, name: `${order.name}-${index}` }),
      failsFrom: 500,
    }),
  )
  await sleep(seconds * 1_000)
  const reports = await Promise.all(loads.map((load) => load.stop()))
  const byStatus: Record<string, number> = {}
  for (const report of reports) {
    for (const [status, count] of Object.entries(report.byStatus)) byStatus[status] = (byStatus[status] ?? 0) + count
  }
  const report: GeneratorReport = {
    sent: reports.reduce((sum, { sent }) => sum + sent, 0),
    byStatus,
    failures: reports.flatMap(({ failures }) => failures),
    times: reports.flatMap(({ times }) => times),
  }
  process.send?.(report)
})
process.on('disconnect', () => process.exit(0))
