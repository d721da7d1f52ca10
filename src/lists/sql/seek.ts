import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CursorValues, OrderTerm } from '../plan.ts'
import type { ListValue } from '../values.ts'
import type { BoundColumn } from './column.ts'
import { allOf, anyOf, type Condition } from './filter.ts'

export type SeekTerm = { readonly term: OrderTerm; readonly column: BoundColumn }

export function reversed({ term, column }: SeekTerm): SeekTerm {
  return { term: { ...term, descending: !term.descending, nullsFirst: !term.nullsFirst }, column }
}

/** Omits `NULLS …` for non-nullable columns, so that either database can use a plain index. */
export function orderExpression({ term, column }: SeekTerm): RawBuilder<unknown> {
  const direction = term.descending ? sql`desc` : sql`asc`
  if (!column.nullable) return sql`${column.sortable} ${direction}`
  return sql`${column.sortable} ${direction} nulls ${term.nullsFirst ? sql`first` : sql`last`}`
}

/** Records after the cursor: beyond it in the first field, or equal there and beyond in the rest. Skips fields not in the cursor. */
export function seekCondition(terms: readonly SeekTerm[], cursor: CursorValues): Condition {
  const [first, ...rest] = terms.filter(({ term }) => cursor.has(term.field))
  if (first === undefined) return anyOf([])
  const value = cursor.get(first.term.field) ?? null
  if (rest.length === 0) return beyond(first, value)
  const condition = anyOf([beyond(first, value), allOf([equal(first, value), seekCondition(rest, cursor)])])
  return value === null || first.column.nullable ? condition : allOf([indexBound(first, value), condition])
}

function beyond({ term, column }: SeekTerm, value: ListValue): Condition {
  if (value === null) return term.nullsFirst ? sql<SqlBool>`${column.ref} is not null` : anyOf([])
  const past = sql<SqlBool>`${column.sortable} ${term.descending ? sql`<` : sql`>`} ${column.bind(value)}`
  const nullsFollow = column.nullable && !term.nullsFirst
  return nullsFollow ? anyOf([past, sql<SqlBool>`${column.ref} is null`]) : past
}

function equal({ column }: SeekTerm, value: ListValue): Condition {
  if (value === null) return sql<SqlBool>`${column.ref} is null`
  return sql<SqlBool>`${column.sortable} = ${column.bind(value)}`
}

/** Redundant, but lets the database use an index on the first field. */
function indexBound({ term, column }: SeekTerm, value: ListValue): Condition {
  return sql<SqlBool>`${column.sortable} ${term.descending ? sql`<=` : sql`>=`} ${column.bind(value)}`
}
