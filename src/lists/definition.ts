import { type FieldType, OPERATORS_BY_TYPE, type Operator } from './operators.ts'

export const PAGING_TYPES = ['first', 'last', 'offset', 'page'] as const
export type PagingType = (typeof PAGING_TYPES)[number]

export const ORDER_DIRECTIONS = [
  'asc',
  'asc_nulls_first',
  'asc_nulls_last',
  'desc',
  'desc_nulls_first',
  'desc_nulls_last',
] as const
export type OrderDirection = (typeof ORDER_DIRECTIONS)[number]

type FieldTraits = {
  readonly sortable?: boolean
  readonly filterable?: boolean
  /** Narrows the operators of the type. */
  readonly operators?: readonly Operator[]
  /** False guarantees a value in every record; SQL can then use an index for ordering and cursors. */
  readonly nullable?: boolean
}

export type ListField = FieldTraits &
  (
    | { readonly type: Exclude<FieldType, 'enum' | 'compound'> }
    | { readonly type: 'enum'; readonly values: readonly string[] }
    /** Several text fields searched as one; ordering by it orders by each in turn. */
    | { readonly type: 'compound'; readonly of: readonly string[] }
  )

type ListOptions = {
  /** Page size if the client sends none. If false, every paging type requires a size. */
  readonly defaultLimit: number | false
  readonly maxLimit: number
  readonly maxFilters: number
  /** In characters. */
  readonly maxCursorSize: number
  readonly defaultPagingType: PagingType | undefined
  /** Parameters of the other types are ignored, like any unknown parameter. */
  readonly pagingTypes: readonly PagingType[]
  readonly defaultOrder:
    | { readonly orderBy: readonly string[]; readonly orderDirections?: readonly OrderDirection[] }
    | undefined
}

export type ListDefinition = {
  readonly fields: ReadonlyMap<string, ListField>
  readonly sortable: readonly string[]
  readonly filterable: readonly string[]
  /** Unique field, appended to every order so that records never tie. */
  readonly tiebreaker: string | undefined
  /** The records have their own order (a ranking), kept unless `order_by` asks for another. */
  readonly ranked: boolean
  readonly options: ListOptions
}

export type ListDefinitionInput = {
  readonly fields: Readonly<Record<string, ListField>>
  readonly tiebreaker?: string
  readonly ranked?: boolean
} & Partial<ListOptions>

export const LIST_DEFAULTS: ListOptions = {
  defaultLimit: 50,
  maxLimit: 1000,
  maxFilters: 20,
  maxCursorSize: 8192,
  defaultPagingType: undefined,
  pagingTypes: PAGING_TYPES,
  defaultOrder: undefined,
}

/** Throws on an invalid definition, which is a bug of ours. */
export function defineList(input: ListDefinitionInput): ListDefinition {
  const { fields, tiebreaker, ranked = false, ...options } = input
  const all = new Map(Object.entries(fields))
  const namesWith = (trait: 'sortable' | 'filterable') =>
    [...all].filter(([, field]) => field[trait] === true).map(([name]) => name)
  const definition: ListDefinition = {
    fields: all,
    sortable: namesWith('sortable'),
    filterable: namesWith('filterable'),
    tiebreaker,
    ranked,
    options: { ...LIST_DEFAULTS, ...options },
  }
  rejectBrokenDefinition(definition)
  return definition
}

export const allowedOperators = (field: ListField): readonly Operator[] =>
  field.operators ?? OPERATORS_BY_TYPE[field.type]

/** Parts of a compound field, or the field itself. */
export function expandCompound(definition: ListDefinition, name: string): readonly string[] {
  const field = definition.fields.get(name)
  return field?.type === 'compound' ? field.of : [name]
}

function rejectBrokenDefinition({ fields, tiebreaker, options }: ListDefinition): void {
  const fieldType = (name: string) => fields.get(name)?.type
  const fail = (reason: string) => {
    throw new Error(`list definition: ${reason}`)
  }
  if (tiebreaker !== undefined) {
    const type = fieldType(tiebreaker)
    if (type === undefined || type === 'compound' || type === 'string_array') {
      fail(`tiebreaker ${tiebreaker} must be a field with one plain value`)
    }
  }
  for (const [name, field] of fields) {
    if (field.type === 'string_array' && field.sortable) fail(`${name} is an array and cannot be sorted`)
    if (field.type !== 'compound') continue
    const invalid = field.of.find((part) => fieldType(part) !== 'string')
    if (invalid !== undefined) fail(`${name} is made of ${invalid}, which is not a string field`)
  }
  const unknown = options.defaultOrder?.orderBy.find((name) => !fields.has(name))
  if (unknown !== undefined) fail(`default order names ${unknown}, which is not a field`)
}
