import { type RawBuilder, sql } from 'kysely'
import type { ListField } from '../definition.ts'
import type { FieldType } from '../operators.ts'
import type { ListValue } from '../values.ts'

export type SqlDialect = 'sqlite' | 'postgres'

/** Columns whose names differ from their fields. Times are epoch milliseconds, booleans 0 and 1. */
export type SqlColumns = Readonly<Record<string, string>>

/** A column with the SQL of its type. */
export type BoundColumn = {
  readonly type: FieldType
  readonly nullable: boolean
  /** Unmodified column. */
  readonly ref: RawBuilder<unknown>
  /** For ordering and comparison, independent of the database's collation. */
  readonly sortable: RawBuilder<unknown>
  /** For equality only, so that an index on the plain column can be used. */
  readonly equatable: RawBuilder<unknown>
  bind(value: ListValue): RawBuilder<unknown>
  bindAll(values: readonly ListValue[]): RawBuilder<unknown>
  decode(raw: unknown): ListValue
}

export function bindColumn(dialect: SqlDialect, field: ListField, column: string, isUnique: boolean): BoundColumn {
  const ref = sql.ref(column)
  const typed = dialect === 'sqlite' ? sqliteColumn(field.type, ref) : postgresColumn(field.type, ref)
  return { type: field.type, nullable: !isUnique && field.nullable !== false, ref, ...typed }
}

type TypedColumn = Omit<BoundColumn, 'type' | 'nullable' | 'ref'>

function sqliteColumn(type: FieldType, ref: RawBuilder<unknown>): TypedColumn {
  const encode = (value: ListValue) => (Array.isArray(value) ? arrayKey(value) : toFlag(encodeTime(type, value)))
  const isText = ['string', 'enum', 'date'].includes(type)
  const sortable = isText ? sql`${ref} collate binary` : type === 'string_array' ? sqliteArrayKey(ref) : ref
  return {
    sortable,
    equatable: sortable,
    bind: (value) => sql`${encode(value)}`,
    // One parameter for any length; as JSON, because SQLite has no arrays.
    bindAll: (values) => sql`(select value from json_each(${toJsonArray(values.map(encode))}))`,
    decode: createDecoder(type),
  }
}

const encodeTime = (type: FieldType, value: ListValue) =>
  type === 'datetime' && typeof value === 'string' ? Date.parse(value) : value

/** SQLite cannot bind booleans. */
const toFlag = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

function toJsonArray(values: readonly unknown[]): string {
  return `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join()}]`
}

/** Text that sorts like the array: each entry in hexadecimal, terminated by a character below 0. */
function sqliteArrayKey(ref: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when ${ref} is null then null else (
    select coalesce(group_concat(hex(value) || '!', '' order by key), '') from json_each(${ref})) end)`
}
const arrayKey = (texts: readonly string[]) =>
  texts.map((text) => `${Buffer.from(text).toString('hex').toUpperCase()}!`).join('')

const POSTGRES_TYPE: Readonly<Partial<Record<FieldType, RawBuilder<unknown>>>> = {
  integer: sql`bigint`,
  datetime: sql`bigint`,
  float: sql`float8`,
}

function postgresColumn(type: FieldType, ref: RawBuilder<unknown>): TypedColumn {
  const typed = (postgresType: RawBuilder<unknown>, expression: RawBuilder<unknown>): TypedColumn => ({
    sortable: expression,
    equatable: expression,
    bind: (value) => sql`${sql.val(encodeTime(type, value))}::${postgresType}`,
    bindAll: (values) => sql`any(${sql.val(values.map((value) => encodeTime(type, value)))}::${postgresType}[])`,
    decode: createDecoder(type),
  })
  if (type === 'string_array') return typed(sql`text[]`, sql`${ref} collate "C"`)
  if (type === 'any') return { ...typed(sql`text`, ref), bind: (value) => sql`${value}` }
  if (type === 'boolean') return typed(sql`boolean`, sql`(${ref} = 1)`)
  const postgresType = POSTGRES_TYPE[type]
  // Widens a narrower number column, because a rounded value would compare differently.
  if (postgresType !== undefined) return typed(postgresType, type === 'float' ? sql`${ref}::float8` : ref)
  const text = sql`${ref}::text`
  return { ...typed(sql`text`, text), sortable: sql`${text} collate "C"` }
}

/** PostgreSQL returns large integers as text, SQLite returns 0 and 1 for booleans. */
function createDecoder(type: FieldType): (raw: unknown) => ListValue {
  return (raw) => {
    if (raw === null || raw === undefined) return null
    if (type === 'datetime') return new Date(Number(raw)).toISOString()
    if (type === 'boolean') return raw === true || Number(raw) === 1
    if (type === 'integer') return Number.isSafeInteger(Number(raw)) ? Number(raw) : BigInt(String(raw))
    return type === 'float' || typeof raw === 'number' ? Number(raw) : String(raw)
  }
}
