import { isPlainDate } from '../lib/plain-date.ts'
import type { ListField } from './definition.ts'

/** A field's value, or a filter's. Dates and times are text in one canonical form, so text order is time order. */
export type ListValue = string | number | bigint | boolean | readonly string[] | null

/** Longer text is refused: databases limit how long a search pattern may be. */
export const TEXT_MAX = 2_000

export const isBlank = (raw: unknown): boolean =>
  raw === null || raw === undefined || (typeof raw === 'string' && raw.trim() === '')

/** Text that every database can hold: no NUL, no half of a surrogate pair. */
export const isCleanText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** One value of the field's type, or undefined when it is none. */
export function castValue(field: ListField, raw: unknown): Exclude<ListValue, null> | undefined {
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
      return castTexts(raw)
    case 'any':
      return typeof raw === 'number' || typeof raw === 'boolean' ? raw : castText(raw)
  }
}

export function castText(raw: unknown): string | undefined {
  return typeof raw === 'string' && isCleanText(raw) ? raw : undefined
}

/** Blank entries are dropped; one bad entry spoils the list. */
export function castTexts(raw: unknown): string[] | undefined {
  if (!Array.isArray(raw)) return undefined
  const texts = raw.filter((entry) => !isBlank(entry)).map(castText)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

const INTEGER = /^[+-]?[0-9]+$/

/** Digits beyond what a number holds exactly come back rounded: enough to see that they are out of range. */
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

/** A date with a time is cut to its date, as it stands. */
function castDate(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined
  const date = DATETIME.exec(raw)?.[1] ?? raw
  return isPlainDate(date) && date >= YEAR_MIN ? date : undefined
}

/** Without an offset it is UTC; a bare date is its first moment. */
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
