import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiClient,
  addAccounts,
  collectOffers,
  createApiClient,
  fetchToken,
  type Offer,
} from '../../chaos/crash/api-client.ts'
import { openDatabase } from '../../src/store/database.ts'
import { testApp } from '../support/app/app.ts'
import { delayNextBooking } from '../support/sandbox/delay-booking.ts'
import { freePort, freshDatabase, type Postgres, startPostgres } from '../support/servers/postgres.ts'
import { openStage, type ServerProcess, type Stage, sleep, startServer } from '../support/servers/server-process.ts'
import { processorWaitMs } from '../support/time/measure.ts'

/** For a busy machine, where processes wait for a processor. */
const WAIT_MAX_MS = 30_000
/** Time in which a stopping server is alive but not ready. */
const DRAIN_MS = 3_000

async function readHealth(url: string): Promise<[live: number, ready: number, store: string]> {
  const [live, ready] = await Promise.all([fetch(`${url}/healthz`), fetch(`${url}/readyz`)])
  const { status, checks } = (await ready.json()) as { status: string; checks: { store?: string } }
  await live.arrayBuffer()
  return [live.status, ready.status, checks.store ?? status]
}

/** Waits for this health, at most `withinMs` without the time spent waiting for a processor; returns the time it took. */
async function waitForHealth(
  { url, pid }: Pick<ServerProcess, 'url' | 'pid'>,
  wanted: readonly unknown[],
  withinMs: number,
): Promise<number> {
  const waitedMs = () => processorWaitMs(pid) + processorWaitMs()
  const [startedAt, waitedBefore] = [performance.now(), waitedMs()]
  for (;;) {
    const seen = await readHealth(url)
    const elapsedMs = performance.now() - startedAt
    const ms = elapsedMs - (waitedMs() - waitedBefore)
    if (seen.join() === wanted.join()) {
      expect(ms).toBeLessThan(withinMs)
      return ms
    }
    if (ms > withinMs || elapsedMs > WAIT_MAX_MS) expect(seen).toEqual(wanted)
    await sleep(50)
  }
}

/** A test that is run again must not repeat a request of its first run. */
const newKey = () => `health-${randomUUID()}`

const HEALTHY = [200, 200, 'ok'] as const
const UNHEALTHY = [200, 503, 'failed'] as const

test('a server with a closed store is alive but not ready', async () => {
  const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  const app = await testApp({}, { database })
  expect((await app.call({ url: '/readyz' })).json()).toEqual({ status: 'ready', checks: { store: 'ok' } })
  await database.close()
  // The result of a check is reused for a moment.
  await sleep(300)
  const ready = await app.call({ url: '/readyz' })
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not_ready', checks: { store: 'failed' } }])
  expect((await app.call({ url: '/healthz' })).statusCode).toBe(200)
  await app.http.close()
})

