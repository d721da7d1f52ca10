import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AggregatorRegistry, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addProcessMetrics, createMetricsServer } from '../../../src/http/metrics.ts'

test('a scrape that is running when the server closes is completed and does not keep it open', async () => {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const registry = new Registry()
  registry.metrics = async () => {
    asked.resolve()
    await released.promise
    return 'up 1\n'
  }
  const server = createMetricsServer(registry)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const answer = new Promise<number | undefined>((resolve) => {
    get({ port, path: '/metrics', agent }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode)),
    )
  })
  await asked.promise
  const closed = server.close()
  await new Promise((later) => setTimeout(later, 50))
  released.resolve()
  expect(await answer).toBe(200)
  const late = new Promise((later) => setTimeout(() => later('open'), 2_000).unref())
  expect(await Promise.race([closed.then(() => 'closed'), late])).toBe('closed')
  agent.destroy()
})

test('of several workers, the lag of the busiest one is reported', async () => {
  const readWorker = async (lag: number) => {
    const registry = new Registry()
    addProcessMetrics(registry)
    const metrics = await registry.getMetricsAsJSON()
    registry.clear()
    return metrics.map((metric) =>
      metric.name === 'nodejs_eventloop_lag_p99_seconds' ? { ...metric, values: [{ value: lag, labels: {} }] } : metric,
    )
  }
  const all = AggregatorRegistry.aggregate([await readWorker(0.9), await readWorker(0.01), await readWorker(0.01)])
  expect(await all.getSingleMetricAsString('nodejs_eventloop_lag_p99_seconds')).toMatch(/ 0\.9$/m)
})
