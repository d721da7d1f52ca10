import { isPlainDate } from '../lib/time/plain-date.ts'
import type { ListField } from './definition.ts'

/** Dates are text, `2026-01-31`, and so are times, `2026-01-31T10:00:00.000Z`. */
export type ListValue = Value | null
export type Value = string | number | bigint | boolean | readonly string[]

/** Databases limit the length of a search pattern. */
export const TEXT_MAX = 2_000

export const isBlank = (raw: unknown): boolean =>
  raw === null || raw === undefined || (typeof raw === 'string' && raw.trim() === '')

/** Text that every database can store: no NUL, no lone surrogate. */
const isCleanText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Undefined if the value does not have the field's type. */
export function castValue(field: ListField, raw: unknown): Value | undefined {
  switch (field.type) {
    case 'string':
    case 'compound':
      return castText(raw)
    case 'integer':
      return castInt64(raw)
    case 'float':
      return castFloat(raw)
    case 'boolean':
      return castBoolean(raw)
    case 'date':
      return castDate(raw)
    case 'datetime':
      return castDatetime(raw)
    case 'enum':
      return field.values.find((value) => value === raw)
    case 'string_array':
      return castAll(withoutBlanks(raw), castText)
    case 'any':
      return typeof raw === 'number' || typeof raw === 'boolean' ? raw : castText(raw)
  }
}

export function castText(raw: unknown): string | undefined {
  return typeof raw === 'string' && isCleanText(raw) ? raw : undefined
}

/** Undefined if one entry is invalid. */
export function castAll<T>(raw: unknown, cast: (entry: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(raw)) return undefined
  const values = raw.map(cast)
  return values.every((value) => value !== undefined) ? values : undefined
}

export const withoutBlanks = (raw: unknown): unknown =>
  Array.isArray(raw) ? raw.filter((entry) => !isBlank(entry)) : raw

const INTEGER = /^[+-]?[0-9]+$/

/** Numbers beyond 2^53 are rounded, which is enough to see that they are out of range. */
export function castInteger(raw: unknown): number | undefined {
  if (typeof raw === 'number') return Number.isInteger(raw) ? raw : undefined
  if (typeof raw !== 'string' || raw.length >= 32 || !INTEGER.test(raw)) return undefined
  return Number(raw)
}

const INT64_MAX = 2n ** 63n - 1n

function castInt64(raw: unknown): number | bigint | undefined {
  const rounded = castInteger(raw)
  if (rounded === undefined || Number.isSafeInteger(rounded)) return rounded === 0 ? 0 : rounded
  const exact = typeof raw === 'string' ? BigInt(raw.replace('+', '')) : BigInt(rounded)
  return exact >= -INT64_MAX - 1n && exact <= INT64_MAX ? exact : undefined
}

const FLOAT = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

function castFloat(raw: unknown): number | undefined {
  const number = typeof raw === 'string' && raw.length <= TEXT_MAX && FLOAT.test(raw) ? Number(raw) : raw
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export function castBoolean(raw: unknown): boolean | undefined {
  if (raw === true || raw === 'true' || raw === '1') return true
  if (raw === false || raw === 'false' || raw === '0') return false
  return undefined
}

const DATETIME = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d([.,]\d+)?(Z|[+-]\d{2}:?\d{2})?$/
const YEAR_MIN = '0001'

/** Cuts the time off a date with a time, ignoring its offset. */
function castDate(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined
  const date = DATETIME.exec(raw)?.[1] ?? raw
  return isPlainDate(date) && date >= YEAR_MIN ? date : undefined
}

/** A time without an offset is UTC; a date means midnight. */
function castDatetime(raw: unknown): string | undefined {
  const date = castDate(raw)
  if (date === undefined || typeof raw !== 'string') return undefined
  const [, , , fraction = '', zone = 'Z'] = DATETIME.exec(raw) ?? []
  const time = raw.length > 10 ? raw.slice(11, 19) : '00:00:00'
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  const instant = new Date(`${date}T${time}.${fraction.slice(1, 4).padEnd(3, '0')}${offset}`)
  if (Number.isNaN(instant.getTime())) return undefined
  const text = instant.toISOString()
  return text.length === 24 && text >= YEAR_MIN ? text : undefined
}

/** Missing values are null or undefined. */
export type ReadRow<T> = (row: T, field: string) => unknown

/** Converts a record's value to the form of filters and cursors. */
export function rowValue(field: ListField, raw: unknown): ListValue {
  if (raw === null || raw === undefined) return null
  switch (field.type) {
    case 'string':
    case 'enum':
    case 'compound':
      return String(raw)
    case 'integer':
      return typeof raw === 'bigint' ? raw : (castValue(field, raw) ?? null)
    case 'string_array':
      return Array.isArray(raw) ? raw.map(String) : null
    case 'datetime':
      return castValue(field, typeof raw === 'number' ? new Date(raw).toISOString() : raw) ?? null
    case 'any':
      return Array.isArray(raw) ? raw.map(String) : (castValue(field, raw) ?? null)
    default:
      return castValue(field, raw) ?? null
  }
}

export function readOwnField(row: unknown, field: string): unknown {
  return typeof row === 'object' && row !== null && Object.hasOwn(row, field) ? Reflect.get(row, field) : undefined
}

/** Numbers by size, false before true, text by bytes, lists entry by entry. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (isTexts(a) && isTexts(b)) return compareTexts(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

export const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value)

/** Surrogates sort below these in UTF-16; otherwise its order equals code point order. */
const ABOVE_D800 = /[\ud800-\uffff]/

/** By code point, the byte order of UTF-8 and of databases without a collation. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  if (ABOVE_D800.test(a) && ABOVE_D800.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (const [index, text] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = compareText(text, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}