describe('a server on SQLite', () => {
  let stage: Stage
  let server: ServerProcess
  let client: ApiClient
  let offers: Offer[]
  beforeAll(async () => {
    stage = await openStage('health')
    const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir }
    await addAccounts(env)
    server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
    client = createApiClient(server.url, await fetchToken(server.url))
    offers = (await collectOffers(client, 200)).filter(({ roomsLeft }) => roomsLeft === null || roomsLeft >= 5)
  })
  afterAll(async () => {
    await server?.kill()
    await stage?.close()
  })
  const vendorBookings = async () =>
    (await Promise.all(Object.values(stage.sandbox.control).map((control) => control.ledger()))).flat().length
  const clearFaults = async () => {
    for (const control of Object.values(stage.sandbox.control)) await control.clearFaults()
  }

  test('a healthy server is alive and ready', async () => {
    expect(await readHealth(server.url)).toEqual(HEALTHY)
  })

  test.skipIf(!canAttach())(
    'on a full disk a server is alive but not ready and books nothing, and it recovers with free space',
    async () => {
      const before = await vendorBookings()
      const full = await failWrites(server.pid, join(stage.dataDir, 'serai.db-wal'), 'ENOSPC')
      try {
        await waitForHealth(server, UNHEALTHY, 3_000)
        const answer = await client.book(offers.pop()?.info, newKey())
        expect([answer.status, JSON.parse(answer.text).code]).toEqual([503, 'store_unavailable'])
        expect(await vendorBookings()).toBe(before)
      } finally {
        await full.end()
      }
      await waitForHealth(server, HEALTHY, 3_000)
      const answer = await client.book(offers.pop()?.info, newKey())
      expect(answer.status).toBe(201)
      expect(await vendorBookings()).toBe(before + 1)
    },
  )

  test.skipIf(!canAttach())('on a read-only disk a server is alive but not ready and books nothing', async () => {
    const before = await vendorBookings()
    const readOnly = await failWrites(server.pid, join(stage.dataDir, 'serai.db-wal'), 'EROFS')
    try {
      await waitForHealth(server, UNHEALTHY, 3_000)
      expect((await client.book(offers.pop()?.info, newKey())).status).toBe(503)
      expect(await vendorBookings()).toBe(before)
    } finally {
      await readOnly.end()
    }
    await waitForHealth(server, HEALTHY, 3_000)
  })

  test.skipIf(!canAttach())(
    'if the disk fills up during the vendor call, the client gets 202 and a repeat finds the booking',
    async () => {
      const { received } = await delayNextBooking(Object.values(stage.sandbox.control), 3_000)
      const before = await vendorBookings()
      const body = offers.pop()?.info
      const key = newKey()
      const asking = client.book(body, key)
      await received()
      const full = await failWrites(server.pid, join(stage.dataDir, 'serai.db-wal'), 'ENOSPC')
      const answer = await asking.finally(() => full.end())
      await clearFaults()
      expect(answer.status).toBe(202)
      expect(await vendorBookings()).toBe(before + 1)
      const settled = await repeatUntilDecided(client, body, key)
      expect([settled.status, await vendorBookings()]).toEqual([201, before + 1])
    },
  )

  test('a vendor that hangs on many bookings in doubt does not delay those of another vendor', async () => {
    const { hotelbeds, expedia_rapid } = stage.sandbox.control
    const loseAnswers = { kind: 'reset_after', operation: 'book' } as const
    const bookInDoubt = async (vendorId: string, count: number): Promise<string[]> => {
      const chosen = offers.filter((offer) => offer.vendorId === vendorId).slice(0, count)
      offers = offers.filter((offer) => !chosen.includes(offer))
      const answers = await Promise.all(chosen.map(({ info }) => client.book(info, newKey())))
      return answers.filter(({ status }) => status === 202).map(({ text }) => JSON.parse(text).data.booking_id)
    }
    try {
      await hotelbeds?.addFaults(loseAnswers, { kind: 'hang', operation: 'find' })
      const hanging = await bookInDoubt('hotelbeds', 40)
      expect(hanging.length).toBeGreaterThan(10)
      await expedia_rapid?.addFaults({ ...loseAnswers, times: 1 })
      const [other = ''] = await bookInDoubt('expedia_rapid', 1)
      await expect.poll(async () => (await client.show(other)).status, { timeout: 15_000 }).toBe('confirmed')
      for (const id of hanging) expect((await client.show(id)).status).toBe('in_doubt')
    } finally {
      await clearFaults()
    }
  })

  test('without any vendor a server is alive and ready, because bookings can still be read', async () => {
    await stage.sandbox.close()
    expect(await readHealth(server.url)).toEqual(HEALTHY)
    expect((await client.bookings()).length).toBeGreaterThan(10)
  })

  test('a stopping server is alive and draining, and exits with 0', async () => {
    const settings = { SERAI_DATA_DIR: stage.dataDir, SERAI_DRAIN_MS: String(DRAIN_MS) }
    const stopping = await startServer({ dataDir: stage.dataDir, port: await freePort(), env: settings })
    const stopped = stopping.stop()
    await waitForHealth(stopping, [200, 503, 'draining'], 500)
    expect(await stopped).toBe(0)
    await expect(fetch(`${stopping.url}/healthz`)).rejects.toThrow()
  })
})

