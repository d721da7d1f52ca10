import { type ListDefinition, ORDER_DIRECTIONS } from './definition.ts'
import { OPERATORS } from './operators.ts'

type Facts = {
  /** The parameter, such as `limit` or `filters[1][value]`. */
  readonly field: string
  /** The bound that was exceeded. */
  readonly limit?: number
  /** The operators that are allowed, or the fields that cannot order a list paged by cursor. */
  readonly names?: readonly string[]
  /** What a value must be. */
  readonly wanted?: string
}

type Sentence = (facts: Facts, definition: ListDefinition) => string

const list = (names: readonly string[] = []) => (names.length > 0 ? names.join(', ') : 'none')

const badField: Sentence = ({ field }, { sortable, filterable }) =>
  field === 'order_by'
    ? `${field} has a field that this list cannot be ordered by; it can be ordered by ${list(sortable)}.`
    : `${field} is not a field of this list that can be filtered by; those are ${list(filterable)}.`

/** By error code: what is wrong, what is allowed, and the way out. The codes are part of the public interface. */
const SENTENCES = {
  not_an_integer: ({ field }) => `${field} must be a whole number, written with digits only, such as 50.`,
  not_a_string: ({ field }) => `${field} must be one cursor: the end_cursor or start_cursor of an earlier answer.`,
  too_small: ({ field }) => (field === 'offset' ? `${field} must be 0 or more.` : `${field} must be greater than 0.`),
  too_large: ({ field, limit }) => `${field} must be at most ${limit}; to see more, ask for further pages.`,
  required: ({ field }) => `${field} is needed here: say how many records a page should have.`,
  order_required: ({ field }, { sortable }) =>
    `${field} is needed with first and last: name at least one of ${list(sortable)}.`,
  mixed_paging_types: () =>
    'Use one way of paging: first and after, last and before, limit and offset, or page and page_size.',
  not_a_list: ({ field }) => `${field} must be a list: write ${field}[]=…, once for each entry.`,
  not_sortable: badField,
  unknown_field: badField,
  cursor_order_unsupported: ({ field, names }) =>
    `${field} cannot have ${list(names)} together with first or last; use page or offset.`,
  unknown_direction: ({ field }) => `${field} must hold only ${list(ORDER_DIRECTIONS)}.`,
  invalid_cursor: ({ field }) =>
    `${field} is not a cursor of this list; take end_cursor or start_cursor of its latest answer, unchanged, or leave ${field} out.`,
  cursor_order_mismatch: ({ field }) =>
    `${field} was made under another order; send the same order_by[] as then, or leave ${field} out to start again.`,
  filters_malformed: ({ field }) =>
    `${field} must be written filters[0][field]=…&filters[0][op]=…&filters[0][value]=…, or filters[]=field:op<value with one of the operators ${list(OPERATORS)}.`,
  too_many_filters: ({ field, limit }) => `${field} may hold at most ${limit} filters.`,
  too_many_words: ({ field, limit }) =>
    `${field} may look for at most ${limit} words, all of them together; use fewer or longer ones.`,
  field_missing: ({ field }, { filterable }) => `${field} is missing; the fields to filter by are ${list(filterable)}.`,
  not_filterable: badField,
  unknown_operator: ({ field }) => `${field} must be one of ${list(OPERATORS)}.`,
  operator_not_allowed: ({ field, names }) => `${field} does not go with this field; it takes ${list(names)}.`,
  invalid_value: ({ field, wanted }) => `${field} must be ${wanted}.`,
  value_too_long: ({ field }) => `${field} is too long; use a shorter text or fewer entries.`,
} as const satisfies Record<string, Sentence>

export type ListErrorCode = keyof typeof SENTENCES
export const LIST_ERROR_CODES = Object.keys(SENTENCES)

/** One thing that is wrong with the parameters of a list. */
export type ListIssue = Facts & { readonly code: ListErrorCode }

export const sentenceOf = (issue: ListIssue, definition: ListDefinition): string =>
  SENTENCES[issue.code](issue, definition)
