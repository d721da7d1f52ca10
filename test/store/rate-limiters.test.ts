import cluster from 'node:cluster'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RateLimiter } from '../../src/lib/async/rate-limiter.ts'
import { createRateLimiter } from '../../src/store/rate-limiters.ts'
import { openRedis, type RedisLink } from '../../src/store/redis.ts'
import { type RedisServer, startRedis } from '../support/servers/redis.ts'
import { describeWithRedis, untilUp } from '../support/servers/redis-links.ts'

const MUCH = { quota: 1_000, windowMs: 60_000 }

afterEach(() => vi.useRealTimers())

describe('limits of one process', () => {
  test('a cost counts as often as it says; what is beyond the allowance is refused until the window ends', async () => {
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

  test('a worker whose first process does not answer counts for itself', async () => {
    const { isWorker } = cluster
    const { send } = process
    Object.assign(cluster, { isWorker: true })
    process.send = () => true
    const limiter = createRateLimiter('lonely', MUCH)
    Object.assign(cluster, { isWorker })
    Object.assign(process, { send })
    expect((await limiter.spend('a', 1)).left).toBe(999)
    expect((await limiter.spend('a', 1)).left).toBe(998)
  })
})

describeWithRedis('limits in Redis', () => {
  let server: RedisServer
  let links: RedisLink[] = []
  const nodes = (name: string, allowance = MUCH): RateLimiter[] =>
    links.map((link) => createRateLimiter(name, allowance, link))
  beforeAll(async () => {
    server = await startRedis()
    links = [openRedis(server.url), openRedis(server.url)]
    await Promise.all(links.map((link) => untilUp(link)))
  })
  afterAll(async () => {
    await Promise.all(links.map((link) => link.close()))
    await server?.stop()
  })

  test('however many nodes count at once, every number up to the sum is given out once', async () => {
    const [one, two] = nodes('together')
    const spent = await Promise.all(
      Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? one : two)?.spend('account:a', 1)),
    )
    const left = spent.map((one) => one?.left ?? 0).sort((a, b) => b - a)
    expect(left).toEqual(Array.from({ length: 300 }, (_, at) => 999 - at))
  })

  test('a cost counts as often as it says at every node, and a window ends for all of them', async () => {
    const [one, two] = nodes('costs', { quota: 12, windowMs: 1_000 })
    const first = await one?.spend('account:b', 10)
    const second = await two?.spend('account:b', 5)
    expect([first?.left, second?.left, second?.isExceeded]).toEqual([2, 0, true])
    expect(second?.resetInMs).toBeLessThanOrEqual(1_000)
    await expect.poll(async () => (await one?.spend('account:b', 0))?.left, { timeout: 5_000 }).toBe(12)
  })

  test('while Redis is away each node goes on counting for itself', async () => {
    const [one, two] = nodes('away')
    await server.kill()
    try {
      await expect.poll(() => links.some((link) => link.isUp()), { timeout: 5_000 }).toBe(false)
      for (const node of [one, two]) {
        expect((await node?.spend('account:c', 1))?.left).toBe(999)
        expect((await node?.spend('account:c', 1))?.left).toBe(998)
      }
    } finally {
      await server.start()
    }
    await Promise.all(links.map((link) => untilUp(link)))
    expect((await one?.spend('account:c', 1))?.left).toBe(999)
    expect((await two?.spend('account:c', 1))?.left).toBe(998)
  })
})
