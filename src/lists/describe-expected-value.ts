import type { ListField } from './definition.ts'
import type { FieldType, Operator } from './operators.ts'

const DESCRIPTIONS: Readonly<Partial<Record<FieldType, string>>> = {
  integer: 'a whole number',
  float: 'a number such as 12.5',
  boolean: 'true or false',
  date: 'a date, YYYY-MM-DD',
  datetime: 'a date or a time such as 2027-01-15T12:00:00Z (the + of an offset is written %2B)',
}
const ELEMENT_OPERATORS: readonly Operator[] = ['contains', 'not_contains']

export function describeExpectedValue(field: ListField, operator: Operator): string {
  if (operator === 'empty' || operator === 'not_empty') return 'true or false'
  const isArray = field.type === 'string_array' && !ELEMENT_OPERATORS.includes(operator)
  const single = field.type === 'enum' ? `one of ${field.values.join(', ')}` : (DESCRIPTIONS[field.type] ?? 'a text')
  const expected = isArray ? 'a list of texts' : single
  return operator === 'in' || operator === 'not_in' ? `a list; each entry must be ${expected}` : expected
}
