import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Addition,
  type Counters,
  createBatchedCounters,
  createMemoryCounters,
  createRedisCounters,
} from '../../src/store/counters.ts'
import { openRedis, type RedisLink } from '../../src/store/redis.ts'
import { turnableClock } from '../support/clock.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { describeWithRedis, untilUp } from '../support/redis-links.ts'

const WINDOW_MS = 60_000
const now = { now: () => Date.now() }

describeWithRedis('counters in Redis', () => {
  let server: RedisServer
  let links: RedisLink[] = []
  const nodes = (): Counters[] => links.map((link) => createRedisCounters(link, now, createMemoryCounters(now)))
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
    const [one, two] = nodes()
    const counts = await Promise.all(
      Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? one : two)?.add('account:a', 1, WINDOW_MS)),
    )
    const used = counts.map((count) => count?.used ?? 0).sort((a, b) => a - b)
    expect(used).toEqual(Array.from({ length: 300 }, (_, at) => at + 1))
  })

  test('a cost counts as often as it says, and a window ends when the first of it said', async () => {
    const [one, two] = nodes()
    const first = await one?.add('account:b', 10, 300)
    const second = await two?.add('account:b', 5, 300_000)
    expect([first?.used, second?.used]).toEqual([10, 15])
    expect((second?.resetsAt ?? 0) - Date.now()).toBeLessThanOrEqual(300)
    await expect.poll(async () => (await one?.add('account:b', 0, 300))?.used, { timeout: 5_000 }).toBe(0)
  })

  test('while Redis is away each node goes on counting for itself', async () => {
    const [one, two] = nodes()
    await server.kill()
    try {
      await expect.poll(() => links.some((link) => link.isUp()), { timeout: 5_000 }).toBe(false)
      for (const node of [one, two]) {
        expect((await node?.add('account:c', 1, WINDOW_MS))?.used).toBe(1)
        expect((await node?.add('account:c', 1, WINDOW_MS))?.used).toBe(2)
      }
    } finally {
      await server.start()
    }
    await Promise.all(links.map((link) => untilUp(link)))
    expect((await one?.add('account:c', 1, WINDOW_MS))?.used).toBe(1)
    expect((await two?.add('account:c', 1, WINDOW_MS))?.used).toBe(2)
  })
})

describe('counters over a channel', () => {
  test('additions of one turn travel together and come back in their order', async () => {
    const primary = createMemoryCounters(turnableClock())
    const messages: (readonly Addition[])[] = []
    const counters = createBatchedCounters(async (additions) => {
      messages.push(additions)
      return additions.map((addition) => ({ ...primary.add(...addition) }))
    }, createMemoryCounters(turnableClock()))
    const counts = await Promise.all(['a', 'b', 'a', 'a'].map((key) => counters.add(key, 1, WINDOW_MS)))
    expect(counts.map(({ used }) => used)).toEqual([1, 1, 2, 3])
    expect(messages).toHaveLength(1)
    expect((await counters.add('a', 2, WINDOW_MS)).used).toBe(5)
    expect(messages).toHaveLength(2)
  })

  test('a channel that fails costs the sharing, not the counting', async () => {
    const counters = createBatchedCounters(async () => {
      throw new Error('no answer')
    }, createMemoryCounters(turnableClock()))
    expect((await counters.add('a', 1, WINDOW_MS)).used).toBe(1)
    expect((await counters.add('a', 1, WINDOW_MS)).used).toBe(2)
  })
})
