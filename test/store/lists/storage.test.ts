import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { defineList } from '../../../src/lists/definition.ts'
import { type ListParams, parseListQuery } from '../../../src/lists/parse-list-query.ts'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import { runOnSql } from '../../../src/lists/sql-run.ts'
import { openSqlite, sqliteDialect } from '../../../src/store/sqlite-dialect.ts'
import { englishPostgres } from './engines.ts'

/** As the service keeps things, in both databases: times in milliseconds, flags as 0 and 1, JSON as text. */
const COLUMNS = {
  id: { column: 't.id' },
  created_at: { column: 't.created_ms' },
  seen_at: { column: 't.seen_iso', storage: 'iso_text' as const },
  simulated: { column: 't.simulated', storage: 'flag' as const },
  amenities: { column: 't.amenities', storage: 'json' as const },
  day: { column: sql`substr(t.seen_iso, 1, 10)` },
}

const definition = defineList({
  fields: {
    id: { type: 'string', sortable: true, filterable: true },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    seen_at: { type: 'datetime', sortable: true, filterable: true },
    simulated: { type: 'boolean', sortable: true, filterable: true },
    amenities: { type: 'string_array', filterable: true },
    day: { type: 'date', sortable: true, filterable: true },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

const NOON = Date.UTC(2026, 0, 1, 12)
const rows = Array.from({ length: 12 }, (_, index) => ({
  id: `bkg_${index}`,
  created_at: NOON + Math.floor(index / 4) * 1000,
  seen_at: index % 3 === 0 ? null : new Date(NOON + (index % 2) * 86_400_000).toISOString(),
  simulated: index % 2 === 0,
  amenities: index % 4 === 0 ? null : ['pool', 'spa'].slice(0, index % 3),
  day: index % 3 === 0 ? null : new Date(NOON + (index % 2) * 86_400_000).toISOString().slice(0, 10),
}))

const REQUESTS: readonly ListParams[] = [
  {},
  { filters: ['created_at:>=<2026-01-01T13:00:01+01:00'] },
  { filters: ['created_at:<<2026-01-01 12:00:01', 'simulated:==<true'] },
  { filters: ['seen_at:in<2026-01-01T12:00:00Z,2026-01-05'] },
  { filters: ['seen_at:>=<2026-01-02'], order_by: ['seen_at'] },
  { filters: ['amenities:contains<spa'] },
  { filters: ['amenities:not_contains<spa'] },
  { filters: ['amenities:empty<true'] },
  { filters: [{ field: 'amenities', value: ['pool'] }] },
  { filters: ['day:==<2026-01-02'] },
  { filters: ['simulated:!=<1'], order_by: ['simulated', 'day'], order_directions: ['desc'] },
]

type Row = { id: string }
const context = { cursors: createCursorCodec('a key for this test'), scope: 'storage' }

describe.each(['sqlite', 'postgres'] as const)('fields kept as the service keeps them, on %s', (dialect) => {
  let db: Kysely<{ kept: Row }>
  let stop = async () => {}
  beforeAll(async () => {
    const server = dialect === 'postgres' ? await englishPostgres() : undefined
    stop = server?.stop ?? stop
    db = new Kysely({ dialect: server?.dialect ?? sqliteDialect(() => openSqlite(':memory:')) })
    await sql`create table kept (id text, created_ms bigint, seen_iso text, simulated integer, amenities text)`.execute(
      db,
    )
    for (const { id, created_at, seen_at, simulated, amenities } of rows) {
      const json = amenities && JSON.stringify(amenities)
      await sql`insert into kept values (${id}, ${created_at}, ${seen_at}, ${Number(simulated)}, ${json})`.execute(db)
    }
  })
  afterAll(async () => {
    await db.destroy()
    await stop()
  })

  async function answers(params: ListParams) {
    const parsed = parseListQuery(definition, params, context)
    if (!parsed.ok) throw new Error(JSON.stringify([...parsed.errors.params]))
    const query = db.selectFrom('kept as t').select('t.id').where('t.id', '!=', 'none')
    const found = await runOnSql(parsed.plan, { dialect, query, columns: COLUMNS })
    const expected = runInMemory(parsed.plan, rows)
    return [found, { data: expected.data.map(({ id }) => ({ id })), meta: expected.meta }] as const
  }

  test.each(REQUESTS.map((params) => [JSON.stringify(params), params] as const))('%s', async (_, params) => {
    for (const paging of [{}, { first: 3 }, { last: 3 }]) {
      const [found, expected] = await answers({ ...params, ...paging })
      expect(found).toEqual(expected)
    }
  })

  test('records of one millisecond are neither lost nor repeated by cursors', async () => {
    const met: string[] = []
    let after: string | null = null
    do {
      const [{ data, meta }]: Awaited<ReturnType<typeof answers>> = await answers({ first: 3, after })
      met.push(...data.map(({ id }) => id))
      after = meta['has_next_page?'] ? meta.end_cursor : null
    } while (after !== null)
    expect(met.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  })

  test('the keys that cursors need do not show in the records', async () => {
    const [{ data }] = await answers({ first: 1 })
    expect(data).toEqual([{ id: 'bkg_10' }])
  })
})
