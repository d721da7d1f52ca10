import { expect, test } from 'vitest'
import { defineList } from '../../../src/lists/definition.ts'
import { listQuerySchema } from '../../../src/lists/query-schema.ts'
import { shop } from './sample-list.ts'

const listParameters = (definition = shop()) => Object.keys(Object(listQuerySchema(definition).properties))

test('every list parameter is described with the limits and fields of the list', () => {
  expect(listParameters()).toEqual([
    'first',
    'after',
    'last',
    'before',
    'limit',
    'offset',
    'page',
    'page_size',
    'order_by[]',
    'order_directions[]',
    'filters[]',
    'filters[0][field]',
    'filters[0][op]',
    'filters[0][value]',
  ])
  const { properties } = listQuerySchema(shop({ maxLimit: 200, defaultLimit: 20 })) as {
    properties: Record<string, object>
  }
  expect(properties.limit).toMatchObject({ type: 'integer', minimum: 1, maximum: 200, default: 20 })
  expect(properties['order_by[]']).toMatchObject({ items: { enum: ['id', 'name', 'price'] } })
  expect(JSON.stringify(properties['filters[]'])).toContain('`type`: `==` `!=`')
})

test('parameters that a list does not support are not described', () => {
  expect(listParameters(shop({ pagingTypes: ['page'], fields: { id: { type: 'integer' } } }))).toEqual([
    'page',
    'page_size',
  ])
  expect(listParameters(shop({ pagingTypes: [], fields: { id: { type: 'integer', sortable: true } } }))).toEqual([
    'order_by[]',
    'order_directions[]',
  ])
})

test('an invalid definition is refused at startup', () => {
  const fields = { id: { type: 'integer' as const } }
  expect(() => defineList({ fields, tiebreaker: 'uid' })).toThrow(/uid/)
  expect(() => defineList({ fields, defaultOrder: { orderBy: ['age'] } })).toThrow(/age/)
  expect(() => defineList({ fields: { ...fields, label: { type: 'compound', of: ['id'] } } })).toThrow(/label/)
  expect(() => defineList({ fields: { tags: { type: 'string_array', sortable: true } } })).toThrow(/tags/)
})
