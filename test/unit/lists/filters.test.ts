import { expect, test } from 'vitest'
import { OPERATORS } from '../../../src/lists/operators.ts'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import { errorsOf, idsOf, planOf, shop } from './shop.ts'

const filtersOf = (query: string) => planOf(query).filters

test('the long form, the printed operator and the short form mean the same', () => {
  const long = filtersOf('filters[0][field]=type&filters[0][op]===&filters[0][value]=city')
  expect(long).toHaveLength(1)
  expect(filtersOf('filters[0][field]=type&filters[0][op]=:==<&filters[0][value]=city')).toEqual(long)
  expect(filtersOf('filters[]=type:==<city')).toEqual(long)
  expect(filtersOf('filters[0]=type:==<city')).toEqual(long)
  expect(filtersOf('filters%5B%5D=type%3A%3D%3D%3Ccity')).toEqual(long)
  expect(idsOf('filters[]=type:==<city')).toEqual([1, 3])
})

test.each(OPERATORS)('the short form knows %s and cuts it off at the right place', (operator) => {
  const definition = shop({
    fields: { name: { type: 'any', filterable: true, operators: OPERATORS }, id: { type: 'integer' } },
  })
  const list = operator === 'in' || operator === 'not_in'
  const value = operator.includes('empty') ? 'true' : '<=<a:b=='
  const short = planOf({ filters: [`name:${operator}<${value}`] }, definition).filters
  const long = planOf({ filters: [{ field: 'name', op: operator, value: list ? [value] : value }] }, definition).filters
  expect(short).toEqual(long)
})

test('the short form takes several values with commas where the operator takes a list', () => {
  expect(idsOf('filters[]=type:in<city,region')).toEqual([1, 3, 4])
  expect(idsOf('filters[]=type:not_in<city,region')).toEqual([2])
  expect(idsOf('filters[]=type:in<')).toEqual([1, 2, 3, 4])
})

test('short and long forms mix, and all filters must hold', () => {
  expect(idsOf('filters[0]=type:==<city&filters[1][field]=price&filters[1][op]=<&filters[1][value]=15')).toEqual([3])
  expect(idsOf('filters[]=price:>=<10&filters[]=price:<<20')).toEqual([2, 3])
})

test('a short filter with an unknown operator is told so, not called malformed', () => {
  expect(errorsOf('filters[]=type:~~<city')[0]).toMatchObject({ field: 'filters[0][op]', code: 'unknown_operator' })
  expect(errorsOf('filters[]=type')[0]).toMatchObject({ field: 'filters', code: 'filters_malformed' })
  expect(errorsOf('filters[]=type:<')[0]).toMatchObject({ field: 'filters', code: 'filters_malformed' })
})

test('case is ignored beyond ASCII, letter by letter', () => {
  const rows = ['ÉTOILE', 'étoile', 'etoile', 'STRASSE', 'straße'].map((name, id) => ({ id, name }))
  const found = (op: string, value: string) => {
    const plan = planOf({ filters: [{ field: 'name', op, value }] })
    return runInMemory(plan, rows).data.map(({ id }) => id)
  }
  expect(found('=~', 'Étoile')).toEqual([0, 1])
  expect(found('=~', 'ß')).toEqual([4])
  expect(found('=~', 'ss')).toEqual([3])
  expect(found('like', 'é')).toEqual([1])
  expect(found('starts_with', 'ÉT')).toEqual([0, 1])
})
