import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addExchangeMetrics } from '../../../src/compose/exchange-metrics.ts'
import { manualClock } from '../../support/time/clock.ts'

test('the age of the exchange rates grows with the clock and is never negative', async () => {
  const clock = manualClock()
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const tomorrow = new Date(clock.now() + 86_400_000).toISOString().slice(0, 10)
  let date = today
  const registry = new Registry()
  addExchangeMetrics(registry, { rates: () => ({ date, rates: {} }), clock })
  const age = async () => (await registry.getSingleMetric('serai_exchange_rates_age_seconds')?.get())?.values[0]?.value
  const before = (await age()) ?? Number.NaN
  clock.advance(86_400_000)
  expect(await age()).toBe(before + 86_400)
  clock.advance(-86_400_000)
  date = tomorrow
  expect(await age()).toBe(0)
})
