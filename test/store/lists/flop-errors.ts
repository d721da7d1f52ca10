import { type ListDefinition, ORDER_DIRECTIONS } from '../../../src/lists/definition.ts'
import type { ListErrorCode, ListIssue } from '../../../src/lists/issues.ts'
import { OPERATORS } from '../../../src/lists/operators.ts'
import type { ParsedList } from '../../../src/lists/parse-list-query.ts'

type FlopError = { readonly message: string; readonly opts: Readonly<Record<string, unknown>> }
type Refusal = Extract<ParsedList, { ok: false }>

const invalid = (opts: FlopError['opts'] = {}): FlopError => ({ message: 'is invalid', opts })
const required: FlopError = { message: "can't be blank", opts: { validation: 'required' } }

/** Converts our error code to the message of the reference implementation. */
function toFlopError({ field, code, limit, names }: ListIssue, definition: ListDefinition, { params }: Refusal) {
  const errors: Record<ListErrorCode, FlopError> = {
    not_an_integer: invalid({ type: 'integer', validation: 'cast' }),
    not_a_string: invalid({ type: 'string', validation: 'cast' }),
    too_small: tooSmall(field),
    too_large: {
      message: 'must be less than or equal to %{number}',
      opts: { validation: 'number', kind: 'less_than_or_equal_to', number: limit },
    },
    required,
    order_required: required,
    mixed_paging_types: { message: 'cannot combine multiple pagination types', opts: {} },
    not_a_list: invalid({ type: field === 'order_by' ? 'array<existing_atom>' : 'array<enum>', validation: 'cast' }),
    not_sortable: { message: 'has an invalid entry', opts: { validation: 'subset', enum: definition.sortable } },
    unknown_field: invalid({
      type: field === 'order_by' ? 'array<existing_atom>' : 'existing_atom',
      validation: 'cast',
    }),
    cursor_order_unsupported: {
      message: 'cursor pagination is not supported for compound and alias fields',
      opts: { unsupported_fields: names },
    },
    unknown_direction: invalid({
      type: 'array<enum>',
      validation: 'inclusion',
      enum: ORDER_DIRECTIONS,
      source: [firstUnknown(params.order_directions)],
    }),
    invalid_cursor: invalid(),
    cursor_order_mismatch: { message: 'does not match order fields', opts: {} },
    filters_malformed: invalid({ type: 'array<map>', validation: 'embed' }),
    too_many_filters: {
      message: 'must have at most %{count} items',
      opts: { count: limit, validation: 'length', kind: 'max' },
    },
    field_missing: required,
    not_filterable: invalid({ validation: 'inclusion', enum: definition.filterable }),
    unknown_operator: invalid({ type: 'enum', validation: 'inclusion', enum: OPERATORS.toSorted() }),
    operator_not_allowed: invalid({ allowed_operators: names }),
    invalid_value: invalid(),
    value_too_long: invalid(),
    too_many_words: invalid(),
  }
  return errors[code]
}

function tooSmall(field: string): FlopError {
  return field === 'offset'
    ? {
        message: 'must be greater than or equal to %{number}',
        opts: { validation: 'number', kind: 'greater_than_or_equal_to', number: 0 },
      }
    : { message: 'must be greater than %{number}', opts: { validation: 'number', kind: 'greater_than', number: 0 } }
}

function firstUnknown(directions: unknown): number {
  const sent = Array.isArray(directions) ? directions.filter((entry) => String(entry).trim() !== '') : []
  return sent.findIndex((entry) => !ORDER_DIRECTIONS.includes(entry))
}

/** Converts issues to the notation of the vectors: field → [{ message, opts }], newest first, and one map per filter. */
export function errorsByField(definition: ListDefinition, refusal: Refusal): Record<string, unknown> {
  const errors: Record<string, unknown> = {}
  const groups = Object.groupBy(refusal.issues, ({ field }) => field)
  for (const [field, issues = []] of Object.entries(groups)) {
    const converted = issues.map((issue) => toFlopError(issue, definition, refusal)).toReversed()
    const [, index, part] = /^filters\[(\d+)\]\[(\w+)\]$/.exec(field) ?? []
    if (part === undefined) errors[field] = converted
    else {
      errors.filters ??= Object.values(Object(refusal.params.filters)).map(() => ({}))
      Reflect.set(Object(Reflect.get(Object(errors.filters), Number(index))), part, converted)
    }
  }
  return errors
}
