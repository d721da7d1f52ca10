import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchToken } from '../../chaos/crash/api-client.ts'
import { simulatedTraffic } from '../../chaos/load/simulated-traffic.ts'
import { startLoad } from '../../chaos/load/steady-load.ts'
import { type ServiceNodes, startServiceNodes } from '../../chaos/nodes/nodes.ts'
import { openRedis } from '../../src/store/redis.ts'
import { freshDatabase, type Postgres, startPostgres } from '../support/servers/postgres.ts'
import { type RedisGroup, startRedisCluster, startSentinels } from '../support/servers/redis-groups.ts'
import { describeWithRedis, waitUntilUp } from '../support/servers/redis-links.ts'
import { sleep } from '../support/servers/server-process.ts'

describeWithRedis('a Redis whose primary is killed', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  describe.each([
    ['Sentinels', 'sentinels', startSentinels],
    ['a cluster of six', 'cluster', startRedisCluster],
  ])('with %s', (_, name, startGroup) => {
    test('a failover causes no error that a client sees, and nodes use the new primary', async () => {
      // Started here, because no server is left to fail over to if the test is run again.
      const redis = await startGroup()
      let nodes: ServiceNodes | undefined
      try {
        const url = await freshDatabase(postgres, name)
        nodes = await startServiceNodes(2, { DATABASE_URL: url, REDIS_URL: redis.url })
        await expectSmoothFailover(name, nodes, redis)
      } finally {
        await nodes?.close()
        await redis.stop()
      }
    })
  })

  test('one server of a cluster is not up, because it stores only its own keys', async () => {
    const cluster = await startRedisCluster()
    const redis = openRedis(cluster.url.replace(/^redis-cluster:(.*?),.*$/, 'redis:$1'))
    try {
      await waitUntilUp(redis)
      expect(await redis.probe()).toBe(false)
    } finally {
      await redis.close()
      await cluster.stop()
    }
  })
})

async function expectSmoothFailover(name: string, nodes: ServiceNodes, redis: RedisGroup): Promise<void> {
  const token = await fetchToken(nodes.balancer.url)
  const readUp = async () => {
    const metrics = await (await fetch(`${nodes.getServer(0).url}/metrics`)).text()
    return /^serai_redis_up (\d)$/m.exec(metrics)?.[1]
  }
  await expect.poll(readUp).toBe('1')
  const load = startLoad({ ...nodes.balancer, token, perSecond: 25, createRequest: simulatedTraffic(name) })
  await sleep(1_000)
  const killedAt = performance.now()
  await redis.killPrimary()
  await expect.poll(readUp, { timeout: 5_000, interval: 100 }).toBe('0')
  await expect.poll(readUp, { timeout: 20_000, interval: 100 }).toBe('1')
  const backMs = Math.round(performance.now() - killedAt)
  await sleep(1_500)
  const report = await load.stop()
  console.log(`${name}: Redis back after ${backMs} ms, p95 ${report.percentile(0.95)} ms`, report.byStatus)
  expect(report.failures).toEqual([])
  expect(report.byStatus['200'] ?? 0).toBeGreaterThan(50)
}
