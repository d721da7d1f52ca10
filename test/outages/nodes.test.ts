import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { collectOffers, createApiClient, fetchToken } from '../../chaos/crash/api-client.ts'
import { readLedgers } from '../../chaos/crash/rig.ts'
import { simulatedJourney } from '../../chaos/load/simulated-journey.ts'
import { simulatedTraffic } from '../../chaos/load/simulated-traffic.ts'
import { startLoad } from '../../chaos/load/steady-load.ts'
import { type Nodes, startNodes } from '../../chaos/nodes/nodes.ts'
import { databaseOutages, rollingRestarts } from '../../chaos/nodes/outages.ts'
import { newName } from '../support/booking/new-name.ts'
import { describeWithRedis } from '../support/servers/redis-links.ts'
import { sleep } from '../support/servers/server-process.ts'
import { processorWaitMs } from '../support/time/measure.ts'

const RATE_REQUESTS = 10
const RATE_MIN = 5

/** Short versions of `npm run chaos -- nodes`. */
describeWithRedis('two nodes on PostgreSQL and Redis behind a balancer', () => {
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await startNodes(2)
  })
  afterAll(() => nodes?.close())
  // A test may leave behind nodes that still recover.
  beforeEach(() => vi.waitUntil(() => nodes.balancer.ready().length === 2, { timeout: 60_000 }))

  test('a search made at one node is found at the other, and a token revoked at one is invalid at the other', async () => {
    const [first, second] = [nodes.getServer(0).url, nodes.getServer(1).url]
    const token = await fetchToken(first)
    const search = simulatedTraffic('')(2)
    const made = await createApiClient(first, token).ask('POST', search.path, search.body, {
      'x-simulate-return': 'success',
    })
    const searchId = JSON.parse(made.text).data.search_id
    const other = createApiClient(second, token)
    expect((await other.ask('GET', `/api/accommodation_searches/${searchId}/availability`)).status).toBe(200)
    expect((await createApiClient(first, token).ask('POST', '/api/accounts/revoke_token')).status).toBeLessThan(300)
    await sleep(1_000)
    expect((await other.ask('GET', '/api/accommodation_searches')).status).toBe(401)
  })

  test('a simulated booking made at one node can be read, repeated, settled and cancelled at the other', async () => {
    const token = await fetchToken(nodes.getServer(0).url)
    const clients = [0, 1].map((place) => createApiClient(nodes.getServer(place).url, token))
    for (const first of [0, 1]) {
      let turn = first
      await simulatedJourney((...asked) => {
        turn += 1
        return (clients[turn % 2] as (typeof clients)[0]).ask(...asked)
      }, newName('There'))
    }
  })

  test('a vendor’s answer to one node is reused by the other', async () => {
    const token = await fetchToken(nodes.getServer(0).url)
    const calls = async (place: number) => {
      const text = await (await fetch(`${nodes.getServer(place).url}/metrics`)).text()
      return [...text.matchAll(/^serai_vendor_call_duration_seconds_count\{.*operation="([^"]+)".*\} (\d+)$/gm)]
        .filter(([, operation]) => operation === 'availability')
        .reduce((sum, [, , count]) => sum + Number(count), 0)
    }
    const search = async (place: number, inDays: number) =>
      (await createApiClient(nodes.getServer(place).url, token).search('Zermatt', inDays)).properties.length
    let inDays = 200
    const searchAtBoth = async () => {
      inDays += 1
      const first = await search(0, inDays)
      const before = await calls(1)
      const second = await search(1, inDays)
      return { isSame: first > 0 && first === second, calls: (await calls(1)) - before }
    }
    // Repeated, because the first visit of a town continues in the background and changes the next requests.
    await expect.poll(searchAtBoth, { timeout: 60_000, interval: 1_000 }).toEqual({ isSame: true, calls: 0 })
  })

  test('rolling restarts under load fail no request', async () => {
    const perSecond = await findRate(nodes, 30)
    const report = await rollingRestarts(nodes, { rounds: 2, perSecond })
    console.log(`rolling restarts: ${report.sent} requests, p95 ${report.percentile(0.95)} ms`, report.byStatus)
    expect(report.failures).toEqual([])
    expect(report.exitCodes).toEqual([0, 0])
    expect(report.sent).toBeGreaterThan(100)
  })

  test('searches continue while Redis is down and use it again when it is back', async () => {
    const token = await fetchToken(nodes.balancer.url)
    const perSecond = await findRate(nodes, 30)
    const load = startLoad({ ...nodes.balancer, token, perSecond, createRequest: simulatedTraffic('redis') })
    const isUp = async () => /^serai_redis_up 1$/m.test(await (await fetch(`${nodes.getServer(0).url}/metrics`)).text())
    const loseRedis = async () => {
      await sleep(1_000)
      await nodes.redis.kill()
      try {
        await expect.poll(isUp, { timeout: 5_000 }).toBe(false)
        expect(nodes.balancer.ready()).toHaveLength(2)
        await sleep(1_500)
      } finally {
        await nodes.redis.start()
      }
      await expect.poll(isUp, { timeout: 30_000 }).toBe(true)
      nodes.redis.freeze()
      await sleep(1_500)
      nodes.redis.resume()
      await sleep(1_000)
    }
    await loseRedis().catch(async (error) => {
      await load.stop()
      throw error
    })
    const report = await load.stop()
    console.log(`Redis away: ${report.sent} requests, p95 ${report.percentile(0.95)} ms`, report.byStatus)
    expect(report.failures).toEqual([])
  })

  test('a booking whose node is killed during the vendor call is settled by the other node and made once', async () => {
    const token = await fetchToken(nodes.getServer(0).url)
    const inDays = 30 + Math.floor(Math.random() * 100)
    const [offer] = await collectOffers(createApiClient(nodes.getServer(1).url, token), 1, inDays)
    if (offer === undefined) throw new Error('no offer')
    const { control } = nodes.stage.sandbox
    const name = newName('Cutoff')
    const guest = { given_name: 'Mia', family_name: name, email: 'mia@example.com', phone: '+41791234567' }
    const body = { ...offer.info, guests: [guest], client_reference: name, accept_price_up_to: 1_000_000 }
    const survivor = createApiClient(nodes.getServer(1).url, token)
    const readStatus = async () =>
      (await survivor.bookings()).find(({ client_reference }) => client_reference === name)?.status
    const readMade = async () =>
      Object.values(await readLedgers(nodes.stage))
        .flat()
        .filter(({ holder }) => holder.includes(name))
    try {
      for (const vendor of Object.values(control)) {
        await vendor.addFaults({ kind: 'hang_after', operation: 'book', times: 1 })
      }
      const doomed = createApiClient(nodes.getServer(0).url, token)
        .book(body, name)
        .then(
          () => 'answered',
          () => 'cut off',
        )
      await expect.poll(async () => (await readMade()).length, { timeout: 20_000, interval: 50 }).toBe(1)
      expect(await readStatus()).toBe('submitting')
      await nodes.getServer(0).kill()
      expect(await doomed).toBe('cut off')
      const killedAt = performance.now()
      await expect.poll(readStatus, { timeout: 40_000, interval: 200 }).toBe('confirmed')
      console.log(`settled by the other node after ${Math.round(performance.now() - killedAt)} ms`)
      const again = await survivor.book(body, name)
      expect(again.status).toBe(201)
      expect(await readMade()).toHaveLength(1)
    } finally {
      for (const vendor of Object.values(control)) await vendor.clearFaults()
      await nodes.getServer(0).kill()
      await nodes.start(0)
    }
  })

  test('while Redis hangs, searches and bookings continue slightly slower and all nodes stay ready', async () => {
    const token = await fetchToken(nodes.balancer.url)
    const traffic = simulatedTraffic('redis-hung')
    const perSecond = await findRate(nodes, 15)
    const load = () => startLoad({ ...nodes.balancer, token, perSecond, createRequest: traffic })
    const durationMs = (4_000 * 15) / perSecond
    const quiet = load()
    await sleep(durationMs)
    const before = await quiet.stop()
    nodes.redis.freeze()
    const hung = load()
    await sleep(durationMs)
    const ready = nodes.balancer.ready()
    const report = await hung.stop().finally(nodes.redis.resume)
    expect(ready).toHaveLength(2)
    const slowest = { before: before.percentile(1), hung: report.percentile(1) }
    console.log(`Redis hung: ${report.sent} requests, slowest ms`, slowest, report.byStatus)
    expect([...before.failures, ...report.failures]).toEqual([])
    expect(report.byStatus['201'] ?? 0).toBeGreaterThan(2)
    // Two timeouts, and a second for a busy machine.
    expect(slowest.hung).toBeLessThan(slowest.before + 500 + 1_000)
  })

  test('while PostgreSQL hangs, nodes are unready within 2 s and answer 503 within 5 s, and they recover without a restart', async () => {
    const places = [0, 1] as const
    const token = await fetchToken(nodes.getServer(0).url)
    const readReadiness = async (place: number) => {
      const answer = await fetch(`${nodes.getServer(place).url}/readyz`)
      await answer.arrayBuffer()
      return answer.status
    }
    const measureRequest = async (place: number, n: number) => {
      const { method, path, body, headers } = simulatedTraffic('pg-hung')(n)
      const startedAt = performance.now()
      const answer = await createApiClient(nodes.getServer(place).url, token).ask(method, path, body, { ...headers })
      return { status: answer.status, code: JSON.parse(answer.text).code, ms: performance.now() - startedAt }
    }
    const waitedMs = () => places.map((place) => processorWaitMs(nodes.getServer(place).pid) + processorWaitMs())
    const startWatch = () => {
      const before = waitedMs()
      return () => Math.max(...waitedMs().map((ms, place) => ms - (before[place] ?? 0)))
    }
    const [since, readStarvedMs] = [performance.now(), startWatch()]
    nodes.postgres.freeze()
    const unready = Promise.all(places.map((place) => waitForStatus(() => readReadiness(place), 503, since)))
    const asked = Promise.all(Array.from({ length: 30 }, (_, n) => measureRequest(n % 2, 4 * n + 2 - (n % 3))))
    const hang = async () => {
      const unreadyMs = Math.max(...(await unready))
      const answers = await asked
      const starvedMs = readStarvedMs()
      const readLaterStarvedMs = startWatch()
      const later = await Promise.all(Array.from({ length: 10 }, (_, n) => measureRequest(n % 2, 1_001 + 10 * n)))
      const slowestLater = Math.max(...later.map(({ ms }) => ms)) - readLaterStarvedMs()
      return { unreadyMs: unreadyMs - starvedMs, starvedMs, answers, later, slowestLater }
    }
    const { unreadyMs, starvedMs, answers, later, slowestLater } = await hang().finally(nodes.postgres.resume)
    const resumedAt = performance.now()
    const readyMs = Math.max(
      ...(await Promise.all(places.map((place) => waitForStatus(() => readReadiness(place), 200, resumedAt)))),
    )
    const slowest = Math.max(...answers.map(({ ms }) => ms)) - starvedMs
    console.log('PostgreSQL hung, ms:', { unreadyMs, slowest, slowestLater, readyMs, starvedMs })
    // The additional second is for a busy machine.
    expect(unreadyMs).toBeLessThan(2_000 + 1_000)
    for (const { status, code } of [...answers, ...later]) expect([status, code]).toEqual([503, 'overloaded'])
    expect(slowest).toBeLessThan(5_000 + 1_000)
    expect(slowestLater).toBeLessThan(1_500)
    expect(readyMs).toBeLessThan(8_000)
    const recovered = await Promise.all(Array.from({ length: 6 }, (_, n) => measureRequest(n % 2, 2_002 + 20 * n)))
    expect(recovered.map(({ status }) => status)).toEqual(recovered.map(() => 200))
  })

  test('losing PostgreSQL under load neither loses nor duplicates a booking, and nodes recover without a restart', async () => {
    const report = await databaseOutages(nodes, { outages: 2, upMs: 2_000, downMs: 600, bookers: 8 })
    console.log('database outages:', report)
    expect(report.violations).toEqual([])
    expect(report.decided).toBeGreaterThan(10)
    expect(Math.max(...report.unreadyAfterMs)).toBeLessThan(2_000)
    expect(Math.max(...report.readyAfterMs)).toBeLessThan(10_000)
    expect(report.seen.broken ?? 0).toBe(0)
  })
})

/**
 * Requests a second that the nodes can answer, at most `wanted`: fewer on a busy machine, so that it does not cause the
 * failures.
 */
async function findRate({ balancer }: Nodes, wanted: number): Promise<number> {
  const token = await fetchToken(balancer.url)
  const client = createApiClient(balancer.url, token)
  const startedAt = performance.now()
  for (let n = 0; n < RATE_REQUESTS; n += 1) {
    const { method, path, body, headers } = simulatedTraffic('rate')(4 * n + 2)
    await client.ask(method, path, body, { ...headers })
  }
  const perRequestMs = (performance.now() - startedAt) / RATE_REQUESTS
  return Math.max(RATE_MIN, Math.min(wanted, Math.floor(500 / perRequestMs)))
}

/** Returns the time until the status was reached. */
async function waitForStatus(readReadiness: () => Promise<number>, wanted: number, since: number): Promise<number> {
  while ((await readReadiness()) !== wanted) {
    if (performance.now() - since > 20_000) return Number.POSITIVE_INFINITY
    await sleep(30)
  }
  return Math.round(performance.now() - since)
}
