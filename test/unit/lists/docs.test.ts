import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LIST_DEFAULTS, ORDER_DIRECTIONS } from '../../../src/lists/definition.ts'
import { TERMS_MAX, VALUES_MAX } from '../../../src/lists/filter-test.ts'
import { LIST_ERROR_CODES } from '../../../src/lists/issues.ts'
import { ListMeta } from '../../../src/lists/meta.ts'
import { OPERATORS } from '../../../src/lists/operators.ts'

const doc = readFileSync('docs/lists.md', 'utf8')
const section = (title: string) => doc.split(/^## /m).find((part) => part.startsWith(title)) ?? ''
const firstCells = (text: string) =>
  [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word),
  )

test('the table of operators lists exactly the existing ones', () => {
  expect(firstCells(section('Filtering')).toSorted()).toEqual(OPERATORS.toSorted())
})

test('the table of error codes lists exactly the existing ones and more_errors', () => {
  expect(firstCells(section('Errors')).toSorted()).toEqual([...LIST_ERROR_CODES, 'more_errors'].toSorted())
})

test('the directions, meta fields and limits in the document match the code', () => {
  for (const direction of ORDER_DIRECTIONS) expect(section('Ordering')).toContain(`\`${direction}\``)
  for (const field of Object.keys(ListMeta.properties)) expect(doc).toContain(`"${field}"`)
  expect(doc).toContain(`first ${LIST_DEFAULTS.defaultLimit} records. A page has at most ${LIST_DEFAULTS.maxLimit}`)
  expect(doc).toContain(`At most ${LIST_DEFAULTS.maxFilters} filters`)
  expect(doc).toContain(`at most ${VALUES_MAX} values, the operators on words at most ${TERMS_MAX} words each`)
})
