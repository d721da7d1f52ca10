import type { Operator } from './operators.ts'
import type { ListParams } from './parse-list-query.ts'

type Nesting = {
  readonly fields: readonly string[]
  /** By field name; `==` where none is given. */
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
  const present = Object.hasOwn(params, 'filters') ? listOf(params.filters) : []
  // What is not a list of filters stays as it was sent, for the parser to refuse.
  return present === undefined ? rest : { ...rest, filters: [...present, ...nested] }
}

function listOf(filters: unknown): readonly unknown[] | undefined {
  if (filters === null || filters === undefined) return []
  if (Array.isArray(filters)) return filters
  if (typeof filters !== 'object') return undefined
  return Object.entries(filters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, filter]) => filter)
}
