import cluster from 'node:cluster'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RateLimiter } from '../../src/lib/async/rate-limiter.ts'
import { createRateLimiter } from '../../src/store/rate-limiters.ts'
import { openRedis, type RedisLink } from '../../src/store/redis.ts'
import { type RedisServer, startRedis } from '../support/servers/redis.ts'
import { describeWithRedis, waitUntilUp } from '../support/servers/redis-links.ts'

const HIGH_LIMIT = { quota: 1_000, windowMs: 60_000 }

afterEach(() => vi.useRealTimers())

describe('limits of one process', () => {
  test('a request is charged its cost, and requests beyond the allowance are refused until the window ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    const limiter = createRateLimiter('account', { quota: 12, windowMs: 60_000 })
    expect(await limiter.spend('a', 10)).toEqual({ left: 2, isExceeded: false, resetInMs: 60_000 })
    vi.setSystemTime(1_020_000)
    expect(await limiter.spend('a', 2)).toEqual({ left: 0, isExceeded: false, resetInMs: 40_000 })
    expect(await limiter.spend('a', 1)).toEqual({ left: 0, isExceeded: true, resetInMs: 40_000 })
    expect(await limiter.spend('b', 1)).toMatchObject({ left: 11, isExceeded: false })
    vi.setSystemTime(1_060_000)
    expect(await limiter.spend('a', 1)).toEqual({ left: 11, isExceeded: false, resetInMs: 60_000 })
  })

  test('a worker whose primary process does not answer counts by itself', async () => {
    const { isWorker } = cluster
    const { send } = process
    Object.assign(cluster, { isWorker: true })
    process.send = () => true
    const limiter = createRateLimiter('lonely', HIGH_LIMIT)
    Object.assign(cluster, { isWorker })
    Object.assign(process, { send })
    expect((await limiter.spend('a', 1)).left).toBe(999)
    expect((await limiter.spend('a', 1)).left).toBe(998)
  })
})

describeWithRedis('limits in Redis', () => {
  let server: RedisServer
  let links: RedisLink[] = []
  const nodes = (name: string, allowance = HIGH_LIMIT): RateLimiter[] =>
    links.map((link) => createRateLimiter(name, allowance, link))
  beforeAll(async () => {
    server = await startRedis()
    links = [openRedis(server.url), openRedis(server.url)]
    await Promise.all(links.map((link) => waitUntilUp(link)))
  })
  afterAll(async () => {
    await Promise.all(links.map((link) => link.close()))
    await server?.stop()
  })

  test('a node reads what the others have spent, without spending', async () => {
    const [first, second] = nodes('read')
    await first?.spend('vendor', 300)
    expect(await second?.read('vendor')).toMatchObject({ left: 700 })
    expect(await first?.read('vendor')).toMatchObject({ left: 700 })
  })

  test('concurrent requests on several nodes are each counted exactly once', async () => {
    const [first, second] = nodes('together')
    const spent = await Promise.all(
      Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? first : second)?.spend('account:a', 1)),
    )
    const left = spent.map((result) => result?.left ?? 0).sort((a, b) => b - a)
    expect(left).toEqual(Array.from({ length: 300 }, (_, i) => 999 - i))
  })

  test('all nodes share the charged costs and the end of the window', async () => {
    const [node, otherNode] = nodes('costs', { quota: 12, windowMs: 1_000 })
    const first = await node?.spend('account:b', 10)
    const second = await otherNode?.spend('account:b', 5)
    expect([first?.left, second?.left, second?.isExceeded]).toEqual([2, 0, true])
    expect(second?.resetInMs).toBeLessThanOrEqual(1_000)
    await expect.poll(async () => (await node?.spend('account:b', 0))?.left, { timeout: 5_000 }).toBe(12)
  })

  test('while Redis is down each node counts by itself', async () => {
    const [first, second] = nodes('away')
    await server.kill()
    try {
      await expect.poll(() => links.some((link) => link.isUp()), { timeout: 5_000 }).toBe(false)
      for (const node of [first, second]) {
        expect((await node?.spend('account:c', 1))?.left).toBe(999)
        expect((await node?.spend('account:c', 1))?.left).toBe(998)
      }
    } finally {
      await server.start()
    }
    await Promise.all(links.map((link) => waitUntilUp(link)))
    expect((await first?.spend('account:c', 1))?.left).toBe(999)
    expect((await second?.spend('account:c', 1))?.left).toBe(998)
  })
})
