import type { ListDefinition } from './definition.ts'
import type { FilterIssues, ListErrors, ListIssue } from './list-issues.ts'
import type { ListFieldError } from './meta-schema.ts'
import { OPERATORS } from './operators.ts'

/** As many complaints as help; a request with thousands of faults is not answered with thousands of sentences. */
const ERRORS_MAX = 50

/** Internal issues as the API answers them: field, code, and a sentence that says the way out. */
export function publicErrors(definition: ListDefinition, errors: ListErrors): ListFieldError[] {
  const params = [...errors.params].flatMap(([field, found]) =>
    found.map((issue) => ({ field, code: issue.code, message: messageOf(definition, field, issue) })),
  )
  const all = [...params, ...filterErrors(definition, errors)]
  if (all.length <= ERRORS_MAX) return all
  const rest = all.length - ERRORS_MAX
  const last = { field: 'filters', code: 'more_errors', message: `There are ${rest} more errors like these.` }
  return [...all.slice(0, ERRORS_MAX), last]
}

function filterErrors(definition: ListDefinition, { filters }: ListErrors): ListFieldError[] {
  if (filters === undefined) return []
  const tell = (field: string, issue: ListIssue) => ({
    field,
    code: issue.code,
    message: messageOf(definition, field, issue),
  })
  if (filters.of === 'list') return filters.issues.map((issue) => tell('filters', issue))
  return filters.issues.flatMap((of: FilterIssues, index) =>
    (['field', 'op', 'value'] as const).flatMap((part) =>
      (of[part] ?? []).map((issue) => tell(`filters[${index}][${part}]`, issue)),
    ),
  )
}

function messageOf(definition: ListDefinition, field: string, issue: ListIssue): string {
  const { sortable, filterable, options } = definition
  const number = String(issue.opts.number ?? '')
  switch (issue.code) {
    case 'not_an_integer':
      return `${field} must be a whole number, written with digits only, such as 50.`
    case 'not_a_string':
      return `${field} must be one cursor: the end_cursor or start_cursor of an earlier answer.`
    case 'too_small':
      return issue.opts.kind === 'greater_than'
        ? `${field} must be greater than ${number}.`
        : `${field} must be ${number} or more.`
    case 'too_large':
      return `${field} must be at most ${number}; to see more, ask for further pages.`
    case 'required':
      return `${field} is needed here: say how many records a page should have.`
    case 'order_required':
      return `${field} is needed with first and last: name at least one of ${list(sortable)}.`
    case 'mixed_paging_types':
      return 'Use one way of paging: first and after, last and before, limit and offset, or page and page_size.'
    case 'not_a_list':
      return `${field} must be a list: write ${field}[]=…, once for each entry.`
    case 'not_sortable':
    case 'unknown_field':
      return field === 'order_by'
        ? `${field} has a field that this list cannot be ordered by; it can be ordered by ${list(sortable)}.`
        : `${field} is not a field of this list that can be filtered by; those are ${list(filterable)}.`
    case 'cursor_order_unsupported':
      return `${field} cannot have ${list(issue.opts.unsupported_fields)} together with first or last; use page or offset.`
    case 'unknown_direction':
      return `${field} must hold only ${list(issue.opts.enum)}.`
    case 'invalid_cursor':
      return `${field} is not a cursor of this list; take end_cursor or start_cursor of its latest answer, unchanged, or leave ${field} out.`
    case 'cursor_order_mismatch':
      return `${field} was made under another order; send the same order_by[] as then, or leave ${field} out to start anew.`
    case 'filters_malformed':
      return `${field} must be written filters[0][field]=…&filters[0][op]=…&filters[0][value]=…, or filters[]=field:op<value with one of the operators ${list(OPERATORS)}.`
    case 'too_many_filters':
      return `${field} may hold at most ${String(issue.opts.count ?? options.maxFilters)} filters.`
    case 'field_missing':
      return `${field} is missing; the fields to filter by are ${list(filterable)}.`
    case 'not_filterable':
      return `${field} is not a field of this list that can be filtered by; those are ${list(filterable)}.`
    case 'unknown_operator':
      return `${field} must be one of ${list(OPERATORS)}.`
    case 'operator_not_allowed':
      return `${field} does not go with this field; it takes ${list(issue.opts.allowed_operators)}.`
    case 'invalid_value':
      return `${field} does not fit the field's type and the operator: in and not_in take a list, empty and not_empty take true or false, dates are YYYY-MM-DD.`
    case 'value_too_long':
      return `${field} is too long; use a shorter text or fewer entries.`
  }
}

const list = (names: unknown): string =>
  Array.isArray(names) && names.length > 0 ? names.map((name) => String(name)).join(', ') : 'none'
