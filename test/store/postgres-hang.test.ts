import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { type Postgres, startPostgres } from '../support/servers/postgres.ts'
import { startStopwatch } from '../support/time/measure.ts'

const CONNECTIONS = 4

describe('a hanging PostgreSQL', () => {
  let postgres: Postgres
  let database: Database
  const hangs: boolean[] = []
  beforeAll(async () => {
    postgres = await startPostgres()
    database = openDatabase({
      kind: 'postgres',
      url: postgres.url,
      connectionsMax: CONNECTIONS,
      onHang: (isHung) => hangs.push(isHung),
    })
  })
  afterAll(async () => {
    postgres?.resume()
    await database?.close()
    await postgres?.stop()
  })

  const query = () => database.write((tx) => sql`select 1`.execute(tx))
  /** Returns the outcome and the duration. */
  async function measureOutcome(work: () => Promise<unknown>): Promise<{ code: string; ms: number }> {
    const readMs = startStopwatch()
    const code = await work().then(
      () => 'answered',
      (error) => (error instanceof AppError ? error.code : String(error)),
    )
    return { code, ms: readMs() }
  }

  test('a PostgreSQL that hangs causes 503 within five seconds, then at once, and is used again as soon as it answers', async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, query))
    postgres.freeze()
    const first = await Promise.all(Array.from({ length: CONNECTIONS * 3 }, () => measureOutcome(query)))
    expect(new Set(first.map(({ code }) => code))).toEqual(new Set(['store_unavailable']))
    expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(5_000)

    const later = await Promise.all(Array.from({ length: 50 }, () => measureOutcome(query)))
    expect(new Set(later.map(({ code }) => code))).toEqual(new Set(['store_unavailable']))
    expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(500)

    postgres.resume()
    const resumedAt = performance.now()
    await expect.poll(async () => (await measureOutcome(query)).code, { timeout: 10_000 }).toBe('answered')
    console.log('a hang, ms:', {
      first: Math.round(Math.max(...first.map(({ ms }) => ms))),
      later: Math.round(Math.max(...later.map(({ ms }) => ms))),
      back: Math.round(performance.now() - resumedAt),
    })
    expect(performance.now() - resumedAt).toBeLessThan(4_000)
    expect(hangs).toEqual([true, false])
    const recovered = await Promise.all(Array.from({ length: 20 }, () => measureOutcome(query)))
    expect(new Set(recovered.map(({ code }) => code))).toEqual(new Set(['answered']))
  })

  test('a slow query of a PostgreSQL that does not hang completes', async () => {
    const slow = await measureOutcome(() => database.write((tx) => sql`select pg_sleep(4)`.execute(tx)))
    expect(slow.code).toBe('answered')
  })

  test('repeated health checks of a hanging PostgreSQL take no more than one connection', async () => {
    postgres.freeze()
    try {
      const probes = Array.from({ length: 20 }, () => measureOutcome(() => database.probe()))
      expect((await measureOutcome(query)).ms).toBeLessThan(5_000)
      expect(new Set((await Promise.all(probes)).map(({ code }) => code))).toEqual(new Set(['store_unavailable']))
    } finally {
      postgres.resume()
    }
    await expect
      .poll(async () => (await measureOutcome(() => database.probe())).code, { timeout: 10_000 })
      .toBe('answered')
  })
})

test.each([
  ['refuses connections', '127.0.0.1:1'],
  // A multicast address is unreachable, like a disconnected network.
  ['is in an unreachable network', '224.0.0.1:5432'],
  ['has an unknown host name', 'no-such-host.invalid:5432'],
])('a PostgreSQL that %s causes 503', async (_, host) => {
  const database = openDatabase({ kind: 'postgres', url: `postgres://serai@${host}/serai` })
  await expect(database.write((tx) => sql`select 1`.execute(tx))).rejects.toMatchObject({ code: 'store_unavailable' })
  await database.close()
})
