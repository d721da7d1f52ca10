import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OverloadReport, runOverload } from '../../chaos/load/overload.ts'
import { type OverloadStage, openOverload } from '../../chaos/load/overload-stage.ts'
import { openSlowClients } from '../../chaos/load/slow-clients.ts'

/** Random variation within a few seconds; `npm run chaos -- overload` measures longer. */
const VARIATION_MS = 100
/** On a busy machine only a collapse can be measured. */
const slackMs = ({ starvedShare }: OverloadReport) => (starvedShare.flooded > 0.03 ? 1_000 : VARIATION_MS)
const CLOSED_MAX_MS = 15_000

let stage: OverloadStage
beforeAll(async () => {
  // 6,000 units a minute are ten searches a second.
  stage = await openOverload({ SERAI_RATE_LIMIT_PER_MINUTE: '6000' })
})
afterAll(() => stage?.close())

test('an account at ten times its rate barely slows down the others, and slow connections are closed', async () => {
  const slow = openSlowClients(stage.server.url, 60)
  const { tokens } = stage
  const report = await runOverload({
    ...stage,
    others: { tokens: tokens.others, perSecond: 3, kind: 'simulated' },
    flood: { tokens: [tokens.flood], perSecond: 100, kind: 'simulated_searches' },
    rounds: 2,
    seconds: 3,
  })
  console.log('overload:', report)
  expect(report.failures).toEqual([])
  expect(report.flood['429'] ?? 0).toBeGreaterThan(0)
  expect(Object.keys(report.others).sort()).toEqual(['200', '201'])
  expect(report.inService.requests).toBeGreaterThan(40)
  expect(report.inService.flooded).toBeLessThan(report.inService.quiet * 1.2 + slackMs(report))
  expect(report.bookingsInService.requests).toBeGreaterThan(3)
  expect(report.bookingsInService.flooded).toBeLessThan(report.bookingsInService.quiet * 1.2 + slackMs(report))
  // CPU time does not depend on the load of the machine: most of the event loop is left to the others.
  expect(report.loopShare.flooded - report.loopShare.quiet).toBeLessThan(0.4)
  expect(report.residentMb.after - report.residentMb.before).toBeLessThan(100)
  const { opened, closedAfterMs } = await slow.closed()
  console.log(`${opened} slow connections, all closed after ${closedAfterMs} ms`)
  expect(closedAfterMs).toBeLessThan(CLOSED_MAX_MS)
})
