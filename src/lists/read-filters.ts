import { operatorsOf } from './definition.ts'
import { type PlannedFilter, readFilterValue, WORDS_MAX } from './filter-test.ts'
import type { ListErrorCode, ListIssue } from './issues.ts'
import { bareOperator, isOperator, OPERATORS } from './operators.ts'
import { type Reading, sentValue } from './plan.ts'
import { isBlank } from './values.ts'
import { wantedValue } from './wanted-value.ts'
import { testsPerRow } from './work.ts'

type RawFilter = { readonly field: unknown; readonly op: unknown; readonly value: unknown }

/** Far more filters than allowed are only counted, so that a huge request costs little and is answered briefly. */
const EXAMINED_MAX = 100

export function readFilters(reading: Reading): readonly PlannedFilter[] {
  const { definition, params, issues } = reading
  if (!Object.hasOwn(params, 'filters')) return []
  const raw = rawFiltersOf(params.filters)
  if (raw === undefined) {
    issues.push({ field: 'filters', code: 'filters_malformed' })
    return []
  }
  const { maxFilters } = definition.options
  const found = issues.length
  const examined = raw.length > Math.max(maxFilters, EXAMINED_MAX) ? [] : raw
  const filters = examined.flatMap((filter, index) => readOne(reading, filter, `filters[${index}]`) ?? [])
  if (raw.length > maxFilters && issues.length === found) {
    issues.push({ field: 'filters', code: 'too_many_filters', limit: maxFilters })
  }
  if (testsPerRow({ filters: filters.filter(({ test }) => test.kind === 'text') }) > WORDS_MAX) {
    issues.push({ field: 'filters', code: 'too_many_words', limit: WORDS_MAX })
  }
  return filters
}

/** `filters` written as an indexed map, as a list in index order; anything else as it is. */
export function listedFilters(raw: unknown): unknown {
  return isMap(raw) && Object.keys(raw).every(isIndex) ? entriesOf(raw) : raw
}

function rawFiltersOf(raw: unknown): readonly RawFilter[] | undefined {
  if (!Array.isArray(raw) && !isMap(raw)) return undefined
  const filters = (Array.isArray(raw) ? raw : entriesOf(raw)).map(rawFilterOf)
  return filters.every((filter) => filter !== undefined) ? filters : undefined
}

function rawFilterOf(entry: unknown): RawFilter | undefined {
  if (typeof entry === 'string') return readShortForm(entry)
  if (!isMap(entry)) return undefined
  return { field: sentValue(entry, 'field'), op: sentValue(entry, 'op'), value: sentValue(entry, 'value') }
}

/**
 * `type:==<city`. The operator ends at the `<` that follows it, and no operator followed by `<` begins another,
 * so there is one way to read it. For `in` and `not_in` the value is a list with commas.
 */
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

/** Undefined when something is wrong with it, which is then among the issues, and when it does nothing. */
function readOne({ definition, issues }: Reading, raw: RawFilter, at: string): PlannedFilter | undefined {
  const complain = (part: keyof RawFilter, code: ListErrorCode, facts: Pick<ListIssue, 'names' | 'wanted'> = {}) => {
    issues.push({ field: `${at}[${part}]`, code, ...facts })
  }
  const name = typeof raw.field === 'string' ? raw.field : ''
  const field = definition.fields.get(name)
  const isAllowed = definition.filterable.includes(name)
  if (isBlank(raw.field)) complain('field', 'field_missing')
  else if (field === undefined) complain('field', 'unknown_field')
  else if (!isAllowed) complain('field', 'not_filterable')
  const operator = isBlank(raw.op) ? '==' : bareOperator(raw.op)
  if (!isOperator(operator)) complain('op', 'unknown_operator')
  if (field === undefined || !isAllowed || !isOperator(operator)) return undefined

  const operators = operatorsOf(field)
  if (!operators.includes(operator)) complain('op', 'operator_not_allowed', { names: operators })
  const reading = readFilterValue(field, operator, raw.value)
  if (!reading.ok) complain('value', reading.code, { wanted: wantedValue(field, operator) })
  return reading.ok && reading.test ? { field: name, test: reading.test } : undefined
}

const INDEX = /^[+-]?[0-9]+$/
const isIndex = (key: string) => INDEX.test(key)

/** Numbers in their order (2 before 10), then the other keys in theirs. */
function entriesOf(map: Readonly<Record<string, unknown>>): unknown[] {
  const keys = Object.keys(map)
  const numbers = keys.filter(isIndex).sort((a, b) => Number(a) - Number(b))
  const words = keys.filter((key) => !isIndex(key)).sort()
  return [...numbers, ...words].map((key) => map[key])
}

function isMap(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}
