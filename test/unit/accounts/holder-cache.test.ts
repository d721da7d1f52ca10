import { expect, test } from 'vitest'
import { cacheHolders } from '../../../src/accounts/holder-cache.ts'
import { manualClock } from '../../support/time/clock.ts'

const holder = { role: 'client' } as const

test('a checked secret is cached for a second, and one revoked elsewhere stops working after it', async () => {
  const clock = manualClock()
  let found: typeof holder | undefined = holder
  const holders = cacheHolders(clock, /^srt_/, async () => found)
  expect(await holders.holder('srt_1')).toBe(holder)
  found = undefined
  clock.advance(500)
  expect(await holders.holder('srt_1')).toBe(holder)
  clock.advance(500)
  expect(await holders.holder('srt_1')).toBeUndefined()
})

test('a secret revoked elsewhere stops working even if the clock is set back', async () => {
  const clock = manualClock()
  let found: typeof holder | undefined = holder
  const holders = cacheHolders(clock, /^srt_/, async () => found)
  await holders.holder('srt_1')
  found = undefined
  clock.advance(-3_600_000)
  expect(await holders.holder('srt_1')).toBeUndefined()
})
