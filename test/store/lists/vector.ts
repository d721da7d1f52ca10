import { isDeepStrictEqual } from 'node:util'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import {
  defineList,
  type ListDefinition,
  type ListDefinitionInput,
  type ListField,
  type OrderDirection,
  type PagingType,
} from '../../../src/lists/definition.ts'
import type { ListMeta } from '../../../src/lists/meta.ts'
import { OPERATORS } from '../../../src/lists/operators.ts'
import { type ParsedList, parseListQuery } from '../../../src/lists/parse-list-query.ts'
import type { ListParams } from '../../../src/lists/plan.ts'
import { parseQueryString } from '../../../src/lists/query-string.ts'
import { errorsByField } from './flop-errors.ts'
import { type Nesting, nestFilters, replaceInvalid } from './flop-options.ts'

export type Rec = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, unknown>>

export type Expectation = {
  readonly ok: boolean | null
  readonly ids?: readonly number[]
  readonly ids_ordered?: boolean
  readonly meta?: Fields & { readonly errors: Fields; readonly params: ListParams }
  readonly start_cursor_fields?: Fields | null
  readonly end_cursor_fields?: Fields | null
}

export type Vector = {
  readonly name: string
  readonly records_total?: number
  readonly records?: readonly Rec[]
  readonly options: Fields
  readonly query: string | null
  readonly query_template?: string
  readonly params: ListParams
  readonly cursors?: Readonly<Partial<Record<'after' | 'before', Fields>>>
  readonly expect: Expectation
  readonly versions?: Readonly<Record<string, Expectation>>
  readonly elixir_specific?: string
}

export type Answer = { readonly ids: readonly unknown[]; readonly meta: ListMeta }

const SCOPE = 'vectors'
const codec = createCursorCodec('a key for vectors only')
const openCursor = (cursor: string) => Object.fromEntries(codec.open(SCOPE, cursor) ?? [['', 'does not open']])

/** The schema that the vectors were recorded on. */
const FIELDS: ListDefinitionInput['fields'] = {
  id: { type: 'integer', sortable: true, filterable: true },
  name: { type: 'string', sortable: true, filterable: true },
  age: { type: 'integer', sortable: true, filterable: true },
  species: { type: 'string', sortable: true, filterable: true },
  score: { type: 'float', sortable: true, filterable: true },
  active: { type: 'boolean', filterable: true },
  born: { type: 'date', sortable: true, filterable: true },
  tags: { type: 'string_array', filterable: true },
  status: { type: 'enum', values: ['draft', 'live', 'gone'], filterable: true },
  secret: { type: 'string' },
  label: { type: 'compound', of: ['name', 'species'], sortable: true, filterable: true },
}

export function createDefinition(options: Fields, tiebreaker: boolean): ListDefinition {
  const isTyped = options.schema !== false
  const given = <T>(name: string) => options[name] as T | null | undefined
  const order = given<{ order_by: string[]; order_directions?: OrderDirection[] }>('default_order')
  const pagingType = given<PagingType>('default_pagination_type')
  const or = <T>(name: string, fallback: T): T => given<T>(name) ?? fallback
  return defineList({
    fields: isTyped ? FIELDS : untyped(),
    // With ordering off and no default order, the reference has no order for cursors.
    ...(isTyped && tiebreaker && (options.ordering !== false || order) && { tiebreaker: 'id' }),
    defaultLimit: or('default_limit', 50),
    maxLimit: or('max_limit', 1000) || Number.POSITIVE_INFINITY,
    maxFilters: or('max_filters', 20) || Number.POSITIVE_INFINITY,
    maxCursorSize: or('max_cursor_size', 8192),
    pagingTypes: options.pagination === false ? [] : or('pagination_types', ['first', 'last', 'offset', 'page']),
    ...(pagingType && { defaultPagingType: pagingType }),
    ...(order && {
      defaultOrder: {
        orderBy: order.order_by,
        ...(order.order_directions && { orderDirections: order.order_directions }),
      },
    }),
  })
}

const ANY: ListField = { type: 'any', sortable: true, filterable: true, operators: OPERATORS }

function untyped(): ListDefinitionInput['fields'] {
  const names = Object.keys(FIELDS).filter((name) => FIELDS[name]?.type !== 'compound')
  return Object.fromEntries(names.map((name) => [name, ANY]))
}

export function listRecords(vector: Vector): readonly Rec[] {
  if (vector.records !== undefined) return vector.records
  return Array.from({ length: vector.records_total ?? 0 }, (_, index) => {
    const id = index + 1
    const rest = { species: null, score: null, active: null, born: null, tags: null, status: null, secret: null }
    return { id, name: `r${String(id).padStart(4, '0')}`, age: id, ...rest }
  })
}

