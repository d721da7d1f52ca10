import { expect, test } from 'vitest'
import { runSoak } from '../../chaos/load/soak.ts'

/** The promise is one megabyte a minute, over ten of them: `npm run chaos -- soak`. In the first half minute caches still fill. */
const SLOPE_MAX_MB = 50

test('half a minute of traffic leaves no handles behind, and no heap to speak of', async () => {
  const { load, slopeMbPerMinute, handles, handlesGrown, heapMb } = await runSoak({ minutes: 0.5, perSecond: 20 })
  console.log('soak:', { sent: load.sent, slopeMbPerMinute, heapMb: heapMb.join(' '), handles: handles.join(' ') })
  expect(load.failures).toEqual([])
  expect(slopeMbPerMinute).toBeLessThan(SLOPE_MAX_MB)
  expect(handlesGrown).toBeLessThanOrEqual(20)
})
