import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { defineList } from '../../../src/lists/definition.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import { runInMemory, runInMemorySlices } from '../../../src/lists/run-in-memory.ts'
import { runOnSql } from '../../../src/lists/sql/run.ts'
import { openSqlite, sqliteDialect } from '../../../src/store/sqlite-dialect.ts'
import { startStopwatch } from '../../support/time/measure.ts'

const ROWS = 3_000
const definition = defineList({
  fields: {
    id: { type: 'string', sortable: true, nullable: false },
    name: { type: 'string', sortable: true, filterable: true, nullable: false },
    n: { type: 'integer', filterable: true, nullable: false },
  },
  tiebreaker: 'id',
})
const rows = Array.from({ length: ROWS }, (_, n) => ({
  id: `id_${String((n * 7_919) % ROWS).padStart(5, '0')}`,
  name: `Hotel ${n} am See ${'ab'.repeat(n % 20)}`,
  n,
}))
const absent = (from: number) => Array.from({ length: 16 }, (_, i) => `zz${from + i}`)
const parsePlan = (params: Record<string, unknown>) => {
  const parsed = parseListQuery(definition, params, { cursors: createCursorCodec('a key for this test'), scope: 'x' })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.plan
}
const filters = [
  { field: 'name', op: 'ilike_or', value: [...absent(0), 'HOTEL 1'] },
  { field: 'name', op: 'ilike_or', value: [...absent(20), 'see'] },
  { field: 'name', op: 'like_and', value: ['am', 'ab', 'See'] },
  { field: 'n', op: '>=', value: '5' },
]

let db: Kysely<{ kept: { id: string; name: string; n: number } }>
beforeAll(async () => {
  db = new Kysely({ dialect: sqliteDialect(() => openSqlite(':memory:')) })
  await sql`create table kept (id text, name text, n integer)`.execute(db)
  await sql`insert into kept select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(rows.map(Object.values))})`.execute(
    db,
  )
})
afterAll(() => db.destroy())

/** Measures the longest block of the event loop, without time that this thread waited for a processor. */
async function measureBlocking(work: () => Promise<unknown>): Promise<{ longestMs: number; totalMs: number }> {
  const readMs = startStopwatch()
  let [last, longestMs, running] = [0, 0, true]
  const tick = () => {
    const now = readMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (running) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  running = false
  return { longestMs, totalMs: readMs() }
}

const source = () => ({
  dialect: 'sqlite' as const,
  query: db.selectFrom('kept').selectAll(),
  columns: { id: 'id', name: 'name', n: 'n' },
})

test.each([{}, { page: 2, page_size: 7 }, { first: 5, order_by: ['name'] }, { last: 5, order_by: ['name'] }])(
  'searching words in slices gives the same result as at once: %j',
  async (paging) => {
    const plan = parsePlan({ filters, ...paging })
    const expected = runInMemory(plan, rows)
    expect(expected.data.length).toBeGreaterThan(4)
    expect(await runOnSql(plan, source())).toEqual(expected)
    expect(await runInMemorySlices(plan, rows, (row, field) => row[field as 'id'])).toEqual(expected)
  },
)

test('searching words does not block the event loop, in the database or in memory', async () => {
  const plan = parsePlan({ filters })
  await runOnSql(plan, source())
  const many = Array.from({ length: 10 }, () => rows).flat()
  for (const work of [
    () => runOnSql(plan, source()),
    () => runInMemorySlices(plan, many, (row, field) => row[field as 'id']),
  ]) {
    const turns = await measureBlocking(work)
    expect(turns.longestMs).toBeLessThan(Math.max(30, turns.totalMs / 2))
  }
})

test('the cost of a word search, words times records, is charged before the search', async () => {
  const charged: number[] = []
  const refuse = async (tests: number) => {
    charged.push(tests)
    throw new Error('too much')
  }
  await expect(runOnSql(parsePlan({ filters }), source(), refuse)).rejects.toThrow('too much')
  expect(charged).toEqual([(ROWS - 5) * 37])
})
