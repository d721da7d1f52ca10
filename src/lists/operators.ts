const EQUALITY = ['==', '!='] as const
const PRESENCE = ['empty', 'not_empty'] as const
const COMPARISON = ['<=', '<', '>=', '>'] as const
const MEMBERSHIP = ['in', 'not_in'] as const
const TEXT = [
  'like',
  'not_like',
  'like_and',
  'like_or',
  'ilike',
  'not_ilike',
  'ilike_and',
  'ilike_or',
  'starts_with',
  'ends_with',
] as const

const ELEMENT = ['contains', 'not_contains'] as const

export const OPERATORS = [...EQUALITY, '=~', ...PRESENCE, ...COMPARISON, ...MEMBERSHIP, ...ELEMENT, ...TEXT] as const
export type Operator = (typeof OPERATORS)[number]

const KNOWN: ReadonlySet<unknown> = new Set(OPERATORS)
export const isOperator = (candidate: unknown): candidate is Operator => KNOWN.has(candidate)

const COMPARABLE = [...EQUALITY, ...PRESENCE, ...COMPARISON, ...MEMBERSHIP]
const STRING = [...EQUALITY, '=~', ...PRESENCE, ...COMPARISON, ...MEMBERSHIP, ...TEXT] as const

/** Operators allowed for each field type; a field's definition may narrow them. */
export const OPERATORS_BY_TYPE = {
  string: STRING,
  integer: COMPARABLE,
  float: COMPARABLE,
  boolean: [...EQUALITY, ...PRESENCE],
  date: COMPARABLE,
  datetime: COMPARABLE,
  enum: COMPARABLE,
  string_array: [...COMPARABLE, ...ELEMENT],
  compound: ['=~', ...TEXT, ...PRESENCE],
  any: OPERATORS.filter((operator) => operator !== 'starts_with' && operator !== 'ends_with'),
} as const satisfies Record<string, readonly Operator[]>
export type FieldType = keyof typeof OPERATORS_BY_TYPE

/** `:==<`, the notation in the specification, means the same as `==`. */
export function bareOperator(written: unknown): unknown {
  if (typeof written !== 'string') return written
  return written.length > 2 && written.startsWith(':') && written.endsWith('<') ? written.slice(1, -1) : written
}
