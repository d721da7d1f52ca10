import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { defineList } from '../../../src/lists/definition.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import type { ListParams } from '../../../src/lists/plan.ts'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import { runOnSql } from '../../../src/lists/sql/run.ts'
import { openSqlite, sqliteDialect } from '../../../src/store/sqlite-dialect.ts'
import { englishPostgres } from './engines.ts'

/** The storage format of the service: times in milliseconds, dates as text. */
const COLUMNS = { id: 't.id', created_at: 't.created_ms', day: 't.day' }

const definition = defineList({
  fields: {
    id: { type: 'string', sortable: true, filterable: true },
    created_at: { type: 'integer', sortable: true, filterable: true, nullable: false },
    day: { type: 'date', sortable: true, filterable: true },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

const NOON = Date.UTC(2026, 0, 1, 12)
const rows = Array.from({ length: 12 }, (_, index) => ({
  id: `bkg_${index}`,
  created_at: NOON + Math.floor(index / 4) * 1000,
  day: index % 3 === 0 ? null : new Date(NOON + (index % 2) * 86_400_000).toISOString().slice(0, 10),
}))

const REQUESTS: readonly ListParams[] = [
  {},
  { filters: [`created_at:>=<${NOON + 1000}`] },
  { filters: [`created_at:<<${NOON + 1000}`, 'id:!=<bkg_1'] },
  { filters: [`created_at:in<${NOON},${NOON + 2000}`] },
  { filters: ['day:==<2026-01-02'] },
  { filters: ['day:>=<2026-01-01'], order_by: ['day'] },
  { filters: ['id:!=<bkg_2'], order_by: ['day', 'id'], order_directions: ['desc'] },
]

type Row = { id: string }
const context = { cursors: createCursorCodec('a key for this test'), scope: 'storage' }

describe.each(['sqlite', 'postgres'] as const)('lists over the storage format of the service on %s', (dialect) => {
  let db: Kysely<{ kept: Row }>
  beforeAll(async () => {
    db = new Kysely({
      dialect:
        dialect === 'postgres'
          ? await englishPostgres(inject('postgresUrl'))
          : sqliteDialect(() => openSqlite(':memory:')),
    })
    await sql`create table kept (id text, created_ms bigint, day text)`.execute(db)
    for (const { id, created_at, day } of rows) {
      await sql`insert into kept values (${id}, ${created_at}, ${day})`.execute(db)
    }
  })
  afterAll(() => db.destroy())

  async function answers(params: ListParams) {
    const parsed = parseListQuery(definition, params, context)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
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

  test('cursors neither lose nor repeat records of the same millisecond', async () => {
    const visited: string[] = []
    let after: string | null = null
    do {
      const [{ data, meta }]: Awaited<ReturnType<typeof answers>> = await answers({ first: 3, after })
      visited.push(...data.map(({ id }) => id))
      after = meta['has_next_page?'] ? meta.end_cursor : null
    } while (after !== null)
    expect(visited.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  })

  test('the keys for cursors are not part of the records', async () => {
    const [{ data }] = await answers({ first: 1 })
    expect(data).toEqual([{ id: 'bkg_10' }])
  })
})
