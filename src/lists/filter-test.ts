import type { ListField } from './definition.ts'
import type { Operator } from './operators.ts'
import { castAll, castBoolean, castText, castValue, isBlank, TEXT_MAX, type Value, withoutBlanks } from './values.ts'

/** Each comparison in memory (by sign of the comparison) and in SQL. */
export const COMPARISONS = {
  '==': { holds: (order: number) => order === 0, inSql: '=' },
  '!=': { holds: (order: number) => order !== 0, inSql: '<>' },
  '<=': { holds: (order: number) => order <= 0, inSql: '<=' },
  '<': { holds: (order: number) => order < 0, inSql: '<' },
  '>=': { holds: (order: number) => order >= 0, inSql: '>=' },
  '>': { holds: (order: number) => order > 0, inSql: '>' },
} as const

/** A filter independent of its notation; both engines read only this. */
export type FilterTest =
  | { readonly kind: 'compare'; readonly comparison: keyof typeof COMPARISONS; readonly value: Value }
  | { readonly kind: 'one_of'; readonly negated: boolean; readonly values: readonly Value[] }
  | { readonly kind: 'empty'; readonly empty: boolean }
  | { readonly kind: 'has_element'; readonly negated: boolean; readonly value: Value }
  | TextTest

export type TextTest = {
  readonly kind: 'text'
  readonly where: 'anywhere' | 'start' | 'end'
  readonly ignoreCase: boolean
  readonly negated: boolean
  readonly terms: readonly string[]
  /** True if every term must match, false if one is enough. */
  readonly every: boolean
}

export type PlannedFilter = { readonly field: string; readonly test: FilterTest }

/** Limits: values of `in`, words of one `like_and` or similar, words of all filters together. */
export const VALUES_MAX = 500
export const TERMS_MAX = 20
export const WORDS_MAX = 50

type FilterValueReading =
  | { readonly ok: true; readonly test: FilterTest | undefined }
  | { readonly ok: false; readonly code: 'invalid_value' | 'value_too_long' }

const INVALID: FilterValueReading = { ok: false, code: 'invalid_value' }
const TOO_LONG: FilterValueReading = { ok: false, code: 'value_too_long' }

/** A blank value gives no test: such a filter is accepted and ignored. */
export function readFilterValue(field: ListField, operator: Operator, raw: unknown): FilterValueReading {
  if (isBlank(raw)) return { ok: true, test: undefined }
  if (isOversized(raw)) return TOO_LONG
  switch (operator) {
    case '==':
    case '!=':
    case '<=':
    case '<':
    case '>=':
    case '>':
      return accept(castValue(field, raw), (value) => ({ kind: 'compare', comparison: operator, value }))
    case 'empty':
    case 'not_empty':
      return accept(castBoolean(raw), (yes) => ({ kind: 'empty', empty: yes === (operator === 'empty') }))
    case 'in':
    case 'not_in':
      return accept(
        castAll(withoutBlanks(raw), (entry) => castValue(field, entry)),
        (values) => ({ kind: 'one_of', negated: operator === 'not_in', values }),
      )
    case 'contains':
    case 'not_contains': {
      const element = field.type === 'string_array' ? castText(raw) : castValue(field, raw)
      return accept(element, (value) => ({ kind: 'has_element', negated: operator === 'not_contains', value }))
    }
    case 'like_and':
    case 'like_or':
    case 'ilike_and':
    case 'ilike_or':
      return readTerms(operator, raw)
    default:
      return accept(castValue(field, raw), (value) => textTest(operator, [String(value)]))
  }
}

function accept<T>(value: T | undefined, test: (value: T) => FilterTest): FilterValueReading {
  return value === undefined ? INVALID : { ok: true, test: test(value) }
}

function isOversized(raw: unknown): boolean {
  if (typeof raw === 'string') return raw.length > TEXT_MAX
  return Array.isArray(raw) && (raw.length > VALUES_MAX || raw.some(isOversized))
}

/** Splits a string into words; list entries stay whole. */
function readTerms(operator: Operator, raw: unknown): FilterValueReading {
  const text = castText(raw)
  const terms = text === undefined ? castAll(raw, castText) : text.split(/\s+/u).filter((word) => word !== '')
  if (terms === undefined) return INVALID
  const distinct = [...new Set(terms)]
  return distinct.length > TERMS_MAX ? TOO_LONG : { ok: true, test: textTest(operator, distinct) }
}

function textTest(operator: Operator, terms: readonly string[]): TextTest {
  return {
    kind: 'text',
    where: operator === 'starts_with' ? 'start' : operator === 'ends_with' ? 'end' : 'anywhere',
    ignoreCase: !['like', 'not_like', 'like_and', 'like_or'].includes(operator),
    negated: operator === 'not_like' || operator === 'not_ilike',
    terms,
    every: operator !== 'like_or' && operator !== 'ilike_or',
  }
}
