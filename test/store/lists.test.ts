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
import { definitionOf, type Expectation, type Rec, type Vector } from './lists/vector.ts'

const read = (file: string) => JSON.parse(readFileSync(`test/fixtures/lists/${file}`, 'utf8'))
const vectors: Vector[] = read('vectors.json')
/** Vectors whose recorded answer is that of 0.27.2, with the answer of the main branch, which we follow, and why. */
const mainAnswers: Record<string, { why: string; expect: Expectation }> = read('main-answers.json')

const context = { cursors: createCursorCodec('a key for this test'), scope: 'test' }
const definition = definitionOf({ max_limit: 1000 }, true)
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

async function answer(engine: Engine, params: ListParams, over: readonly Rec[] = records) {
  const parsed = parseListQuery(definition, params, context)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return engine.run(parsed.plan, over)
}

test('any valid request is answered alike in memory, by SQLite and by PostgreSQL, cursors included', async () => {
  const filters = fc.array(validFilter, { maxLength: 3 })
  const request = fc.record({ filters, order: validOrder, paging: validPaging, over: fc.constantFrom(...samples) })
  let full = 0
  await fc.assert(
    fc.asyncProperty(request, async ({ filters, order, paging, over }) => {
      const params = { ...order, ...paging, filters }
      const expected = await answer(engines.memory, params, over)
      if (expected.ids.length > 0) full += 1
      expect(await answer(engines.sqlite, params, over)).toEqual(expected)
      expect(await answer(engines.postgres, params, over)).toEqual(expected)
    }),
    { numRuns: 800 },
  )
  // A property over empty answers alone would prove nothing.
  expect(full).toBeGreaterThan(200)
})

test('walking by cursor, forwards and backwards, meets every record exactly once on each engine', async () => {
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

async function walk(engine: Engine, order: ListParams, size: number, way: 'first' | 'last'): Promise<unknown[]> {
  const forward = way === 'first'
  const more = (meta: ListMeta) => (forward ? meta['has_next_page?'] : meta['has_previous_page?'])
  let met: unknown[] = []
  let cursor: string | null = null
  for (;;) {
    const at = cursor === null ? {} : { [forward ? 'after' : 'before']: cursor }
    const { ids, meta } = await answer(engine, { ...order, [way]: size, ...at })
    met = forward ? [...met, ...ids] : [...ids, ...met]
    cursor = forward ? meta.end_cursor : meta.start_cursor
    if (!more(meta) || met.length > records.length) return met
  }
}

test('the longest text that a filter may carry is within what every engine can search for', async () => {
  const letters = Array.from({ length: 2000 }, (_, index) => String.fromCodePoint(0x100 + (index % 0x180))).join('')
  for (const value of [letters, 'É'.repeat(2000), '*'.repeat(2000), '\\'.repeat(2000)]) {
    const params = { filters: [{ field: 'label', op: '=~', value }] }
    for (const engine of Object.values(engines)) expect((await answer(engine, params)).ids).toEqual([])
  }
})

test('the most filters, values, words and order fields that a request may carry do not exceed a database limit', async () => {
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
