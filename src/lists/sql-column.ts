import { type RawBuilder, sql } from 'kysely'
import type { ListValue } from './cast-value.ts'
import type { ListField } from './definition.ts'
import type { FieldType } from './field-type.ts'

export type SqlDialect = 'sqlite' | 'postgres'

/**
 * Where a field is kept. `storage` says how, where a type can be kept in several ways:
 * `epoch_ms` (a time as an integer, the default), `iso_text` (a time as `2026-01-31T10:00:00.000Z`),
 * `flag` (true and false as 1 and 0, on PostgreSQL too), `json` (an array as JSON text, on PostgreSQL too).
 */
export type SqlColumn = {
  readonly column: string | RawBuilder<unknown>
  readonly storage?: 'epoch_ms' | 'iso_text' | 'flag' | 'json'
}
export type SqlColumns = Readonly<Record<string, string | SqlColumn>>

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

export function bindColumn(
  dialect: SqlDialect,
  field: ListField,
  at: string | SqlColumn,
  isUnique: boolean,
): BoundColumn {
  const { column, storage } = typeof at === 'string' ? { column: at } : at
  const ref = typeof column === 'string' ? sql.ref(column) : sql`(${column})`
  const ways = (dialect === 'sqlite' ? onSqlite : onPostgres)(field.type, ref, storage)
  return { type: field.type, nullable: !isUnique && field.nullable !== false, ref, ...ways }
}

type Ways = Omit<BoundColumn, 'type' | 'nullable' | 'ref'>
type Storage = SqlColumn['storage'] | undefined

function onSqlite(type: FieldType, ref: RawBuilder<unknown>, storage: Storage): Ways {
  const encode = encoderOf(type, storage)
  const isText = ['string', 'enum', 'date'].includes(type) || (type === 'datetime' && storage === 'iso_text')
  const sortable = isText ? sql`${ref} collate binary` : type === 'string_array' ? sqliteArrayKey(ref) : ref
  return {
    sortable,
    equatable: sortable,
    bind: (value) => sql`${flagged(encode(value))}`,
    // One parameter however long the list; as JSON, because SQLite has no arrays.
    bindAll: (values) => sql`(select value from json_each(${jsonOf(values.map(encode))}))`,
    decode: decoderOf(type, storage),
  }
}

/** SQLite binds no booleans. */
const flagged = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

function jsonOf(values: readonly unknown[]): string {
  return `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(flagged(value)))).join()}]`
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
  float: sql`float8`,
  boolean: sql`boolean`,
}

function onPostgres(type: FieldType, ref: RawBuilder<unknown>, storage: Storage): Ways {
  const encode = type === 'string_array' ? (value: ListValue) => value : encoderOf(type, storage)
  const typed = (postgresType: RawBuilder<unknown>, of: RawBuilder<unknown>): Ways => ({
    sortable: of,
    equatable: of,
    bind: (value) => sql`${sql.val(encode(value))}::${postgresType}`,
    bindAll: (values) => sql`any(${sql.val(values.map(encode))}::${postgresType}[])`,
    decode: decoderOf(type, storage),
  })
  if (type === 'string_array') {
    const texts = storage === 'json' ? textsOfJson(ref) : ref
    return typed(sql`text[]`, sql`${texts} collate "C"`)
  }
  if (storage === 'flag' || (type === 'datetime' && storage !== 'iso_text')) return typed(sql`bigint`, ref)
  if (type === 'any') return { ...typed(sql`text`, ref), bind: (value) => sql`${value}` }
  const own = POSTGRES_TYPE[type]
  // A narrower number column is widened, or a value would be compared after rounding.
  if (own !== undefined) return typed(own, type === 'float' ? sql`${ref}::float8` : ref)
  const text = sql`${ref}::text`
  return { ...typed(sql`text`, text), sortable: sql`${text} collate "C"` }
}

function textsOfJson(ref: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when ${ref} is null then null else array(select jsonb_array_elements_text(${ref}::jsonb)) end)`
}

function encoderOf(type: FieldType, storage: Storage): (value: ListValue) => unknown {
  if (type === 'datetime' && storage !== 'iso_text') {
    return (value) => (typeof value === 'string' ? Date.parse(value) : value)
  }
  if (type === 'boolean' && storage === 'flag') return (value) => Number(value)
  if (type === 'string_array') return (value) => (Array.isArray(value) ? arrayKey(value) : value)
  return (value) => value
}

/** Database values as list values: PostgreSQL gives large integers as text, SQLite gives flags for booleans. */
function decoderOf(type: FieldType, storage: Storage): (raw: unknown) => ListValue {
  const decode = (raw: unknown): ListValue => {
    if (type === 'datetime' && storage !== 'iso_text') return new Date(Number(raw)).toISOString()
    if (type === 'boolean') return raw === true || Number(raw) === 1
    if (type === 'integer') return Number.isSafeInteger(Number(raw)) ? Number(raw) : BigInt(String(raw))
    return type === 'float' || typeof raw === 'number' ? Number(raw) : String(raw)
  }
  return (raw) => (raw === null || raw === undefined ? null : decode(raw))
}
