import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { COMPARISONS, type FilterTest, type TextTest } from '../filter-test.ts'
import { toGlob, toPostgresPattern } from '../text-pattern.ts'
import type { BoundColumn, SqlDialect } from './column.ts'

export type Condition = RawBuilder<SqlBool>

/** A compound field has several columns: one must match, but all must be empty. */
export function filterCondition(dialect: SqlDialect, columns: readonly BoundColumn[], test: FilterTest): Condition {
  if (test.kind === 'empty') return emptiness(dialect, columns, test.empty)
  if (test.kind === 'text') return textCondition(dialect, columns, test)
  return anyOf(columns.map((column) => valueCondition(dialect, column, test)))
}

export const allOf = (conditions: readonly Condition[]): Condition => joinConditions(conditions, sql` and `, sql`1 = 1`)
export const anyOf = (conditions: readonly Condition[]): Condition => joinConditions(conditions, sql` or `, sql`1 = 0`)

function joinConditions(
  conditions: readonly Condition[],
  by: RawBuilder<unknown>,
  none: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`${none}` : sql<SqlBool>`(${sql.join(conditions, by)})`
}

function valueCondition(
  dialect: SqlDialect,
  column: BoundColumn,
  test: Exclude<FilterTest, { kind: 'text' | 'empty' }>,
): Condition {
  if (test.kind === 'has_element') return elementCondition(dialect, column, String(test.value), test.negated)
  if (test.kind === 'compare') {
    const isEquality = test.comparison === '==' || test.comparison === '!='
    const side = isEquality ? column.equatable : column.sortable
    return sql<SqlBool>`${side} ${sql.raw(COMPARISONS[test.comparison].inSql)} ${column.bind(test.value)}`
  }
  if (test.values.length === 0) return test.negated ? allOf([]) : anyOf([])
  const found = memberCondition(dialect, column, test.values)
  return test.negated ? sql<SqlBool>`not (${found})` : found
}

function memberCondition(
  dialect: SqlDialect,
  column: BoundColumn,
  values: Extract<FilterTest, { kind: 'one_of' }>['values'],
): Condition {
  if (dialect === 'sqlite') return sql<SqlBool>`${column.equatable} in ${column.bindAll(values)}`
  // PostgreSQL arrays cannot hold arrays of different lengths.
  if (column.type === 'string_array' || column.type === 'any') {
    return anyOf(values.map((value) => sql<SqlBool>`${column.equatable} = ${column.bind(value)}`))
  }
  return sql<SqlBool>`${column.equatable} = ${column.bindAll(values)}`
}

function elementCondition(dialect: SqlDialect, column: BoundColumn, value: string, negated: boolean): Condition {
  const found =
    dialect === 'sqlite'
      ? sql<SqlBool>`exists (select 1 from json_each(${column.ref}) where value = ${value})`
      : sql<SqlBool>`${value} = any(${column.sortable})`
  return negated ? sql<SqlBool>`(${column.ref} is not null and not ${found})` : found
}

function emptiness(dialect: SqlDialect, columns: readonly BoundColumn[], empty: boolean): Condition {
  const absent = allOf(
    columns.map(({ type, ref, sortable }) => {
      if (type !== 'string_array') return sql<SqlBool>`${ref} is null`
      const length = dialect === 'sqlite' ? sql`json_array_length(${ref})` : sql`cardinality(${sortable})`
      return sql<SqlBool>`(${ref} is null or ${length} = 0)`
    }),
  )
  return empty ? absent : sql<SqlBool>`not ${absent}`
}

function textCondition(dialect: SqlDialect, columns: readonly BoundColumn[], test: TextTest): Condition {
  const conditions = test.terms.map((term) =>
    anyOf(
      columns.map(({ ref }) => {
        const found = dialect === 'sqlite' ? globCondition(ref, term, test) : postgresCondition(ref, term, test)
        return test.negated ? sql<SqlBool>`not (${found})` : found
      }),
    ),
  )
  return test.every ? allOf(conditions) : anyOf(conditions)
}

const globCondition = (ref: RawBuilder<unknown>, term: string, test: TextTest) =>
  sql<SqlBool>`${ref} glob ${toGlob(term, test)}`

function postgresCondition(ref: RawBuilder<unknown>, term: string, test: TextTest): Condition {
  if (!test.ignoreCase) return sql<SqlBool>`position(${term}::text in ${ref}::text) > 0`
  return sql<SqlBool>`${ref}::text collate "C" ~ ${toPostgresPattern(term, test)}`
}
