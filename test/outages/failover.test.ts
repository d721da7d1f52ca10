import { expect, test } from 'vitest'
import { failOverSynchronously, failOverWithLag } from '../../chaos/failover/scenarios.ts'
import { hasPgBouncer } from '../support/servers/pgbouncer.ts'

/** Two short scenarios of `npm run chaos -- failover`. */
const canRun = hasPgBouncer || process.env.CI === 'true'
if (!canRun) console.warn('SKIPPED the failovers: there is no pgbouncer on this machine.')

test.skipIf(!canRun)('if a synchronous standby takes over under load, no booking is lost or made twice', async () => {
  const report = await failOverSynchronously('pgbouncer', 2)
  console.log('synchronous failovers:', report)
  expect(report.violations).toEqual([])
  expect(report.lost).toBe(0)
  expect(report.decided).toBeGreaterThan(10)
  expect(Math.max(...report.recoveryMs)).toBeLessThan(15_000)
})

test.skipIf(!canRun)(
  'bookings that an asynchronous standby lost are found by reconciling, and repeating them books nothing twice',
  async () => {
    const report = await failOverWithLag(2_000)
    console.log('a failover with lag:', report)
    expect(report.lost).toBeGreaterThan(0)
    expect(report.found).toBeGreaterThan(0)
    expect(report.violations).toEqual([])
  },
)
