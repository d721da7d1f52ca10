import { expandCompound } from './definition.ts'
import { COMPARISONS, type FilterTest, type TextTest } from './filter-test.ts'
import type { ListPlan } from './plan.ts'
import { toRegExp } from './text-pattern.ts'
import { compareValues, isTexts, type ListValue } from './values.ts'

/** Reads a field of one record. */
export type ReadField = (field: string) => ListValue

type Match = (read: ReadField) => boolean

/** Combines all filters. As in SQL, a missing value matches only a test for absence. */
export function createMatcher(plan: ListPlan): Match {
  const matches = plan.filters.map(({ field, test }) => {
    const isArray = plan.definition.fields.get(field)?.type === 'string_array'
    return createMatch(expandCompound(plan.definition, field), test, isArray)
  })
  return (read) => matches.every((match) => match(read))
}

function createMatch(parts: readonly string[], test: FilterTest, isArray: boolean): Match {
  if (test.kind === 'text') return textMatch(parts, test)
  if (test.kind === 'empty') {
    const isEmpty = (value: ListValue) => value === null || (isArray && isTexts(value) && value.length === 0)
    return (read) => parts.every((part) => isEmpty(read(part))) === test.empty
  }
  const passes = valueTest(test)
  return (read) => parts.some((part) => passes(read(part)))
}

function valueTest(test: Exclude<FilterTest, { kind: 'text' | 'empty' }>): (value: ListValue) => boolean {
  if (test.kind === 'compare') {
    const { comparison, value: wanted } = test
    return (value) => value !== null && COMPARISONS[comparison].holds(compareValues(value, wanted))
  }
  if (test.kind === 'one_of') {
    const { negated, values } = test
    if (values.length === 0) return () => negated
    const texts = new Set(values)
    if (values.every((value) => typeof value === 'string'))
      return (value) => value !== null && texts.has(value) !== negated
    return (value) => value !== null && values.some((wanted) => compareValues(value, wanted) === 0) !== negated
  }
  const { negated, value: wanted } = test
  return (value) => isTexts(value) && value.some((entry) => entry === wanted) !== negated
}

function textMatch(parts: readonly string[], test: TextTest): Match {
  const finders = test.terms.map((term) => createFinder(term, test))
  return (read) => {
    // Read once, not for every term.
    const texts = parts.map(read).flatMap((value) => (value === null ? [] : [String(value)]))
    const matches = (found: (text: string) => boolean) => texts.some((text) => found(text) !== test.negated)
    return test.every ? finders.every(matches) : finders.some(matches)
  }
}

function createFinder(term: string, test: TextTest): (text: string) => boolean {
  if (!test.ignoreCase) return (text) => text.includes(term)
  const pattern = toRegExp(term, test)
  return (text) => pattern.test(text)
}
