import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { type Postgres, startPostgres } from '../support/servers/postgres.ts'

const CONNECTIONS = 4

describe('a PostgreSQL that takes questions and answers none', () => {
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

  const ask = () => database.write((tx) => sql`select 1`.execute(tx))
  /** How it ended, and after how long. */
  async function timed(work: () => Promise<unknown>): Promise<{ code: string; ms: number }> {
    const startedAt = performance.now()
    const code = await work().then(
      () => 'answered',
      (error) => (error instanceof AppError ? error.code : String(error)),
    )
    return { code, ms: performance.now() - startedAt }
  }

  test('is told as 503 within five seconds, then at once, and is used again as soon as it speaks', async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, ask))
    postgres.freeze()
    const first = await Promise.all(Array.from({ length: CONNECTIONS * 3 }, () => timed(ask)))
    expect(new Set(first.map(({ code }) => code))).toEqual(new Set(['store_unavailable']))
    expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(5_000)

    const later = await Promise.all(Array.from({ length: 50 }, () => timed(ask)))
    expect(new Set(later.map(({ code }) => code))).toEqual(new Set(['store_unavailable']))
    expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(500)

    postgres.resume()
    const resumedAt = performance.now()
    await expect.poll(async () => (await timed(ask)).code, { timeout: 10_000 }).toBe('answered')
    console.log('a hang, ms:', {
      first: Math.round(Math.max(...first.map(({ ms }) => ms))),
      later: Math.round(Math.max(...later.map(({ ms }) => ms))),
      back: Math.round(performance.now() - resumedAt),
    })
    expect(performance.now() - resumedAt).toBeLessThan(4_000)
    expect(hangs).toEqual([true, false])
    const well = await Promise.all(Array.from({ length: 20 }, () => timed(ask)))
    expect(new Set(well.map(({ code }) => code))).toEqual(new Set(['answered']))
  })

  test('one that is only slow is waited for', async () => {
    const slow = await timed(() => database.write((tx) => sql`select pg_sleep(4)`.execute(tx)))
    expect(slow.code).toBe('answered')
  })

  test('being asked for its health again and again takes no more than one connection', async () => {
    postgres.freeze()
    try {
      const probes = Array.from({ length: 20 }, () => timed(() => database.probe()))
      expect((await timed(ask)).ms).toBeLessThan(5_000)
      expect(new Set((await Promise.all(probes)).map(({ code }) => code))).toEqual(new Set(['store_unavailable']))
    } finally {
      postgres.resume()
    }
    await expect.poll(async () => (await timed(() => database.probe())).code, { timeout: 10_000 }).toBe('answered')
  })
})

test.each([
  ['refuses connections', '127.0.0.1:1'],
  // No connection can be made to such an address, as where a network is cut off.
  ['is in a network that cannot be reached', '224.0.0.1:5432'],
  ['has a name that nobody knows', 'no-such-host.invalid:5432'],
])('a PostgreSQL that %s is told as 503', async (_, host) => {
  const database = openDatabase({ kind: 'postgres', url: `postgres://serai@${host}/serai` })
  await expect(database.write((tx) => sql`select 1`.execute(tx))).rejects.toMatchObject({ code: 'store_unavailable' })
  await database.close()
})
