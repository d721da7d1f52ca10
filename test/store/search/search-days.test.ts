import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { SavedSearch } from '../../../src/domain/saved-search.ts'
import { createSearchStore } from '../../../src/search/store/searches.ts'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { freshDatabase } from '../../support/servers/postgres.ts'

const DAY_MS = 86_400_000
/** After the migration, at any time of the day. */
const START = Math.floor(Date.now() / DAY_MS + 3) * DAY_MS + 12 * 3_600_000

let database: Database
beforeAll(async () => {
  database = openDatabase({ kind: 'postgres', url: await freshDatabase({ url: inject('postgresUrl') }, 'search_days') })
  await migrate(database)
})
afterAll(() => database?.close())

const aSearch = (searchId: string, expiresAt: number) => {
  const terms = { location: { name: 'Lisbon' }, stay: { checkIn: '2027-03-01', checkOut: '2027-03-02' } }
  const search = { accountId: 'acc_1', createdAt: expiresAt - 3_600_000, simulated: false, found: 1 }
  return { searchId, expiresAt, ...search, terms } as unknown as SavedSearch
}
const day = (ahead: number) => new Date(START + ahead * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '_')

async function listPlaces(): Promise<Record<string, string>> {
  const rows = await database.write((tx) =>
    tx
      .selectFrom('searches')
      .select(['search_id', sql<string>`tableoid::regclass::text`.as('place')])
      .execute(),
  )
  return Object.fromEntries(rows.map(({ search_id, place }) => [search_id, place]))
}
async function listDays(): Promise<string[]> {
  const { rows } = await database.write((tx) =>
    sql<{
      name: string
    }>`select relname as name from pg_class where relispartition and relkind = 'r' order by 1`.execute(tx),
  )
  return rows.map(({ name }) => name.replace('searches_', '')).filter((name) => /^\d/.test(name))
}

test('a search is stored in the partition of the day on which it expires, and a whole day is dropped', async () => {
  const searches = createSearchStore(database)
  await searches.forgetExpired(START, START - DAY_MS)
  expect(await listDays()).toEqual([day(0), day(1), day(2)])
  await searches.save(aSearch('s-today', START + 3_600_000), Buffer.from('x'))
  await searches.save(aSearch('s-tomorrow', START + DAY_MS), Buffer.from('x'))
  await searches.save(aSearch('s-far', START + 9 * DAY_MS), Buffer.from('x'))
  expect(await listPlaces()).toEqual({
    's-today': `searches_${day(0)}`,
    's-tomorrow': `searches_${day(1)}`,
    's-far': 'searches_rest',
  })
  // The results are emptied on expiry, the row stays until its whole day is old enough.
  const later = START + 1.2 * DAY_MS
  await searches.forgetExpired(later, START)
  expect((await searches.withResults('acc_1', 's-today'))?.results).toHaveLength(0)
  await searches.forgetExpired(later, START + 0.3 * DAY_MS)
  expect(Object.keys(await listPlaces())).toContain('s-today')
  await searches.forgetExpired(later, START + 0.6 * DAY_MS)
  expect(Object.keys(await listPlaces()).sort()).toEqual(['s-far', 's-tomorrow'])
  expect(await listDays()).toEqual([day(1), day(2), day(3)])
})

test('two nodes may keep the days at once, and a day with rows in the remaining partition is left out', async () => {
  const stores = [createSearchStore(database), createSearchStore(database)]
  const now = START + 8 * DAY_MS
  await Promise.all(stores.map((searches) => searches.forgetExpired(now, now - DAY_MS)))
  expect(await listDays()).toEqual([day(8), day(10)])
  expect((await listPlaces())['s-far']).toBe('searches_rest')
  await stores[0]?.forgetExpired(START + 12 * DAY_MS, START + 11 * DAY_MS)
  expect(await listPlaces()).toEqual({})
})

test('searches of the version before stay readable, and that version can go on writing', async () => {
  const url = await freshDatabase({ url: inject('postgresUrl') }, 'search_days_before')
  const before = openDatabase({ kind: 'postgres', url })
  await migrate(before)
  await before.write(async (tx) => {
    await sql`drop table searches`.execute(tx)
    await sql`delete from kysely_migration where name = '132-search-days-postgres'`.execute(tx)
    await sql`create table searches (search_id text primary key, account_id text not null, created_at bigint not null,
      expires_at bigint not null, simulated integer not null, destination text not null, check_in text not null,
      check_out text not null, found integer not null, head text not null, results bytea not null)`.execute(tx)
    await sql`create index searches_by_account on searches (account_id, created_at, search_id)`.execute(tx)
    await sql`create index searches_by_expiry on searches (expires_at)`.execute(tx)
  })
  const now = Date.now()
  const insert = (id: string, expiresAt: number) =>
    before.write((tx) =>
      sql`insert into searches values (${id}, 'acc_1', ${now}, ${expiresAt}, 0, 'Lisbon', '2027-03-01', '2027-03-02', 1, '{}', 'x')`.execute(
        tx,
      ),
    )
  await insert('s-old', now - 2 * DAY_MS)
  await insert('s-open', now + DAY_MS)
  expect(await migrate(before)).toEqual(['132-search-days-postgres'])
  const searches = createSearchStore(before)
  await insert('s-new', now + 3_600_000)
  await insert('s-later', now + 3 * DAY_MS)
  for (const id of ['s-old', 's-open', 's-new', 's-later'])
    expect((await searches.withResults('acc_1', id))?.results).toHaveLength(1)
  // As the version before deletes.
  await before.write((tx) => sql`delete from searches where search_id in ('s-new')`.execute(tx))
  await searches.forgetExpired(now, now - DAY_MS)
  expect(await searches.withResults('acc_1', 's-old')).toBeUndefined()
  expect((await searches.withResults('acc_1', 's-open'))?.results).toHaveLength(1)
  await before.close()
})
