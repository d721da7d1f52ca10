import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCatalogueStores } from '../../src/catalogue/store/stores.ts'
import { openRedis, type RedisLink } from '../../src/store/redis.ts'
import { createRedisLocks, type Locks, noLocks } from '../../src/store/redis-locks.ts'
import { type RedisServer, startRedis } from '../support/servers/redis.ts'
import { describeWithRedis, waitUntilUp } from '../support/servers/redis-links.ts'
import { openCatalogue } from '../support/store/catalogue.ts'
import { openMigrated } from '../support/store/migrated-database.ts'
import { manualClock } from '../support/time/clock.ts'
import { aVendorProperty } from '../unit/catalogue/a-vendor-property.ts'
import { aContentVendor } from './catalogue/catalogue-vendor.ts'

const TURN = { ttlMs: 5_000, patienceMs: 3_000 }
const DAY_MS = 86_400_000
const sleep = (ms: number) => new Promise<void>((later) => setTimeout(later, ms))

describeWithRedis('locks in Redis', () => {
  let server: RedisServer
  let links: RedisLink[] = []
  let nodes: Locks[] = []
  beforeAll(async () => {
    server = await startRedis()
    links = [openRedis(server.url), openRedis(server.url)]
    nodes = links.map(createRedisLocks)
    await Promise.all(links.map((link) => waitUntilUp(link)))
  })
  afterAll(async () => {
    server?.resume()
    await Promise.all(links.map((link) => link.close()))
    await server?.stop()
  })
  const node = (index: number): Locks => nodes[index] ?? noLocks

  test('two nodes hold a lock in turn, and locks of other names do not wait', async () => {
    let inside = 0
    let highest = 0
    const work = async () => {
      inside += 1
      highest = Math.max(highest, inside)
      await sleep(60)
      inside -= 1
    }
    await Promise.all(Array.from({ length: 6 }, (_, n) => node(n % 2).withLock('one', TURN, work)))
    expect(highest).toBe(1)
    await Promise.all(Array.from({ length: 6 }, (_, n) => node(n % 2).withLock(`other-${n}`, TURN, work)))
    expect(highest).toBeGreaterThan(1)
  })

  test('failing work releases the lock', async () => {
    await expect(node(0).withLock('fails', TURN, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const startedAt = performance.now()
    await node(1).withLock('fails', TURN, async () => undefined)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  test('a holder whose lock has expired does not release the lock of the next holder', async () => {
    const slow = node(0).withLock('late', { ttlMs: 100, patienceMs: 0 }, () => sleep(400))
    await sleep(150)
    let isHeld = false
    const next = node(1).withLock('late', TURN, async () => {
      isHeld = true
      await sleep(700)
      isHeld = false
    })
    await slow
    await sleep(100)
    let sawHeld: boolean | undefined
    await node(0).withLock('late', TURN, async () => {
      sawHeld = isHeld
    })
    await next
    expect(sawHeld).toBe(false)
  })

  test('work proceeds without the lock after its timeout, and at once while Redis hangs', async () => {
    const holding = node(0).withLock('held', TURN, () => sleep(900))
    await sleep(50)
    const startedAt = performance.now()
    await node(1).withLock('held', { ttlMs: 1_000, patienceMs: 300 }, async () => undefined)
    expect(performance.now() - startedAt).toBeLessThan(800)
    await holding

    server.freeze()
    const frozenAt = performance.now()
    for (let times = 0; times < 20; times += 1) await node(0).withLock('hung', TURN, async () => undefined)
    expect(performance.now() - frozenAt).toBeLessThan(1_500)
    server.resume()
    await Promise.all(links.map((link) => waitUntilUp(link)))
  })

  test('of two nodes one reads a new area, and the other waits and finds it as well', async () => {
    const clock = manualClock()
    const database = await openMigrated()
    const center = { lat: 46, lon: 7 }
    const vendor = aContentVendor('alpha', () => [aVendorProperty({ vendorId: 'alpha', location: center })])
    vendor.delayMs = 400
    const open = (locks: Locks) =>
      openCatalogue({
        ...createCatalogueStores(database),
        vendors: [vendor],
        clock,
        locks,
        onBug: (error) => expect(error).toBeUndefined(),
      })
    const catalogues = nodes.map(open)
    const context = { signal: new AbortController().signal, requestId: 'test' }
    const visit = () =>
      Promise.all(catalogues.map((catalogue) => catalogue.around({ center, radiusKm: 5 }, 10, context)))
    const both = await visit()
    expect(both.map(({ candidates }) => candidates.length)).toEqual([1, 1])
    expect(vendor.asked).toHaveLength(1)

    clock.advance(8 * DAY_MS)
    await visit()
    await expect.poll(() => vendor.asked.length).toBe(2)
    await sleep(1_200)
    await visit()
    await sleep(600)
    expect(vendor.asked, 'refreshed once, not once per node').toHaveLength(2)
    for (const catalogue of catalogues) await catalogue.stop()
    await database.close()
  })
})
