import { ORDER_DIRECTIONS } from './definition.ts'
import { OPERATORS } from './operators.ts'

/** What can be wrong with list parameters; part of the public interface (`meta.errors[].code`). */
export const LIST_ERROR_CODES = [
  'not_an_integer',
  'not_a_string',
  'too_small',
  'too_large',
  'required',
  'order_required',
  'mixed_paging_types',
  'not_a_list',
  'not_sortable',
  'unknown_field',
  'cursor_order_unsupported',
  'unknown_direction',
  'invalid_cursor',
  'cursor_order_mismatch',
  'filters_malformed',
  'too_many_filters',
  'field_missing',
  'not_filterable',
  'unknown_operator',
  'operator_not_allowed',
  'invalid_value',
  'value_too_long',
] as const
export type ListErrorCode = (typeof LIST_ERROR_CODES)[number]

/** `message` and `opts` are the wording of the list conventions we follow; `code` is ours. */
export type ListIssue = {
  readonly code: ListErrorCode
  readonly message: string
  readonly opts: Readonly<Record<string, unknown>>
}

export const PAGING_PARAMS = ['first', 'after', 'last', 'before', 'limit', 'offset', 'page', 'page_size'] as const
export type PagingParam = (typeof PAGING_PARAMS)[number]
export type ListParam = PagingParam | 'order_by' | 'order_directions'

export type FilterPart = 'field' | 'op' | 'value'
export type FilterIssues = Readonly<Partial<Record<FilterPart, readonly ListIssue[]>>>

/** Either the list as a whole is wrong, or single filters are; then there is one entry a filter, in order. */
export type FiltersProblem =
  | { readonly of: 'list'; readonly issues: readonly ListIssue[] }
  | { readonly of: 'each'; readonly issues: readonly FilterIssues[] }

export type ListErrors = {
  readonly params: ReadonlyMap<ListParam, readonly ListIssue[]>
  readonly filters: FiltersProblem | undefined
}

export type IssueBook = {
  /** The newest issue of a parameter comes first. */
  add(param: ListParam, issue: ListIssue): void
  has(param: ListParam): boolean
  drop(...params: ListParam[]): void
  all(): ReadonlyMap<ListParam, readonly ListIssue[]>
}

export function createIssueBook(): IssueBook {
  const book = new Map<ListParam, ListIssue[]>()
  return {
    add: (param, issue) => void book.set(param, [issue, ...(book.get(param) ?? [])]),
    has: (param) => book.has(param),
    drop: (...params) => {
      for (const param of params) book.delete(param)
    },
    all: () => book,
  }
}

const issue = (code: ListErrorCode, message: string, opts: Record<string, unknown> = {}): ListIssue => ({
  code,
  message,
  opts,
})

export const notAnInteger = () => issue('not_an_integer', 'is invalid', { type: 'integer', validation: 'cast' })
export const notAString = () => issue('not_a_string', 'is invalid', { type: 'string', validation: 'cast' })
export const notGreaterThan = (number: number) =>
  issue('too_small', 'must be greater than %{number}', { validation: 'number', kind: 'greater_than', number })
export const notAtLeast = (number: number) =>
  issue('too_small', 'must be greater than or equal to %{number}', {
    validation: 'number',
    kind: 'greater_than_or_equal_to',
    number,
  })
export const notAtMost = (number: number) =>
  issue('too_large', 'must be less than or equal to %{number}', {
    validation: 'number',
    kind: 'less_than_or_equal_to',
    number,
  })
export const sizeMissing = () => issue('required', "can't be blank", { validation: 'required' })
export const orderMissing = () => issue('order_required', "can't be blank", { validation: 'required' })
export const mixedPaging = () => issue('mixed_paging_types', 'cannot combine multiple pagination types')

export const orderNotAList = () =>
  issue('not_a_list', 'is invalid', { type: 'array<existing_atom>', validation: 'cast' })
export const orderFieldUnknown = () =>
  issue('unknown_field', 'is invalid', { type: 'array<existing_atom>', validation: 'cast' })
export const notSortable = (sortable: readonly string[]) =>
  issue('not_sortable', 'has an invalid entry', { validation: 'subset', enum: sortable })
export const cursorOrderUnsupported = (fields: readonly string[]) =>
  issue('cursor_order_unsupported', 'cursor pagination is not supported for compound and alias fields', {
    unsupported_fields: fields,
  })
export const directionsNotAList = () => issue('not_a_list', 'is invalid', { type: 'array<enum>', validation: 'cast' })
export const unknownDirection = (index: number) =>
  issue('unknown_direction', 'is invalid', {
    type: 'array<enum>',
    validation: 'inclusion',
    enum: ORDER_DIRECTIONS,
    source: [index],
  })

export const invalidCursor = () => issue('invalid_cursor', 'is invalid')
export const cursorMismatch = () => issue('cursor_order_mismatch', 'does not match order fields')

export const filtersMalformed = () =>
  issue('filters_malformed', 'is invalid', { type: 'array<map>', validation: 'embed' })
export const tooManyFilters = (count: number) =>
  issue('too_many_filters', 'must have at most %{count} items', { count, validation: 'length', kind: 'max' })
export const filterFieldMissing = () => issue('field_missing', "can't be blank", { validation: 'required' })
export const filterFieldUnknown = () =>
  issue('unknown_field', 'is invalid', { type: 'existing_atom', validation: 'cast' })
export const notFilterable = (filterable: readonly string[]) =>
  issue('not_filterable', 'is invalid', { validation: 'inclusion', enum: filterable })
export const unknownOperator = () =>
  issue('unknown_operator', 'is invalid', { type: 'enum', validation: 'inclusion', enum: [...OPERATORS].sort() })
export const operatorNotAllowed = (allowed: readonly string[]) =>
  issue('operator_not_allowed', 'is invalid', { allowed_operators: allowed })
export const invalidValue = () => issue('invalid_value', 'is invalid')
export const valueTooLong = () => issue('value_too_long', 'is invalid')
