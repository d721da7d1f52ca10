import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSearchCache } from '../../src/search/store/redis-searches.ts'
import { createSearchStore } from '../../src/search/store/searches.ts'
import { type Cache, createRedisCache } from '../../src/store/cache.ts'
import type { Database } from '../../src/store/database.ts'
import { openRedis, type RedisLink } from '../../src/store/redis.ts'
import { freePort } from '../support/servers/postgres.ts'
import { type RedisServer, startRedis } from '../support/servers/redis.ts'
import { aSavedSearch, describeWithRedis, waitUntilUp } from '../support/servers/redis-links.ts'
import { createMemoryCache } from '../support/store/memory-cache.ts'
import { openMigrated } from '../support/store/migrated-database.ts'
import { manualClock } from '../support/time/clock.ts'
import { startStopwatch } from '../support/time/measure.ts'

function describeCache(open: () => Cache): void {
  test('a cached value is returned byte for byte until it expires', async () => {
    const cache = open()
    const bytes = Buffer.from([0, 255, 10, 13, 0, 1])
    await cache.set('bytes', bytes, 60_000)
    await cache.set('short', bytes, 40)
    expect((await cache.get('bytes'))?.equals(bytes)).toBe(true)
    expect(await cache.get('never')).toBeUndefined()
    await expect.poll(() => cache.get('short'), { timeout: 5_000 }).toBeUndefined()
  })

  test('a value that has expired or is too large is not cached', async () => {
    const cache = open()
    await cache.set('late', Buffer.from('x'), 0)
    await cache.set('huge', Buffer.alloc(5 * 2 ** 20), 60_000)
    expect(await cache.get('late')).toBeUndefined()
    expect(await cache.get('huge')).toBeUndefined()
  })
}

test('a Redis that is unreachable from the start is reported once, with the reason', async () => {
  const reports: [boolean, string][] = []
  const redis = openRedis(`redis://127.0.0.1:${await freePort()}`, { onChange: (...report) => reports.push(report) })
  await expect.poll(() => reports.length).toBe(1)
  await new Promise((later) => setTimeout(later, 300))
  expect(reports).toEqual([[false, expect.stringContaining('ECONNREFUSED')]])
  await redis.close()
})

describeWithRedis('the cache in Redis', () => {
  let server: RedisServer
  let redis: RedisLink
  beforeAll(async () => {
    server = await startRedis()
    redis = openRedis(server.url)
    await waitUntilUp(redis)
  })
  afterAll(async () => {
    await redis?.close()
    await server?.stop()
  })
  describeCache(() => createRedisCache(redis))

  test('a Redis that is down delays no caller and is used again when it is back', async () => {
    const cache = createRedisCache(redis)
    await server.kill()
    await expect.poll(() => redis.isUp(), { timeout: 5_000 }).toBe(false)
    const readMs = startStopwatch()
    for (let times = 0; times < 200; times += 1) {
      await cache.set('k', Buffer.from('v'), 60_000)
      expect(await cache.get('k')).toBeUndefined()
    }
    expect(readMs()).toBeLessThan(500)
    await server.start()
    await waitUntilUp(redis)
    await cache.set('k', Buffer.from('v'), 60_000)
    expect((await cache.get('k'))?.toString()).toBe('v')
  })

  test('a Redis that stops after it was connected is reported with that reason', async () => {
    const reports: [boolean, string][] = []
    const link = openRedis(server.url, { onChange: (...report) => reports.push(report) })
    await waitUntilUp(link)
    await server.kill()
    await expect.poll(() => reports.length).toBe(2)
    await link.close()
    await server.start()
    await waitUntilUp(redis)
    expect(reports).toEqual([
      [true, 'connected'],
      [false, 'the connection was closed'],
    ])
  })

  test('a Redis connection is reported when it is established, but not when we close it', async () => {
    const reports: boolean[] = []
    const link = openRedis(server.url, { onChange: (isUp) => reports.push(isUp) })
    await waitUntilUp(link)
    const ended = once(link.client, 'end')
    await link.close()
    await ended
    expect(reports).toEqual([true])
  })

  test('a Redis that hangs delays one caller until its timeout and the others not at all', async () => {
    const cache = createRedisCache(redis)
    await cache.set('frozen', Buffer.from('v'), 60_000)
    server.freeze()
    try {
      const startedAt = performance.now()
      expect(await cache.get('frozen')).toBeUndefined()
      expect(performance.now() - startedAt).toBeLessThan(1_500)
      const readMs = startStopwatch()
      for (let times = 0; times < 100; times += 1) expect(await cache.get('frozen')).toBeUndefined()
      expect(readMs()).toBeLessThan(800)
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

  test('a cached search is returned without the store, and only to its owner', async () => {
    const store = createSearchStore(database)
    const search = aSavedSearch({ createdAt: clock.now(), expiresAt: clock.now() + 60_000 })
    const results = Buffer.from([1, 0, 255, 7])
    const cache = createMemoryCache(clock)
    await withSearchCache(store, cache, clock).save(search, results)

    const other = withSearchCache({ ...store, withResults: refuse }, cache, clock)
    expect(await other.withResults(search.accountId, search.searchId)).toEqual({ search, results })
    await expect(other.withResults('acc_other', search.searchId)).rejects.toThrow('the store was called')
  })

  test('a search is in the store as well, so that an empty cache loses none', async () => {
    const store = createSearchStore(database)
    const search = aSavedSearch({ searchId: 'kept', expiresAt: clock.now() + 60_000 })
    await withSearchCache(store, createMemoryCache(clock), clock).save(search, Buffer.from('packed'))
    const fresh = withSearchCache(store, createMemoryCache(clock), clock)
    expect((await fresh.withResults(search.accountId, search.searchId))?.search).toEqual(search)
  })

  test('entries of another version in the cache are ignored', async () => {
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

  test('the store still returns an expired search, which distinguishes it from an unknown one', async () => {
    const store = createSearchStore(database)
    const cached = withSearchCache(store, createMemoryCache(clock), clock)
    const search = aSavedSearch({ searchId: 'expired', expiresAt: clock.now() + 1_000 })
    await cached.save(search, Buffer.from('packed'))
    clock.advance(2_000)
    expect((await cached.withResults(search.accountId, search.searchId))?.search).toEqual(search)
  })
})

async function refuse(): Promise<never> {
  throw new Error('the store was called')
}
