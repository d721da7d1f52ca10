import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { defineList, type ListDefinitionInput } from '../../../src/lists/definition.ts'
import { errorMeta } from '../../../src/lists/meta.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import type { ListParams } from '../../../src/lists/plan.ts'
import { parseQueryString } from '../../../src/lists/query-string.ts'
import { type Rows, runInMemory } from '../../../src/lists/run-in-memory.ts'

export const cursors = createCursorCodec('a key for unit tests')
export const listContext = { cursors, scope: 'shop of account 1' }

export type Item = { id: number; name: string | null; price: number; type: string }

export const items: readonly Item[] = [
  { id: 1, name: 'Zelt', price: 20, type: 'city' },
  { id: 2, name: 'anchor', price: 10, type: 'airport' },
  { id: 3, name: null, price: 10, type: 'city' },
  { id: 4, name: 'Anker', price: 30, type: 'region' },
]

export const shop = (more: Partial<ListDefinitionInput> = {}) =>
  defineList({
    fields: {
      id: { type: 'integer', sortable: true, filterable: true },
      name: { type: 'string', sortable: true, filterable: true },
      price: { type: 'float', sortable: true, filterable: true },
      type: { type: 'enum', values: ['city', 'airport', 'region'], filterable: true },
      at: { type: 'datetime', filterable: true },
    },
    tiebreaker: 'id',
    ...more,
  })

export function parseParams(query: string): ListParams {
  const parsed = parseQueryString(query)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.params
}

export function parsePlan(query: string | ListParams, definition = shop()) {
  const parsed = parseListQuery(definition, typeof query === 'string' ? parseParams(query) : query, listContext)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.plan
}

export const runQuery = (query: string | ListParams, definition = shop(), rows: Rows<Item> = items) =>
  runInMemory(parsePlan(query, definition), rows)

export const queryIds = (query: string | ListParams, definition = shop()) =>
  runQuery(query, definition).data.map(({ id }) => id)

export function queryErrors(query: string | ListParams, definition = shop()) {
  const params = typeof query === 'string' ? parseParams(query) : query
  const parsed = parseListQuery(definition, params, listContext)
  return parsed.ok ? [] : errorMeta(definition, parsed.issues, parsed.params).errors
}
