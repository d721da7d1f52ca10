import { expect, test } from 'vitest'
import { classifyCall } from '../../../src/operator/vendors/call-outcome.ts'
import { sumCalls, sumSpans } from '../../../src/operator/vendors/call-windows.ts'
import { boundFor, estimatePercentile } from '../../../src/operator/vendors/latency.ts'

const sum = (outcome: string, up_to_ms: number, calls: number, began_at = 0) => ({
  vendor_id: 'v',
  operation: 'availability',
  outcome,
  up_to_ms,
  calls,
  began_at,
})

test('a percentile is interpolated within its bucket', () => {
  expect(estimatePercentile([], 0.5)).toBeUndefined()
  const buckets = [
    { upToMs: 250, calls: 5 },
    { upToMs: 100, calls: 90 },
    { upToMs: 8_000, calls: 5 },
  ]
  expect(estimatePercentile(buckets, 0.5)).toBe(78)
  expect(estimatePercentile(buckets, 0.95)).toBe(250)
  expect(estimatePercentile(buckets, 1)).toBe(8_000)
})

test('a higher percentile is never below a lower one, even if buckets share a bound', () => {
  const buckets = [
    { upToMs: 25, calls: 10 },
    { upToMs: 50, calls: 2 },
    { upToMs: 25, calls: 10 },
  ]
  const percentiles = [0.1, 0.5, 0.8, 0.95, 1].map((share) => estimatePercentile(buckets, share))
  expect(percentiles).toEqual([3, 14, 22, 36, 50])
})

test('every duration has a bucket, even one longer than any call', () => {
  expect([0, 25, 25.1, 119_999, 120_001, 1e9].map(boundFor)).toEqual([25, 25, 50, 120_000, 600_000, 600_000])
})

test('the outcome of a call follows from its status or, without one, from the fault', () => {
  expect([200, 204, 404, 401, 403, 429, 500, 503].map((status) => classifyCall(status, undefined))).toEqual([
    'ok',
    'ok',
    'refused',
    'credentials',
    'credentials',
    'throttled',
    'server_error',
    'server_error',
  ])
  const faults = ['timeout', 'given_up', 'unreachable', 'malformed', 'unavailable', 'throttled', undefined] as const
  expect(faults.map((fault) => classifyCall(undefined, fault))).toEqual([
    'timeout',
    'given_up',
    'unreachable',
    'malformed',
    'breaker_open',
    'held_back',
    'internal',
  ])
})

test('refusals are not failures, and calls that were never sent do not improve latencies', () => {
  const window = sumCalls([
    sum('ok', 1_000, 10),
    sum('refused', 1_000, 3),
    sum('breaker_open', 25, 500),
    sum('timeout', 8_000, 2),
  ])
  expect(window).toMatchObject({ calls: 515, failures: 502 })
  expect(window.p50Ms).toBeGreaterThan(500)
  expect(window.errors).toEqual([
    { kind: 'breaker_open', calls: 500 },
    { kind: 'refused', calls: 3 },
    { kind: 'timeout', calls: 2 },
  ])
})

test('calls abandoned by the client are not failures and do not worsen latencies', () => {
  const window = sumCalls([sum('ok', 100, 10), sum('given_up', 8_000, 90)])
  expect(window).toMatchObject({ calls: 100, failures: 0, errors: [{ kind: 'given_up', calls: 90 }] })
  expect(window.p95Ms).toBeLessThanOrEqual(100)
})

test('spans without calls are included, so that a chart shows the gap', () => {
  const spans = sumSpans([sum('ok', 25, 4, 200), sum('timeout', 25, 1, 200)], 0, 100, 4)
  expect(spans.map(({ beganAt, calls, failures }) => [beganAt, calls, failures])).toEqual([
    [0, 0, 0],
    [100, 0, 0],
    [200, 5, 1],
    [300, 0, 0],
  ])
})
