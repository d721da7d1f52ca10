import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/store/database.ts'
import type { Postgres } from '../support/servers/postgres.ts'
import {
  promote,
  setSynchronous,
  startPrimary,
  startStandby,
  stopReplication,
} from '../support/servers/postgres-standby.ts'

describe('a primary and a synchronous standby', () => {
  let primary: Postgres
  let standby: Postgres
  let database: Database
  beforeEach(async () => {
    primary = await startPrimary()
    standby = await startStandby(primary)
    await setSynchronous(primary, 'on')
    // The standby first, so that the order does not help.
    const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join()
    database = openDatabase({ kind: 'postgres', url: `postgres://serai@${hosts}/postgres`, connectionsMax: 4 })
    await database.write((tx) => sql`create table kept (n integer)`.execute(tx))
  })
  afterEach(async () => {
    for (const server of [primary, standby]) server?.resume()
    await database?.close()
    await Promise.all([primary?.kill(), standby?.kill()])
    await Promise.all([primary?.stop(), standby?.stop()])
  })

  const write = () => database.write((tx) => sql`insert into kept values (1)`.execute(tx))
  const connections = () => Promise.allSettled(Array.from({ length: 4 }, write))
  const isWritable = () =>
    write().then(
      () => true,
      () => false,
    )
  const measureReturn = async (since: number) => {
    await expect.poll(isWritable, { timeout: 20_000, interval: 50 }).toBe(true)
    return performance.now() - since
  }

  test('after the primary was killed, the promoted standby is found within seconds', async () => {
    await connections()
    await primary.kill()
    expect(await isWritable()).toBe(false)
    await setSynchronous(standby, 'off')
    await promote(standby)
    expect(await measureReturn(performance.now())).toBeLessThan(4_000)
  })

  test('connections to a primary that hangs are dropped, and the promoted standby is found within seconds', async () => {
    await connections()
    primary.freeze()
    const hangingAt = performance.now()
    const hanging = connections()
    await setSynchronous(standby, 'off')
    await promote(standby)
    expect(await measureReturn(hangingAt)).toBeLessThan(8_000)
    await hanging
    // The old primary returns without knowing that it was replaced.
    primary.resume()
    await connections()
    const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(database.read as never)
    expect(rows).toEqual([{ port: standby.port }])
  })

  test('a primary whose standby was promoted is left, although it still answers queries', async () => {
    await connections()
    await stopReplication(primary)
    await setSynchronous(standby, 'off')
    await promote(standby)
    const late = connections()
    const startedAt = performance.now()
    await database.probe().catch(() => undefined)
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    await late
    await expect.poll(isWritable).toBe(true)
  })

  test('the database is not ready while a commit waits for the synchronous standby, and ready when it is back', async () => {
    await database.probe()
    standby.freeze()
    const probes = [database.probe(), database.probe()]
    expect(await Promise.race([...probes, sleep(1_500).then(() => 'waiting')])).toBe('waiting')
    standby.resume()
    await Promise.all(probes)
  })
})
