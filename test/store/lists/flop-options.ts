import type { ListDefinition } from '../../../src/lists/definition.ts'
import type { ListIssue } from '../../../src/lists/issues.ts'
import type { Operator } from '../../../src/lists/operators.ts'
import type { ParsedList } from '../../../src/lists/parse-list-query.ts'
import type { ListParams } from '../../../src/lists/plan.ts'

/** Options of the reference implementation that the service does not have, implemented on top of the list library. */

export type Nesting = {
  readonly fields: readonly string[]
  /** By field name; `==` by default. */
  readonly operators?: Readonly<Record<string, Operator>>
  /** Parameter name → field name. */
  readonly rename?: Readonly<Record<string, string>>
}

/** Turns plain parameters into filters: `type=city` becomes `filters[][field]=type`, after the filters already there. */
export function nestFilters(params: ListParams, { fields, operators = {}, rename = {} }: Nesting): ListParams {
  const taken = new Set(fields)
  const nested = Object.entries(params)
    .filter(([name, value]) => taken.has(name) && value !== null && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const field = (Object.hasOwn(rename, name) ? rename[name] : undefined) ?? name
      return { field, op: (Object.hasOwn(operators, field) ? operators[field] : undefined) ?? '==', value }
    })
  const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !taken.has(name)))
  const present = Object.hasOwn(params, 'filters') ? toFilterList(params.filters) : []
  // Anything but a list of filters is passed on, so that the parser refuses it.
  return present === undefined ? rest : { ...rest, filters: [...present, ...nested] }
}

function toFilterList(filters: unknown): readonly unknown[] | undefined {
  if (filters === null || filters === undefined) return []
  if (Array.isArray(filters)) return filters
  if (typeof filters !== 'object') return undefined
  return Object.entries(filters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, filter]) => filter)
}

const PAGING = ['first', 'after', 'last', 'before', 'limit', 'offset', 'page', 'page_size']

/** Removes refused parameters one by one until the list accepts the rest. */
export function replaceInvalid(
  definition: ListDefinition,
  params: ListParams,
  parse: (params: ListParams) => ParsedList,
): ParsedList {
  let rest = params
  for (;;) {
    const parsed = parse(rest)
    const [issue] = parsed.ok ? [] : parsed.issues
    if (parsed.ok || issue === undefined) return parsed
    const mixed = parsed.issues.find(({ code }) => code === 'mixed_paging_types')
    const next = replaceParameter(definition, parsed.params, mixed ?? issue)
    if (next === undefined) return parsed
    rest = next
  }
}

/** Undefined if the parameter cannot be replaced. */
function replaceParameter(definition: ListDefinition, params: ListParams, issue: ListIssue): ListParams | undefined {
  const { field, code, names = [] } = issue
  const { defaultLimit } = definition.options
  const without = (...gone: string[]) =>
    Object.fromEntries(Object.entries(params).filter(([name]) => !gone.includes(name)))
  const size = defaultLimit === false ? {} : { [field === 'after' ? 'first' : 'last']: defaultLimit }
  switch (field) {
    case 'first':
    case 'last':
    case 'limit':
    case 'page_size':
      if (code === 'mixed_paging_types') return without(...PAGING)
      return code === 'required' || defaultLimit === false ? undefined : { ...params, [field]: defaultLimit }
    case 'offset':
      return { ...params, offset: 0 }
    case 'page':
      return { ...params, page: 1 }
    case 'after':
    case 'before':
      return { ...size, ...without(field) }
    case 'order_by':
      // Without a schema there are no sortable fields, and the reference keeps the error.
      if (code === 'order_required' || isUntyped(definition)) return undefined
      if (code === 'not_sortable') return withoutOrder(params, (name) => !definition.sortable.includes(name))
      if (code === 'cursor_order_unsupported') return withoutOrder(params, (name) => names.includes(name))
      return without('order_by')
    case 'order_directions':
      return without('order_directions')
    default:
      return { ...params, filters: filtersWithout(params.filters, issue) }
  }
}

const isUntyped = ({ fields }: ListDefinition) => [...fields.values()].every(({ type }) => type === 'any')

/** Removes fields and the directions at the same positions. */
function withoutOrder(params: ListParams, isUnwanted: (name: string) => boolean): ListParams {
  const fields = Array.isArray(params.order_by) ? params.order_by : []
  const directions = Array.isArray(params.order_directions) ? params.order_directions : []
  const keep = (_: unknown, position: number) => fields[position] === undefined || !isUnwanted(fields[position])
  return { ...params, order_by: fields.filter(keep), order_directions: directions.filter(keep) }
}

function filtersWithout(filters: unknown, { field, code, limit = 0 }: ListIssue): unknown {
  if (!Array.isArray(filters) || code === 'filters_malformed') return []
  if (code === 'too_many_filters') return filters.slice(0, limit)
  const bad = Number(/\d+/.exec(field))
  return filters.filter((_, index) => index !== bad)
}
