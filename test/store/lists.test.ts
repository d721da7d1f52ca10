import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createCursorCodec } from '../../src/lists/cursor.ts'
import type { ListMeta } from '../../src/lists/meta.ts'
import { parseListQuery } from '../../src/lists/parse-list-query.ts'
import type { ListParams } from '../../src/lists/plan.ts'
import { postgresEngine, sqliteEngine } from './lists/engines.ts'
import { type Engine, memoryEngine } from './lists/memory-engine.ts'
import { judge } from './lists/run-vectors.ts'
import { trickyRecords, validFilter, validOrder, validPaging } from './lists/tricky-records.ts'
import { createDefinition, type Expectation, type Rec, type Vector } from './lists/vector.ts'

const read = (file: string) => JSON.parse(readFileSync(`test/fixtures/lists/${file}`, 'utf8'))
const vectors: Vector[] = read('vectors.json')
/** Vectors recorded on 0.27.2, with the answer of the main branch, which we follow, and the reason. */
const mainAnswers: Record<string, { why: string; expect: Expectation }> = read('main-answers.json')

const context = { cursors: createCursorCodec('a key for this test'), scope: 'test' }
const definition = createDefinition({ max_limit: 1000 }, true)
const samples = fc.sample(trickyRecords(40), { seed: 20_261_115, numRuns: 3 })
const records = samples[0] ?? []

let engines: { memory: Engine; sqlite: Engine; postgres: Engine }
beforeAll(async () => {
  engines = { memory: memoryEngine, sqlite: sqliteEngine(), postgres: await postgresEngine(inject('postgresUrl')) }
})
afterAll(async () => {
  for (const engine of Object.values(engines ?? {})) await engine.close()
})

describe.each(['sqlite', 'postgres'] as const)('recorded vectors on %s', (name) => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const verdict = await judge(engines[name], vector, mainAnswers[vector.name]?.expect)
    expect(verdict).toEqual({ vector: vector.name, outcome: 'passed', why: '' })
  })
})

async function answer(engine: Engine, params: ListParams, source: readonly Rec[] = records) {
  const parsed = parseListQuery(definition, params, context)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return engine.run(parsed.plan, source)
}

test('memory, SQLite and PostgreSQL give the same answer to any valid list request, including cursors', async () => {
  const filters = fc.array(validFilter, { maxLength: 3 })
  const request = fc.record({ filters, order: validOrder, paging: validPaging, source: fc.constantFrom(...samples) })
  let nonEmpty = 0
  await fc.assert(
    fc.asyncProperty(request, async ({ filters, order, paging, source }) => {
      const params = { ...order, ...paging, filters }
      const expected = await answer(engines.memory, params, source)
      if (expected.ids.length > 0) nonEmpty += 1
      expect(await answer(engines.sqlite, params, source)).toEqual(expected)
      expect(await answer(engines.postgres, params, source)).toEqual(expected)
    }),
    { numRuns: 800 },
  )
  // Guards against a run with mostly empty answers.
  expect(nonEmpty).toBeGreaterThan(200)
})

test('paging by cursor, forwards or backwards, returns every record exactly once on each engine', async () => {
  await fc.assert(
    fc.asyncProperty(validOrder, fc.integer({ min: 1, max: 17 }), async (order, size) => {
      const all = (await answer(engines.memory, { ...order, limit: 1000 })).ids
      for (const engine of Object.values(engines)) {
        expect(await walk(engine, order, size, 'first')).toEqual(all)
        expect(await walk(engine, order, size, 'last')).toEqual(all)
      }
    }),
    { numRuns: 25 },
  )
})

async function walk(engine: Engine, order: ListParams, size: number, direction: 'first' | 'last'): Promise<unknown[]> {
  const forward = direction === 'first'
  const more = (meta: ListMeta) => (forward ? meta['has_next_page?'] : meta['has_previous_page?'])
  let visited: unknown[] = []
  let cursor: string | null = null
  for (;;) {
    const position = cursor === null ? {} : { [forward ? 'after' : 'before']: cursor }
    const { ids, meta } = await answer(engine, { ...order, [direction]: size, ...position })
    visited = forward ? [...visited, ...ids] : [...ids, ...visited]
    cursor = forward ? meta.end_cursor : meta.start_cursor
    if (!more(meta) || visited.length > records.length) return visited
  }
}

test('every engine can search for the longest text that a filter may have', async () => {
  const letters = Array.from({ length: 2000 }, (_, index) => String.fromCodePoint(0x100 + (index % 0x180))).join('')
  for (const value of [letters, 'É'.repeat(2000), '*'.repeat(2000), '\\'.repeat(2000)]) {
    const params = { filters: [{ field: 'label', op: '=~', value }] }
    for (const engine of Object.values(engines)) expect((await answer(engine, params)).ids).toEqual([])
  }
})

test('the maximum of filters, values, words and order fields does not exceed a database limit', async () => {
  const value = Array.from({ length: 500 }, (_, index) => `v${index}`)
  const words = Array.from({ length: 20 }, (_, index) => `w${index}`)
  const filters = Array.from({ length: 20 }, (_, index) =>
    index > 1
      ? { field: 'name', op: 'not_in', value }
      : { field: 'label', op: index === 1 ? 'ilike_or' : 'like_and', value: words },
  )
  const order_by = Array.from({ length: 5000 }, (_, index) => (index % 2 === 0 ? 'name' : 'age'))
  for (const engine of Object.values(engines)) {
    expect((await answer(engine, { filters, order_by, page: 1 })).ids).toEqual([])
  }
  const arrays = [{ field: 'tags', op: 'in', value: value.map((tag) => [tag]) }]
  for (const engine of Object.values(engines)) expect((await answer(engine, { filters: arrays })).ids).toEqual([])
})

test('a page far beyond the end is empty, not an error', async () => {
  for (const engine of Object.values(engines)) {
    const { ids, meta } = await answer(engine, { page: '900000000000', page_size: 1000 })
    expect([ids, meta.current_page, meta['has_next_page?']]).toEqual([[], 900_000_000_000, false])
    expect((await answer(engine, { offset: String(Number.MAX_SAFE_INTEGER) })).ids).toEqual([])
  }
})
