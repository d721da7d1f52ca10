import { allowedOperators, type ListDefinition, ORDER_DIRECTIONS, type PagingType } from './definition.ts'
import { OPERATORS } from './operators.ts'

type JsonSchema = { readonly [keyword: string]: unknown }
type Properties = Readonly<Record<string, JsonSchema>>

/** List parameters for the OpenAPI document; `parseListQuery` validates them. */
export function listQuerySchema(definition: ListDefinition): JsonSchema {
  const { options, sortable, filterable } = definition
  const paging = pagingProperties(definition)
  return querySchema({
    ...Object.assign({}, ...options.pagingTypes.map((type) => paging[type])),
    ...(sortable.length > 0 && orderProperties(definition)),
    ...(filterable.length > 0 && filterProperties(definition)),
  })
}

/** For an operation that creates a list. It returns the whole list, or the first page if a size is sent. */
export function firstPageQuerySchema(definition: ListDefinition): JsonSchema {
  const { offset, page } = pagingProperties(definition)
  const size = (property: JsonSchema | undefined) => {
    const { default: _none, ...rest } = property ?? {}
    return rest
  }
  return querySchema({
    limit: size(offset.limit),
    page_size: size(page.page_size),
    ...orderProperties(definition),
    ...filterProperties(definition),
  })
}

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
      limit: size('Number of records to return (paging by offset).'),
      offset: number('Number of records to skip.', 0),
    },
    page: {
      page: number('Page to return, counted from 1.', 1),
      page_size: size('Number of records per page.'),
    },
    first: {
      first: size('Number of records to return, from the start or after a cursor.'),
      after: cursor('Cursor (`end_cursor`) after which the page starts.'),
    },
    last: {
      last: size('Number of records to return, up to the end or before a cursor.'),
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
      description: 'One direction for each entry of `order_by[]`, by position; `asc` if missing.',
    },
  }
}

function filterProperties({ fields, filterable, options }: ListDefinition): Properties {
  const operators = filterable.map((name) => {
    const field = fields.get(name)
    return `- \`${name}\`: ${(field ? allowedOperators(field) : []).map((operator) => `\`${operator}\``).join(' ')}`
  })
  const example = `A filter as \`field:operator<value\`, for example \`${filterable[0]}:==<…\`.`
  const limit = `At most ${options.maxFilters} filters; all must match.`
  return {
    'filters[]': {
      type: 'array',
      items: { type: 'string', pattern: '^[^:]+:.+<' },
      description: `${example} ${limit}\n\n${operators.join('\n')}`,
    },
    'filters[0][field]': {
      type: 'string',
      enum: filterable,
      description: 'Long form of a filter: its field. Increase the index for further filters.',
    },
    'filters[0][op]': {
      type: 'string',
      default: '==',
      description: 'Operator; `:==<` means the same as `==`.',
    },
    'filters[0][value]': {
      type: 'string',
      description: `Value; lists as \`filters[0][value][]=…\`. Operators: ${OPERATORS.join(' ')}.`,
    },
  }
}
