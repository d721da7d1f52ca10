import { expect, test } from 'vitest'
import { OPERATORS } from '../../../src/lists/operators.ts'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import { parsePlan, queryErrors, queryIds, shop } from './sample-list.ts'

const parseFilters = (query: string) => parsePlan(query).filters

test('the long form, the printed operator and the short form are equivalent', () => {
  const long = parseFilters('filters[0][field]=type&filters[0][op]===&filters[0][value]=city')
  expect(long).toHaveLength(1)
  expect(parseFilters('filters[0][field]=type&filters[0][op]=:==<&filters[0][value]=city')).toEqual(long)
  expect(parseFilters('filters[]=type:==<city')).toEqual(long)
  expect(parseFilters('filters[0]=type:==<city')).toEqual(long)
  expect(parseFilters('filters%5B%5D=type%3A%3D%3D%3Ccity')).toEqual(long)
  expect(queryIds('filters[]=type:==<city')).toEqual([1, 3])
})

test.each(OPERATORS)('the short form recognises the operator %s and splits at the right position', (operator) => {
  const definition = shop({
    fields: { name: { type: 'any', filterable: true, operators: OPERATORS }, id: { type: 'integer' } },
  })
  const list = operator === 'in' || operator === 'not_in'
  const value = operator.includes('empty') ? 'true' : '<=<a:b=='
  const short = parsePlan({ filters: [`name:${operator}<${value}`] }, definition).filters
  const long = parsePlan(
    { filters: [{ field: 'name', op: operator, value: list ? [value] : value }] },
    definition,
  ).filters
  expect(short).toEqual(long)
})

test('the short form accepts values separated by commas if the operator takes a list', () => {
  expect(queryIds('filters[]=type:in<city,region')).toEqual([1, 3, 4])
  expect(queryIds('filters[]=type:not_in<city,region')).toEqual([2])
  expect(queryIds('filters[]=type:in<')).toEqual([1, 2, 3, 4])
})

test('short and long forms can be combined, and all filters must match', () => {
  expect(queryIds('filters[0]=type:==<city&filters[1][field]=price&filters[1][op]=<&filters[1][value]=15')).toEqual([3])
  expect(queryIds('filters[]=price:>=<10&filters[]=price:<<20')).toEqual([2, 3])
})

test('a short filter with an unknown operator is reported as such, not as malformed', () => {
  expect(queryErrors('filters[]=type:~~<city')[0]).toMatchObject({ field: 'filters[0][op]', code: 'unknown_operator' })
  expect(queryErrors('filters[]=type')[0]).toMatchObject({ field: 'filters', code: 'filters_malformed' })
  expect(queryErrors('filters[]=type:<')[0]).toMatchObject({ field: 'filters', code: 'filters_malformed' })
})

test('case is ignored beyond ASCII, letter by letter', () => {
  const rows = ['ÉTOILE', 'étoile', 'etoile', 'STRASSE', 'straße'].map((name, id) => ({ id, name }))
  const found = (op: string, value: string) => {
    const plan = parsePlan({ filters: [{ field: 'name', op, value }] })
    return runInMemory(plan, rows).data.map(({ id }) => id)
  }
  expect(found('=~', 'Étoile')).toEqual([0, 1])
  expect(found('=~', 'ß')).toEqual([4])
  expect(found('=~', 'ss')).toEqual([3])
  expect(found('like', 'é')).toEqual([1])
  expect(found('starts_with', 'ÉT')).toEqual([0, 1])
})
