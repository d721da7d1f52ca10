import { type ListDefinition, ORDER_DIRECTIONS, operatorsOf, type PagingType } from './definition.ts'
import { OPERATORS } from './operators.ts'

/** A piece of JSON Schema, as OpenAPI 3.1 has it. */
type JsonSchema = { readonly [keyword: string]: unknown }
type Properties = Readonly<Record<string, JsonSchema>>

/** The list parameters of an operation, for its OpenAPI document. What they say is checked by `parseListQuery`. */
export function listQuerySchema(definition: ListDefinition): JsonSchema {
  const { options, sortable, filterable } = definition
  const paging = pagingProperties(definition)
  return querySchema({
    ...Object.assign({}, ...options.pagingTypes.map((type) => paging[type])),
    ...(sortable.length > 0 && orderProperties(definition)),
    ...(filterable.length > 0 && filterProperties(definition)),
  })
}

/** For an operation that answers the whole list, in the order that is asked for. */
export const orderQuerySchema = (definition: ListDefinition): JsonSchema => querySchema(orderProperties(definition))

const querySchema = (properties: Properties) => ({ type: 'object', properties, additionalProperties: true })

function pagingProperties({ options }: ListDefinition): Record<PagingType, Properties> {
  const { defaultLimit, maxLimit } = options
  const number = (description: string, minimum: number) => ({ type: 'integer', minimum, default: minimum, description })
  const cursor = (description: string) => ({ type: 'string', description })
  const size = (description: string) => ({
    type: 'integer',
    minimum: 1,
    maximum: maxLimit,
    ...(defaultLimit !== false && { default: defaultLimit }),
    description,
  })
  return {
    offset: {
      limit: size('How many records to answer (paging by offset).'),
      offset: number('How many records to skip.', 0),
    },
    page: {
      page: number('Which page to answer, counted from 1.', 1),
      page_size: size('How many records a page has.'),
    },
    first: {
      first: size('How many records to answer, from the start or after a cursor.'),
      after: cursor('Cursor (`end_cursor`) after which the page starts.'),
    },
    last: {
      last: size('How many records to answer, up to the end or before a cursor.'),
      before: cursor('Cursor (`start_cursor`) before which the page ends.'),
    },
  }
}

function orderProperties({ sortable }: ListDefinition): Properties {
  return {
    'order_by[]': {
      type: 'array',
      items: { type: 'string', enum: sortable },
      description: 'Fields to order by, the most important first.',
    },
    'order_directions[]': {
      type: 'array',
      items: { type: 'string', enum: ORDER_DIRECTIONS },
      description: 'One direction for each entry of `order_by[]`, by position; `asc` where missing.',
    },
  }
}

function filterProperties({ fields, filterable, options }: ListDefinition): Properties {
  const operators = filterable.map((name) => {
    const field = fields.get(name)
    return `- \`${name}\`: ${(field ? operatorsOf(field) : []).map((operator) => `\`${operator}\``).join(' ')}`
  })
  const example = `A filter as \`field:operator<value\`, for example \`${filterable[0]}:==<…\`.`
  const most = `At most ${options.maxFilters} filters, all of which must hold.`
  return {
    'filters[]': {
      type: 'array',
      items: { type: 'string', pattern: '^[^:]+:.+<' },
      description: `${example} ${most}\n\n${operators.join('\n')}`,
    },
    'filters[0][field]': {
      type: 'string',
      enum: filterable,
      description: 'The long form of a filter: its field. Count on for further filters.',
    },
    'filters[0][op]': {
      type: 'string',
      default: '==',
      description: 'Its operator; `:==<` means the same as `==`.',
    },
    'filters[0][value]': {
      type: 'string',
      description: `Its value; lists as \`filters[0][value][]=…\`. Operators: ${OPERATORS.join(' ')}.`,
    },
  }
}
