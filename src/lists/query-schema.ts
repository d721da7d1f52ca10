import { type ListDefinition, ORDER_DIRECTIONS, operatorsOf, type PagingType } from './definition.ts'
import { OPERATORS } from './operators.ts'

/** A piece of JSON Schema, as OpenAPI 3.1 has it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

export type QueryParameter = {
  readonly name: string
  readonly in: 'query'
  readonly required: false
  readonly description: string
  readonly schema: JsonSchema
  readonly style?: 'form'
  readonly explode?: true
}

/** The list parameters of an operation, for its OpenAPI document. What they say is checked by `parseListQuery`. */
export function listParameters(definition: ListDefinition): QueryParameter[] {
  const { options, sortable, filterable } = definition
  const paging = options.paging ? options.pagingTypes.flatMap((type) => pagingParameters(definition, type)) : []
  const ordering = options.ordering && sortable.length > 0 ? orderParameters(definition) : []
  const filtering = options.filtering && filterable.length > 0 ? filterParameters(definition) : []
  return [...paging, ...ordering, ...filtering]
}

/** The same as one JSON Schema object, for frameworks that describe a query string that way. */
export const listQuerySchema = (definition: ListDefinition): JsonSchema => querySchema(listParameters(definition))

/** For an operation that answers the whole list, in the order that is asked for. */
export const orderQuerySchema = (definition: ListDefinition): JsonSchema => querySchema(orderParameters(definition))

function querySchema(parameters: readonly QueryParameter[]): JsonSchema {
  const properties = parameters.map(({ name, description, schema }) => [name, { ...schema, description }])
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: true }
}

function pagingParameters({ options }: ListDefinition, type: PagingType): QueryParameter[] {
  const { defaultLimit, maxLimit } = options
  const size: JsonSchema = {
    type: 'integer',
    minimum: 1,
    ...(maxLimit !== false && { maximum: maxLimit }),
    ...(defaultLimit !== false && { default: defaultLimit }),
  }
  switch (type) {
    case 'offset':
      return [
        one('limit', 'How many records to answer (paging by offset).', size),
        one('offset', 'How many records to skip.', { type: 'integer', minimum: 0, default: 0 }),
      ]
    case 'page':
      return [
        one('page', 'Which page to answer, counted from 1.', { type: 'integer', minimum: 1, default: 1 }),
        one('page_size', 'How many records a page has.', size),
      ]
    case 'first':
      return [
        one('first', 'How many records to answer, from the start or after a cursor.', size),
        one('after', 'Cursor (`end_cursor`) after which the page starts.', { type: 'string' }),
      ]
    case 'last':
      return [
        one('last', 'How many records to answer, up to the end or before a cursor.', size),
        one('before', 'Cursor (`start_cursor`) before which the page ends.', { type: 'string' }),
      ]
  }
}

function orderParameters({ sortable }: ListDefinition): QueryParameter[] {
  return [
    many('order_by[]', 'Fields to order by, the most important first.', { type: 'string', enum: sortable }),
    many('order_directions[]', 'One direction for each entry of `order_by[]`, by position; `asc` where missing.', {
      type: 'string',
      enum: ORDER_DIRECTIONS,
    }),
  ]
}

function filterParameters(definition: ListDefinition): QueryParameter[] {
  const { filterable, options } = definition
  const fields = filterable.map((name) => {
    const field = definition.fields.get(name)
    const operators = field === undefined ? [] : operatorsOf(definition, field)
    return `- \`${name}\`: ${operators.map((operator) => `\`${operator}\``).join(' ')}`
  })
  const most = options.maxFilters === false ? '' : ` At most ${options.maxFilters} filters, all of which must hold.`
  const about = `A filter as \`field:operator<value\`, for example \`${filterable[0]}:==<…\`.${most}\n\n${fields.join('\n')}`
  return [
    many('filters[]', about, { type: 'string', pattern: '^[^:]+:.+<' }),
    one('filters[0][field]', 'The long form of a filter: its field. Count on for further filters.', {
      type: 'string',
      enum: filterable,
    }),
    one('filters[0][op]', 'Its operator; `:==<` means the same as `==`.', { type: 'string', default: '==' }),
    one('filters[0][value]', `Its value; lists as \`filters[0][value][]=…\`. Operators: ${OPERATORS.join(' ')}.`, {
      type: 'string',
    }),
  ]
}

const one = (name: string, description: string, schema: JsonSchema): QueryParameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

const many = (name: string, description: string, items: JsonSchema): QueryParameter => ({
  ...one(name, description, { type: 'array', items }),
  style: 'form',
  explode: true,
})
