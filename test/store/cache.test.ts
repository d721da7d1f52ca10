import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSearchCache } from '../../src/search/store/redis-searches.ts'
import { createSearchStore } from '../../src/search/store/searches.ts'
import { type Cache, createRedisCache } from '../../src/store/cache.ts'
import type { Database } from '../../src/store/database.ts'
import { openRedis, type RedisLink } from '../../src/store/redis.ts'
import { freePort } from '../support/servers/postgres.ts'
import { type RedisServer, startRedis } from '../support/servers/redis.ts'
import { aSavedSearch, describeWithRedis, untilUp } from '../support/servers/redis-links.ts'
import { createMemoryCache } from '../support/store/memory-cache.ts'
import { openMigrated } from '../support/store/migrated-database.ts'
import { manualClock } from '../support/time/clock.ts'

function keepsBytes(open: () => Cache): void {
  test('what was put in comes out, byte for byte, until its time is up', async () => {
    const cache = open()
    const bytes = Buffer.from([0, 255, 10, 13, 0, 1])
    await cache.set('bytes', bytes, 60_000)
    await cache.set('short', bytes, 40)
    expect((await cache.get('bytes'))?.equals(bytes)).toBe(true)
    expect(await cache.get('never')).toBeUndefined()
    await expect.poll(() => cache.get('short'), { timeout: 5_000 }).toBeUndefined()
  })

  test('what has no time left, or is far too large, is not kept', async () => {
    const cache = open()
    await cache.set('late', Buffer.from('x'), 0)
    await cache.set('huge', Buffer.alloc(5 * 2 ** 20), 60_000)
    expect(await cache.get('late')).toBeUndefined()
    expect(await cache.get('huge')).toBeUndefined()
  })
}

test('a Redis that is away from the beginning is told once, with the reason', async () => {
  const told: [boolean, string][] = []
  const redis = openRedis(`redis://127.0.0.1:${await freePort()}`, { onChange: (...news) => told.push(news) })
  await expect.poll(() => told.length).toBe(1)
  await new Promise((later) => setTimeout(later, 300))
  expect(told).toEqual([[false, expect.stringContaining('ECONNREFUSED')]])
  await redis.close()
})

describeWithRedis('the cache in Redis', () => {
  let server: RedisServer
  let redis: RedisLink
  beforeAll(async () => {
    server = await startRedis()
    redis = openRedis(server.url)
    await untilUp(redis)
  })
  afterAll(async () => {
    await redis?.close()
    await server?.stop()
  })
  keepsBytes(() => createRedisCache(redis))

  test('a Redis that is gone costs nobody any time, and is used again when it is back', async () => {
    const cache = createRedisCache(redis)
    await server.kill()
    await expect.poll(() => redis.isUp(), { timeout: 5_000 }).toBe(false)
    const startedAt = performance.now()
    for (let times = 0; times < 200; times += 1) {
      await cache.set('k', Buffer.from('v'), 60_000)
      expect(await cache.get('k')).toBeUndefined()
    }
    expect(performance.now() - startedAt).toBeLessThan(500)
    await server.start()
    await untilUp(redis)
    await cache.set('k', Buffer.from('v'), 60_000)
    expect((await cache.get('k'))?.toString()).toBe('v')
  })

  test('its connection is told when it is made, and not when we end it ourselves', async () => {
    const told: boolean[] = []
    const link = openRedis(server.url, { onChange: (isUp) => told.push(isUp) })
    await untilUp(link)
    const ended = once(link.client, 'end')
    await link.close()
    await ended
    expect(told).toEqual([true])
  })

  test('a Redis that hangs costs one caller its patience, and the rest nothing', async () => {
    const cache = createRedisCache(redis)
    await cache.set('frozen', Buffer.from('v'), 60_000)
    server.freeze()
    try {
      const startedAt = performance.now()
      expect(await cache.get('frozen')).toBeUndefined()
      expect(performance.now() - startedAt).toBeLessThan(1_500)
      const restedAt = performance.now()
      for (let times = 0; times < 100; times += 1) expect(await cache.get('frozen')).toBeUndefined()
      expect(performance.now() - restedAt).toBeLessThan(800)
    } finally {
      server.resume()
    }
    await expect.poll(() => cache.get('frozen').then((value) => value?.toString()), { timeout: 5_000 }).toBe('v')
  })
})

describe('saved searches behind a cache', () => {
  let database: Database
  const clock = manualClock()
  beforeAll(async () => {
    database = await openMigrated()
  })
  afterAll(() => database?.close())

  test('are read without asking the store, by their owner alone', async () => {
    const store = createSearchStore(database)
    const search = aSavedSearch({ createdAt: clock.now(), expiresAt: clock.now() + 60_000 })
    const results = Buffer.from([1, 0, 255, 7])
    const cache = createMemoryCache(clock)
    await withSearchCache(store, cache, clock).save(search, results)

    const other = withSearchCache({ ...store, withResults: refuse }, cache, clock)
    expect(await other.withResults(search.accountId, search.searchId)).toEqual({ search, results })
    await expect(other.withResults('acc_other', search.searchId)).rejects.toThrow('the store was asked')
  })

  test('are in the store before they are answered, so that an empty cache loses none', async () => {
    const store = createSearchStore(database)
    const search = aSavedSearch({ searchId: 'kept', expiresAt: clock.now() + 60_000 })
    await withSearchCache(store, createMemoryCache(clock), clock).save(search, Buffer.from('packed'))
    const fresh = withSearchCache(store, createMemoryCache(clock), clock)
    expect((await fresh.withResults(search.accountId, search.searchId))?.search).toEqual(search)
  })

  test('what another version left in the cache is not misread', async () => {
    const store = createSearchStore(database)
    const cache = createMemoryCache(clock)
    const search = aSavedSearch({ searchId: 'other-version', expiresAt: clock.now() + 60_000 })
    await store.save(search, Buffer.from('packed'))
    const cached = withSearchCache(store, cache, clock)
    for (const bytes of [Buffer.from([9, 1, 0, 0, 0, 65]), Buffer.from([1, 255, 255, 0, 0]), Buffer.from([1])]) {
      await cache.set(`search:${search.accountId}:${search.searchId}`, bytes, 60_000)
      expect((await cached.withResults(search.accountId, search.searchId))?.search).toEqual(search)
    }
  })

  test('an expired one is still known to the store, so that it can be told from one that never was', async () => {
    const store = createSearchStore(database)
    const cached = withSearchCache(store, createMemoryCache(clock), clock)
    const search = aSavedSearch({ searchId: 'expired', expiresAt: clock.now() + 1_000 })
    await cached.save(search, Buffer.from('packed'))
    clock.turn(2_000)
    expect((await cached.withResults(search.accountId, search.searchId))?.search).toEqual(search)
  })
})

async function refuse(): Promise<never> {
  throw new Error('the store was asked')
}
