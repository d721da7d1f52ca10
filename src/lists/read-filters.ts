import { isBlank } from './cast-value.ts'
import { type ListDefinition, type ListField, operatorsOf } from './definition.ts'
import { type PlannedFilter, readFilterValue } from './filter-test.ts'
import type { FilterIssues, FiltersProblem } from './list-issues.ts'
import * as issues from './list-issues.ts'
import { bareOperator, isOperator, OPERATORS } from './operators.ts'

export type FiltersReading = {
  readonly filters: readonly PlannedFilter[]
  readonly problem: FiltersProblem | undefined
}

type RawFilter = { readonly field: unknown; readonly op: unknown; readonly value: unknown }
type OneFilter = { readonly filter: PlannedFilter | undefined; readonly issues: FilterIssues }

/** Far more filters than allowed are only counted, so that a huge request costs little and is answered briefly. */
const EXAMINED_MAX = 100

const NO_FILTERS: FiltersReading = { filters: [], problem: undefined }

export function readFilters(definition: ListDefinition, params: Readonly<Record<string, unknown>>): FiltersReading {
  const { filtering, replaceInvalid, maxFilters } = definition.options
  if (!filtering || !Object.hasOwn(params, 'filters')) return NO_FILTERS
  const raw = rawFiltersOf(params.filters)
  if (raw === undefined) return replaceInvalid ? NO_FILTERS : refuse(issues.filtersMalformed())
  const max = maxFilters === false ? Number.POSITIVE_INFINITY : maxFilters
  if (replaceInvalid) {
    const read = raw.slice(0, max).map((filter) => readOne(definition, filter))
    return { filters: planned(read.filter(isFine)), problem: undefined }
  }
  const tooMany = raw.length > max ? refuse(issues.tooManyFilters(max)) : undefined
  if (tooMany !== undefined && raw.length > Math.max(max, EXAMINED_MAX)) return tooMany
  const read = raw.map((filter) => readOne(definition, filter))
  if (!read.every(isFine)) return { filters: [], problem: { of: 'each', issues: read.map((one) => one.issues) } }
  return tooMany ?? { filters: planned(read), problem: undefined }
}

/** `filters` written as an indexed map, as a list in index order; anything else as it is. */
export function listedFilters(raw: unknown): unknown {
  return isMap(raw) && Object.keys(raw).every(isIndex) ? entriesOf(raw) : raw
}

const refuse = (issue: issues.ListIssue): FiltersReading => ({ filters: [], problem: { of: 'list', issues: [issue] } })
const isFine = (one: OneFilter) => Object.keys(one.issues).length === 0
const planned = (read: readonly OneFilter[]) => read.flatMap(({ filter }) => filter ?? [])

function rawFiltersOf(raw: unknown): readonly RawFilter[] | undefined {
  if (!Array.isArray(raw) && !isMap(raw)) return undefined
  const filters = (Array.isArray(raw) ? raw : entriesOf(raw)).map(rawFilterOf)
  return filters.every((filter) => filter !== undefined) ? filters : undefined
}

function rawFilterOf(entry: unknown): RawFilter | undefined {
  if (typeof entry === 'string') return readShortForm(entry)
  if (!isMap(entry)) return undefined
  const own = (key: string) => (Object.hasOwn(entry, key) ? entry[key] : undefined)
  return { field: own('field'), op: own('op'), value: own('value') }
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

function readOne(definition: ListDefinition, raw: RawFilter): OneFilter {
  const name = typeof raw.field === 'string' ? raw.field : ''
  const field = definition.fields.get(name)
  const operator = isBlank(raw.op) ? '==' : typeof raw.op === 'string' ? bareOperator(raw.op) : raw.op
  const fieldIssue = fieldIssueOf(definition, raw.field, name)
  if (field === undefined || fieldIssue !== undefined || !isOperator(operator)) {
    const op = isOperator(operator) ? {} : { op: [issues.unknownOperator()] }
    return { filter: undefined, issues: { ...(fieldIssue && { field: [fieldIssue] }), ...op } }
  }
  const allowed = operatorsOf(definition, field)
  const reading = readFilterValue(field, operator, raw.value)
  const test = reading.ok ? reading.test : undefined
  return {
    filter: test && { field: name, test },
    issues: {
      ...(!allowed.includes(operator) && { op: [issues.operatorNotAllowed(allowed)] }),
      ...(!reading.ok && {
        value: [reading.reason === 'too_long' ? issues.valueTooLong() : issues.invalidValue()],
      }),
    },
  }
}

function fieldIssueOf(definition: ListDefinition, raw: unknown, name: string): issues.ListIssue | undefined {
  if (isBlank(raw)) return issues.filterFieldMissing()
  const field: ListField | undefined = definition.fields.get(name)
  if (field === undefined) return issues.filterFieldUnknown()
  const mayFilter = definition.openFields || field.filterable === true
  return mayFilter ? undefined : issues.notFilterable(definition.filterable)
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
