import { expect, test } from 'vitest'
import { runSoak } from '../../chaos/load/soak.ts'

/** Whether memory grows takes minutes to see: `npm run chaos -- soak`. Handles that stay open are seen in seconds. */
test('seconds of traffic leave no handles behind, and no request fails', async () => {
  const { load, handles, handlesGrown } = await runSoak({ minutes: 0.15, perSecond: 20 })
  console.log('soak:', { sent: load.sent, handles: handles.join(' ') })
  expect(load.failures).toEqual([])
  expect(load.sent).toBeGreaterThan(100)
  expect(handlesGrown).toBeLessThanOrEqual(20)
})
