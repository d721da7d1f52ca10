import type { ListValue } from './cast-value.ts'
import { compareValues, isTexts } from './compare-values.ts'
import { partsOf } from './definition.ts'
import type { Comparison, FilterTest, TextTest } from './filter-test.ts'
import type { ListPlan } from './plan.ts'
import type { ReadField } from './row-value.ts'
import { toRegExp } from './text-pattern.ts'

type Match = (read: ReadField) => boolean

/** All filters as one question to a record. As in SQL, a missing value matches nothing but a test for absence. */
export function matcherOf(plan: ListPlan): Match {
  const matches = plan.filters.map(({ field, test }) => {
    const isArray = plan.definition.fields.get(field)?.type === 'string_array'
    return matchOf(partsOf(plan.definition, field), test, isArray)
  })
  return (read) => matches.every((match) => match(read))
}

function matchOf(parts: readonly string[], test: FilterTest, isArray: boolean): Match {
  if (test.kind === 'text') return textMatch(parts, test)
  if (test.kind === 'empty') {
    const isEmpty = (value: ListValue) => value === null || (isArray && isTexts(value) && value.length === 0)
    return (read) => parts.every((part) => isEmpty(read(part))) === test.empty
  }
  const holds = valueTest(test)
  return (read) => parts.some((part) => holds(read(part)))
}

function valueTest(test: Exclude<FilterTest, { kind: 'text' | 'empty' }>): (value: ListValue) => boolean {
  if (test.kind === 'compare') {
    const { comparison, value: wanted } = test
    return (value) => value !== null && HOLDS[comparison](compareValues(value, wanted))
  }
  if (test.kind === 'one_of') {
    const { negated, values } = test
    if (values.length === 0) return () => negated
    return (value) => value !== null && values.some((wanted) => compareValues(value, wanted) === 0) !== negated
  }
  const { negated, value: wanted } = test
  return (value) => isTexts(value) && value.some((entry) => entry === wanted) !== negated
}

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<=': (order) => order <= 0,
  '<': (order) => order < 0,
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
}

function textMatch(parts: readonly string[], test: TextTest): Match {
  const terms = test.terms.map((term) => {
    const found = finder(term, test)
    return (read: ReadField) =>
      parts.some((part) => {
        const value = read(part)
        return value !== null && found(String(value)) !== test.negated
      })
  })
  return test.every ? (read) => terms.every((term) => term(read)) : (read) => terms.some((term) => term(read))
}

function finder(term: string, test: TextTest): (text: string) => boolean {
  if (!test.ignoreCase) return (text) => text.includes(term)
  const pattern = toRegExp(term, test)
  return (text) => pattern.test(text)
}
