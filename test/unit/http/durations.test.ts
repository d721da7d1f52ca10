import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createDurations } from '../../../src/http/durations.ts'

const NAMES = { name: 'waits', help: 'How long.' }
const SEEN = [
  ['search.create', 200, 0.005],
  ['search.create', 200, 0.0051],
  ['search.create', 200, 99],
  ['search.create', 422, 0.2],
  ['unmatched', 404, 0],
] as const

function ours() {
  const registry = new Registry()
  const observe = createDurations(registry, NAMES)
  for (const [operation, status, seconds] of SEEN) observe(operation, status, seconds)
  return registry
}

test('what is scraped is, to the letter, what the library’s own histogram gives', async () => {
  const registry = new Registry()
  const theirs = new Histogram({
    ...NAMES,
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers: [registry],
  })
  for (const [operation, status, seconds] of SEEN) theirs.observe({ operation, status }, seconds)
  expect(await ours().metrics()).toBe(await registry.metrics())
})

test('processes are added up', async () => {
  const parts = [await ours().getMetricsAsJSON(), await ours().getMetricsAsJSON()]
  const text = await AggregatorRegistry.aggregate(parts).metrics()
  expect(text).toContain('waits_count{operation="search.create",status="200"} 6')
  expect(text).toContain('waits_bucket{le="0.005",operation="search.create",status="200"} 2')
})

test('a registry that is reset forgets', async () => {
  const registry = ours()
  registry.resetMetrics()
  expect(await registry.metrics()).not.toContain('search.create')
})