/** Parses the vector's query with our own cursors. */
export function parseVector(vector: Vector, tiebreaker: boolean): ParsedList {
  const { options } = vector
  const definition = createDefinition(options, tiebreaker)
  const sent = sentParams(vector)
  const nested = options.nest_filters ? nestFilters(sent, options.nest_filters as Nesting) : sent
  const ignored = [
    ...(options.filtering === false ? ['filters'] : []),
    ...(options.ordering === false ? ['order_by', 'order_directions'] : []),
  ]
  const params = Object.fromEntries(Object.entries(nested).filter(([name]) => !ignored.includes(name)))
  const parse = (attempt: ListParams) => parseListQuery(definition, attempt, { cursors: codec, scope: SCOPE })
  return options.replace_invalid_params === true ? replaceInvalid(definition, params, parse) : parse(params)
}

function sentParams(vector: Vector): ListParams {
  if (vector.query === null) return { ...vector.params, ...ownCursors(vector) }
  const filled = Object.entries(ownCursors(vector)).reduce(
    (query, [name, cursor]) => query.replace(`{{${name}}}`, encodeURIComponent(cursor)),
    vector.query_template ?? vector.query,
  )
  const parsed = parseQueryString(filled)
  return parsed.ok ? parsed.params : {}
}

function ownCursors(vector: Vector): Record<string, string> {
  const sealed = Object.entries(vector.cursors ?? {}).map(([name, fields]) => {
    const plain = Object.entries(fields).map(([field, value]) => [field, plainValue(value)] as const)
    return [name, codec.seal(SCOPE, new Map(plain))] as const
  })
  return Object.fromEntries(sealed)
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'object' && value !== null) return String(Reflect.get(value, '$date'))
  return value as string | number | boolean | null
}

export function findDeviations(vector: Vector, expect: Expectation, parsed: ParsedList, answer?: Answer): string[] {
  // The reference implementation crashes on these; ours must only not crash.
  if (expect.ok === null) return []
  if (expect.ok !== parsed.ok) return [`ok: expected ${expect.ok}, was ${parsed.ok} ${JSON.stringify(plain(parsed))}`]
  if (!parsed.ok) return refusalDifferences(vector, expect, parsed)
  if (answer === undefined) return ['no answer']
  return [...queryDifferences(vector), ...answerDifferences(expect, answer, parsed.plan.definition)]
}

const plain = (parsed: ParsedList) => (parsed.ok ? {} : parsed.issues)

function queryDifferences(vector: Vector): string[] {
  if (vector.query === null) return []
  const parsed = parseQueryString(vector.query)
  return compare('decoded query', vector.params, parsed.ok ? parsed.params : parsed.code)
}

function refusalDifferences(vector: Vector, expect: Expectation, parsed: Extract<ParsedList, { ok: false }>): string[] {
  const { errors = {}, params = {} } = expect.meta ?? {}
  return [
    ...queryDifferences(vector),
    ...compare('errors', errors, errorsByField(createDefinition(vector.options, true), parsed)),
    ...compare('params', { ...params, ...ownCursors(vector) }, parsed.params),
  ]
}

function answerDifferences(expect: Expectation, answer: Answer, definition: ListDefinition): string[] {
  const ids = expect.ids ?? []
  // Without a tiebreaker the recorded order of ties is arbitrary.
  const isLoose = expect.ids_ordered === false && definition.tiebreaker === undefined
  const { start_cursor, end_cursor, ...meta } = answer.meta
  const recorded: Fields = { ...expect.meta, errors: [] }
  const { start_cursor: _start, end_cursor: _end, ...wanted } = recorded
  return [
    ...(isLoose ? compare('count', ids.length, answer.ids.length) : compare('ids', ids, answer.ids)),
    ...compare('meta', wanted, meta),
    ...cursorDifferences('start_cursor', expect.start_cursor_fields, start_cursor, definition),
    ...cursorDifferences('end_cursor', expect.end_cursor_fields, end_cursor, definition),
  ]
}

function cursorDifferences(
  name: string,
  fields: Fields | null | undefined,
  cursor: string | null,
  { tiebreaker = '' }: ListDefinition,
): string[] {
  if (cursor === null || !fields) return compare(name, fields ?? null, cursor)
  const { [tiebreaker]: unique, ...others } = openCursor(cursor)
  return compare(name, fields, tiebreaker in fields ? { ...others, [tiebreaker]: unique } : others)
}

function compare(name: string, expected: unknown, actual: unknown): string[] {
  const same = isDeepStrictEqual(normalize(expected), normalize(actual))
  return same ? [] : [`${name}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`]
}

/** Drops prototypes, which the comparison ignores. */
const normalize = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))
