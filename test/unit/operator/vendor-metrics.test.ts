import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addVendorMetrics } from '../../../src/operator/vendors/metrics.ts'

test('the outcome of a call distinguishes refused credentials from other refusals', async () => {
  const registry = new Registry()
  const { onCall } = addVendorMetrics(registry)
  const call = { vendor: 'hotelbeds', operation: 'availability', ms: 10 } as const
  for (const status of [200, 400, 401, 403, 429, 503]) onCall({ ...call, status, fault: undefined })
  onCall({ ...call, status: undefined, fault: 'timeout' })
  onCall({ ...call, status: undefined, fault: 'misconfigured' })
  const text = await registry.metrics()
  const counts = [...text.matchAll(/_count\{.*outcome="(\w+)"\} (\d+)/g)].map(([, outcome, count]) => [outcome, count])
  expect(Object.fromEntries(counts)).toEqual({
    '2xx': '1',
    '4xx': '2',
    '5xx': '1',
    credentials: '2',
    timeout: '1',
    misconfigured: '1',
  })
})
