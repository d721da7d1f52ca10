import { type RawBuilder, sql } from 'kysely'
import type { ListField } from '../definition.ts'
import type { FieldType } from '../operators.ts'
import type { ListValue } from '../values.ts'

export type SqlDialect = 'sqlite' | 'postgres'

/** The columns that fields are kept in, where they have other names. Times are kept as milliseconds since 1970, booleans as 0 and 1. */
export type SqlColumns = Readonly<Record<string, string>>

/** A column with its type's ways: what to order and compare by, how to hand over a value, how to read one. */
export type BoundColumn = {
  readonly type: FieldType
  readonly nullable: boolean
  /** The bare column. */
  readonly ref: RawBuilder<unknown>
  /** For order and comparison: the same in both databases, whatever their collation. */
  readonly sortable: RawBuilder<unknown>
  /** For equality alone, where an index on the plain column can help. */
  readonly equatable: RawBuilder<unknown>
  bind(value: ListValue): RawBuilder<unknown>
  bindAll(values: readonly ListValue[]): RawBuilder<unknown>
  decode(raw: unknown): ListValue
}

export function bindColumn(dialect: SqlDialect, field: ListField, column: string, isUnique: boolean): BoundColumn {
  const ref = sql.ref(column)
  const ways = dialect === 'sqlite' ? onSqlite(field.type, ref) : onPostgres(field.type, ref)
  return { type: field.type, nullable: !isUnique && field.nullable !== false, ref, ...ways }
}

type Ways = Omit<BoundColumn, 'type' | 'nullable' | 'ref'>

function onSqlite(type: FieldType, ref: RawBuilder<unknown>): Ways {
  const encode = (value: ListValue) => (Array.isArray(value) ? arrayKey(value) : flagged(encodeTime(type, value)))
  const isText = ['string', 'enum', 'date'].includes(type)
  const sortable = isText ? sql`${ref} collate binary` : type === 'string_array' ? sqliteArrayKey(ref) : ref
  return {
    sortable,
    equatable: sortable,
    bind: (value) => sql`${encode(value)}`,
    // One parameter however long the list; as JSON, because SQLite has no arrays.
    bindAll: (values) => sql`(select value from json_each(${jsonOf(values.map(encode))}))`,
    decode: decoderOf(type),
  }
}

const encodeTime = (type: FieldType, value: ListValue) =>
  type === 'datetime' && typeof value === 'string' ? Date.parse(value) : value

/** SQLite binds no booleans. */
const flagged = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

function jsonOf(values: readonly unknown[]): string {
  return `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join()}]`
}

/** Text whose byte order is the order of arrays entry by entry: each entry in hexadecimal, closed by a sign below 0. */
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

function onPostgres(type: FieldType, ref: RawBuilder<unknown>): Ways {
  const typed = (postgresType: RawBuilder<unknown>, of: RawBuilder<unknown>): Ways => ({
    sortable: of,
    equatable: of,
    bind: (value) => sql`${sql.val(encodeTime(type, value))}::${postgresType}`,
    bindAll: (values) => sql`any(${sql.val(values.map((value) => encodeTime(type, value)))}::${postgresType}[])`,
    decode: decoderOf(type),
  })
  if (type === 'string_array') return typed(sql`text[]`, sql`${ref} collate "C"`)
  if (type === 'any') return { ...typed(sql`text`, ref), bind: (value) => sql`${value}` }
  if (type === 'boolean') return typed(sql`boolean`, sql`(${ref} = 1)`)
  const own = POSTGRES_TYPE[type]
  // A narrower number column is widened, or a value would be compared after rounding.
  if (own !== undefined) return typed(own, type === 'float' ? sql`${ref}::float8` : ref)
  const text = sql`${ref}::text`
  return { ...typed(sql`text`, text), sortable: sql`${text} collate "C"` }
}

/** Database values as list values: PostgreSQL gives large integers as text, SQLite gives flags for booleans. */
function decoderOf(type: FieldType): (raw: unknown) => ListValue {
  return (raw) => {
    if (raw === null || raw === undefined) return null
    if (type === 'datetime') return new Date(Number(raw)).toISOString()
    if (type === 'boolean') return raw === true || Number(raw) === 1
    if (type === 'integer') return Number.isSafeInteger(Number(raw)) ? Number(raw) : BigInt(String(raw))
    return type === 'float' || typeof raw === 'number' ? Number(raw) : String(raw)
  }
}
