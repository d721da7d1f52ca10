import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SavedSearch } from '../../src/domain/saved-search.ts'
import { createSearchStore } from '../../src/search/store/searches.ts'
import { type Database, openDatabase, type ReadOnly, type Tx } from '../../src/store/database.ts'
import { createHistoryReader } from '../../src/store/history.ts'
import { migrate } from '../../src/store/migrations.ts'
import type { Postgres } from '../support/servers/postgres.ts'
import { startPrimary, startStandby, stopReplication } from '../support/servers/postgres-standby.ts'

const FAILURE_PAUSE_MS = 5_100

let primary: Postgres
let standby: Postgres
let database: Database
beforeAll(async () => {
  primary = await startPrimary()
  standby = await startStandby(primary)
  database = openDatabase({ kind: 'postgres', url: primary.url, readUrl: standby.url, connectionsMax: 4 })
  await migrate(database)
  await createHistoryReader(database, { now: () => 1 }).read()
  await database.write((tx) => sql`create table counted (n integer)`.execute(tx))
})
afterAll(async () => {
  await database?.close()
  await Promise.all([primary?.kill(), standby?.kill()])
  await Promise.all([primary?.stop(), standby?.stop()])
})

const add = () => database.write((tx) => sql`insert into counted values (1)`.execute(tx))
const count = async (db: ReadOnly) => {
  const query = sql<{
    count: number
    standby: boolean
  }>`select count(*) as count, pg_is_in_recovery() as standby from counted`
  return (await query.execute(db as Tx)).rows[0]
}
const readFresh = () => database.readFresh(count)
const waitForReplica = () =>
  expect.poll(async () => (await readFresh())?.standby, { timeout: 20_000, interval: 100 }).toBe(true)

test('a list right after a commit contains it, and comes from the standby', async () => {
  await waitForReplica()
  let fromStandby = 0
  for (let commits = 1; commits <= 50; commits += 1) {
    await add()
    const read = await readFresh()
    expect(read?.count).toBe(commits)
    if (read?.standby) fromStandby += 1
  }
  expect(fromStandby).toBeGreaterThan(25)
})

test('a standby that lags is not asked until it has caught up, and no commit is missing meanwhile', async () => {
  await waitForReplica()
  const before = (await readFresh())?.count ?? 0
  const sender = await stopReplication(primary)
  try {
    for (let commits = 1; commits <= 3; commits += 1) {
      await add()
      const startedAt = performance.now()
      expect(await readFresh()).toEqual({ count: before + commits, standby: false })
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    }
  } finally {
    process.kill(sender, 'SIGCONT')
  }
  await waitForReplica()
  expect((await readFresh())?.count).toBe(before + 3)
})

test('a saved search is found before the standby has it', async () => {
  const searches = createSearchStore(database)
  const search = { searchId: 's-1', accountId: 'acc_1', createdAt: 1, expiresAt: 2, simulated: false, found: 1 }
  const stay = { checkIn: '2027-03-01', checkOut: '2027-03-02' }
  const terms = { location: { name: 'Lisbon' }, stay }
  const sender = await stopReplication(primary)
  try {
    await searches.save({ ...search, terms } as unknown as SavedSearch, Buffer.from('results'))
    expect((await searches.withResults('acc_1', 's-1'))?.search.searchId).toBe('s-1')
  } finally {
    process.kill(sender, 'SIGCONT')
  }
  await waitForReplica()
  const [listed] = await searches.listing('acc_1', false, ({ query }) => query.execute())
  expect(listed?.search_id).toBe('s-1')
  expect((await searches.withResults('acc_1', 's-1'))?.search.searchId).toBe('s-1')
  expect(await searches.withResults('acc_1', 's-2')).toBeUndefined()
})

test('a standby that was killed costs no read, and is used again once it is back', async () => {
  await waitForReplica()
  const before = (await readFresh())?.count ?? 0
  await standby.kill()
  await add()
  expect(await readFresh()).toEqual({ count: before + 1, standby: false })
  await standby.start()
  await sleep(FAILURE_PAUSE_MS)
  await waitForReplica()
  expect((await readFresh())?.count).toBe(before + 1)
})

test('a replica of a primary that was replaced is not asked, even if it is ahead', async () => {
  await waitForReplica()
  const setTimeline = (timeline: string) =>
    database.write((tx) => tx.updateTable('store_history').set({ timeline }).execute())
  await setTimeline('000000FF')
  await sleep(500)
  expect((await readFresh())?.standby).toBe(false)
  await setTimeline('00000001')
  await waitForReplica()
})
