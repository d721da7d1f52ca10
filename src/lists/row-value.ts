import { castBoolean, castValue, type ListValue } from './cast-value.ts'
import type { ListDefinition, ListField } from './definition.ts'

/** Reads a field of a record; missing values are null or undefined. */
export type ReadRow<T> = (row: T, field: string) => unknown

/** Reads fields of one record as list values. */
export type ReadField = (field: string) => ListValue

export type Reading<T> = { of(row: T): ReadField }

export function createReading<T>(definition: ListDefinition, readRow: ReadRow<T>): Reading<T> {
  return {
    of: (row) => (name) => {
      const field = definition.fields.get(name)
      return field === undefined ? null : rowValue(field, readRow(row, name))
    },
  }
}

/** A record's own value in the form that filters and cursors have. */
function rowValue(field: ListField, raw: unknown): ListValue {
  if (raw === null || raw === undefined) return null
  if (raw instanceof Date) return rowValue(field, raw.toISOString())
  switch (field.type) {
    case 'string':
    case 'enum':
    case 'compound':
      return String(raw)
    case 'integer':
      return typeof raw === 'bigint' ? raw : (castValue(field, raw) ?? null)
    case 'datetime':
      return castValue(field, typeof raw === 'number' ? new Date(raw).toISOString() : raw) ?? null
    case 'boolean':
      return castBoolean(typeof raw === 'number' ? String(raw) : raw) ?? null
    case 'string_array':
      return Array.isArray(raw) ? raw.map(String) : null
    case 'any':
      return Array.isArray(raw) ? raw.map(String) : (castValue(field, raw) ?? null)
    default:
      return castValue(field, raw) ?? null
  }
}

export function readProperty(row: unknown, field: string): unknown {
  return typeof row === 'object' && row !== null && Object.hasOwn(row, field) ? Reflect.get(row, field) : undefined
}