describe('a server on PostgreSQL', () => {
  let postgres: Postgres
  let stage: Stage
  let server: ServerProcess
  beforeAll(async () => {
    postgres = await startPostgres()
    stage = await openStage('health')
    const url = await freshDatabase(postgres, 'health')
    const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, DATABASE_URL: url }
    await addAccounts(env)
    server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
  })
  afterAll(async () => {
    await server?.kill()
    await stage?.close()
    await postgres?.stop()
  })

  test('on a read-only PostgreSQL a server is alive but not ready and books nothing, and it recovers', async () => {
    const client = createApiClient(server.url, await fetchToken(server.url))
    const [offer] = await collectOffers(client, 1)
    const key = newKey()
    await setReadOnly(postgres.url, 'on')
    try {
      await waitForHealth(server, UNHEALTHY, 3_000)
      const refused = await client.book(offer?.info, key)
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([503, 'store_unavailable'])
    } finally {
      await setReadOnly(postgres.url, 'off')
    }
    await waitForHealth(server, HEALTHY, 3_000)
    expect((await client.book(offer?.info, key)).status).toBe(201)
  })

  test('a server is not ready within two seconds after its PostgreSQL dies, and ready again when it is back', async () => {
    await waitForHealth(server, HEALTHY, 8_000)
    await postgres.kill()
    try {
      await waitForHealth(server, UNHEALTHY, 2_000)
    } finally {
      await postgres.start()
    }
    await waitForHealth(server, HEALTHY, 8_000)
    expect(await fetchToken(server.url)).toMatch(/^srt_/)
  })
})

/** Simulates a failover: sessions stay, but their next transaction can only read. */
async function setReadOnly(url: string, to: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set default_transaction_read_only = off')
  await client.query(`alter system set default_transaction_read_only = ${to}`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

/** Repeats the request like a client that waits for the outcome. */
async function repeatUntilDecided(client: ApiClient, body: unknown, key: string) {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await client.book(body, key)
    const { data } = JSON.parse(answer.text) as { data?: { booking_id: string; status: string } }
    if (answer.status === 201) return answer
    if (data !== undefined && (await client.show(data.booking_id)).status === 'confirmed')
      return { ...answer, status: 201 }
    await sleep(250)
  }
  throw new Error('not decided after 15 s')
}

/** Returns true if strace can make system calls of another process fail; warns otherwise. */
function canAttach(): boolean {
  const can = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0
  if (!can)
    console.warn('SKIPPED, a full disk is not tried: strace is missing or may not trace (apt-get install strace).')
  if (!can && process.env.CI === 'true') throw new Error('strace is required in CI')
  return can
}

/** Makes every write of the server to this file fail. */
async function failWrites(pid: number, path: string, error: 'ENOSPC' | 'EROFS'): Promise<{ end(): Promise<void> }> {
  const fault = ['-e', 'trace=pwrite64,pwritev,write', '-e', `inject=pwrite64,pwritev,write:error=${error}`]
  const tracer: ChildProcess = spawn(
    'strace',
    ['-f', '-qq', '-p', String(pid), '-P', path, ...fault, '-o', '/dev/null'],
    {
      stdio: 'ignore',
    },
  )
  await expect.poll(() => tracer.exitCode !== null || isTraced(pid), { timeout: WAIT_MAX_MS, interval: 20 }).toBe(true)
  if (tracer.exitCode !== null) throw new Error('strace could not attach')
  return {
    async end() {
      if (tracer.exitCode !== null) return
      const gone = once(tracer, 'exit')
      tracer.kill('SIGINT')
      await gone
    },
  }
}

/** Returns true if all threads of the process are traced. */
const isTraced = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    /^TracerPid:\t[1-9]/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')),
  )
