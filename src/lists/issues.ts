import { type ListDefinition, ORDER_DIRECTIONS } from './definition.ts'
import { OPERATORS } from './operators.ts'

type Facts = {
  /** The parameter, such as `limit` or `filters[1][value]`. */
  readonly field: string
  /** The bound that was exceeded. */
  readonly limit?: number
  /** Allowed operators, or fields that cannot be used with cursors. */
  readonly names?: readonly string[]
  /** Description of a valid value. */
  readonly expected?: string
}

type Message = (facts: Facts, definition: ListDefinition) => string

const list = (names: readonly string[] = []) => (names.length > 0 ? names.join(', ') : 'none')

const invalidField: Message = ({ field }, { sortable, filterable }) =>
  field === 'order_by'
    ? `${field} names a field that cannot order this list; use ${list(sortable)}.`
    : `${field} is not a filterable field of this list; use ${list(filterable)}.`

/** Messages by error code. The codes are part of the public interface. */
const MESSAGES = {
  not_an_integer: ({ field }) => `${field} must be a whole number in digits, such as 50.`,
  not_a_string: ({ field }) => `${field} must be one cursor: the end_cursor or start_cursor of an earlier response.`,
  too_small: ({ field }) => (field === 'offset' ? `${field} must be 0 or more.` : `${field} must be greater than 0.`),
  too_large: ({ field, limit }) => `${field} must be at most ${limit}; request further pages to see more.`,
  required: ({ field }) => `${field} is required: send the number of records per page.`,
  order_required: ({ field }, { sortable }) =>
    `${field} is required with first and last: name at least one of ${list(sortable)}.`,
  mixed_paging_types: () =>
    'Use one kind of paging: first and after, last and before, limit and offset, or page and page_size.',
  not_a_list: ({ field }) => `${field} must be a list: send ${field}[]=… once for each entry.`,
  not_sortable: invalidField,
  unknown_field: invalidField,
  cursor_order_unsupported: ({ field, names }) =>
    `${field} cannot contain ${list(names)} with first or last; use page or offset instead.`,
  unknown_direction: ({ field }) => `${field} may contain only ${list(ORDER_DIRECTIONS)}.`,
  invalid_cursor: ({ field }) =>
    `${field} is not a cursor of this list; send end_cursor or start_cursor of its latest response unchanged, or omit ${field}.`,
  cursor_order_mismatch: ({ field }) =>
    `${field} belongs to another order; send the same order_by[] as before, or omit ${field} to start again.`,
  filters_malformed: ({ field }) =>
    `${field} must be written filters[0][field]=…&filters[0][op]=…&filters[0][value]=…, or filters[]=field:op<value with one of the operators ${list(OPERATORS)}.`,
  too_many_filters: ({ field, limit }) => `${field} may contain at most ${limit} filters.`,
  too_many_words: ({ field, limit }) =>
    `${field} may contain at most ${limit} words in total; use fewer or longer ones.`,
  field_missing: ({ field }, { filterable }) => `${field} is missing; use one of ${list(filterable)}.`,
  not_filterable: invalidField,
  unknown_operator: ({ field }) => `${field} must be one of ${list(OPERATORS)}.`,
  operator_not_allowed: ({ field, names }) => `${field} is not allowed for this field; use ${list(names)}.`,
  invalid_value: ({ field, expected }) => `${field} must be ${expected}.`,
  value_too_long: ({ field }) => `${field} is too long; use a shorter text or fewer entries.`,
} as const satisfies Record<string, Message>

export type ListErrorCode = keyof typeof MESSAGES
export const LIST_ERROR_CODES = Object.keys(MESSAGES)

export type ListIssue = Facts & { readonly code: ListErrorCode }

export const describeIssue = (issue: ListIssue, definition: ListDefinition): string =>
  MESSAGES[issue.code](issue, definition)
