export const FIELD_TYPES = [
  'string',
  'integer',
  'float',
  'boolean',
  'date',
  'datetime',
  'enum',
  'string_array',
  'compound',
  'any',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]
