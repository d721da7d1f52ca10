import { allowedOperators } from './definition.ts'
import { describeExpectedValue } from './describe-expected-value.ts'
import { type PlannedFilter, readFilterValue, WORDS_MAX } from './filter-test.ts'
import type { ListErrorCode, ListIssue } from './issues.ts'
import { bareOperator, isOperator, OPERATORS } from './operators.ts'
import { type Reading, sentValue } from './plan.ts'
import { isBlank } from './values.ts'
import { testsPerRow } from './work.ts'

type RawFilter = { readonly field: unknown; readonly op: unknown; readonly value: unknown }

/** Beyond this, filters are only counted, so that a huge request is cheap. */
const EXAMINED_MAX = 100

export function readFilters(reading: Reading): readonly PlannedFilter[] {
  const { definition, params, issues } = reading
  if (!Object.hasOwn(params, 'filters')) return []
  const raw = parseRawFilters(params.filters)
  if (raw === undefined) {
    issues.push({ field: 'filters', code: 'filters_malformed' })
    return []
  }
  const { maxFilters } = definition.options
  const found = issues.length
  const examined = raw.length > Math.max(maxFilters, EXAMINED_MAX) ? [] : raw
  const filters = examined.flatMap((filter, index) => readFilter(reading, filter, `filters[${index}]`) ?? [])
  if (raw.length > maxFilters && issues.length === found) {
    issues.push({ field: 'filters', code: 'too_many_filters', limit: maxFilters })
  }
  if (testsPerRow({ filters: filters.filter(({ test }) => test.kind === 'text') }) > WORDS_MAX) {
    issues.push({ field: 'filters', code: 'too_many_words', limit: WORDS_MAX })
  }
  return filters
}

/** Converts an indexed map of filters to a list in index order. */
export function normalizeFilters(raw: unknown): unknown {
  return isMap(raw) && Object.keys(raw).every(isIndex) ? listEntries(raw) : raw
}

function parseRawFilters(raw: unknown): readonly RawFilter[] | undefined {
  if (!Array.isArray(raw) && !isMap(raw)) return undefined
  const filters = (Array.isArray(raw) ? raw : listEntries(raw)).map(parseRawFilter)
  return filters.every((filter) => filter !== undefined) ? filters : undefined
}

function parseRawFilter(entry: unknown): RawFilter | undefined {
  if (typeof entry === 'string') return readShortForm(entry)
  if (!isMap(entry)) return undefined
  return { field: sentValue(entry, 'field'), op: sentValue(entry, 'op'), value: sentValue(entry, 'value') }
}

/** Parses `type:==<city`: no operator followed by `<` is a prefix of another. `in` and `not_in` take a comma-separated list. */
function readShortForm(text: string): RawFilter | undefined {
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const rest = text.slice(colon + 1)
  const op = OPERATORS.find((operator) => rest.startsWith(`${operator}<`)) ?? rest.slice(0, rest.indexOf('<'))
  if (op === '' || !rest.includes('<')) return undefined
  const value = rest.slice(op.length + 1)
  const isList = op === 'in' || op === 'not_in'
  return { field: text.slice(0, colon), op, value: isList && value !== '' ? value.split(',') : value }
}

/** Undefined if the filter is invalid, which adds issues, or has no effect. */
function readFilter({ definition, issues }: Reading, raw: RawFilter, path: string): PlannedFilter | undefined {
  const addIssue = (part: keyof RawFilter, code: ListErrorCode, facts: Pick<ListIssue, 'names' | 'expected'> = {}) => {
    issues.push({ field: `${path}[${part}]`, code, ...facts })
  }
  const name = typeof raw.field === 'string' ? raw.field : ''
  const field = definition.fields.get(name)
  const isAllowed = definition.filterable.includes(name)
  if (isBlank(raw.field)) addIssue('field', 'field_missing')
  else if (field === undefined) addIssue('field', 'unknown_field')
  else if (!isAllowed) addIssue('field', 'not_filterable')
  const operator = isBlank(raw.op) ? '==' : bareOperator(raw.op)
  if (!isOperator(operator)) addIssue('op', 'unknown_operator')
  if (field === undefined || !isAllowed || !isOperator(operator)) return undefined

  const operators = allowedOperators(field)
  if (!operators.includes(operator)) addIssue('op', 'operator_not_allowed', { names: operators })
  const reading = readFilterValue(field, operator, raw.value)
  if (!reading.ok) addIssue('value', reading.code, { expected: describeExpectedValue(field, operator) })
  return reading.ok && reading.test ? { field: name, test: reading.test } : undefined
}

const INDEX = /^[+-]?[0-9]+$/
const isIndex = (key: string) => INDEX.test(key)

/** Numeric keys in numeric order (2 before 10), then the other keys sorted. */
function listEntries(map: Readonly<Record<string, unknown>>): unknown[] {
  const keys = Object.keys(map)
  const numbers = keys.filter(isIndex).sort((a, b) => Number(a) - Number(b))
  const words = keys.filter((key) => !isIndex(key)).sort()
  return [...numbers, ...words].map((key) => map[key])
}

function isMap(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}
