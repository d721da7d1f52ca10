import { type FieldType, OPERATORS_OF, type Operator } from './operators.ts'

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
  /** False promises that no record lacks it; SQL can then use an index for ordering and cursors. */
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
  /** Page size when none is sent; false: none, and every paging type must name its size. */
  readonly defaultLimit: number | false
  readonly maxLimit: number
  readonly maxFilters: number
  /** In characters of the cursor as sent. */
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
  /** A field that no two records share. It ends every order, so that no two records tie. */
  readonly tiebreaker: string | undefined
  /** The records come in an order of their own (a ranking), kept unless `order_by` asks for another. */
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

/** Checks the definition once, at start: a wrong one is a bug of ours, so it throws. */
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

export const operatorsOf = (field: ListField): readonly Operator[] => field.operators ?? OPERATORS_OF[field.type]

/** A compound field stands for its parts, any other field for itself. */
export function partsOf(definition: ListDefinition, name: string): readonly string[] {
  const field = definition.fields.get(name)
  return field?.type === 'compound' ? field.of : [name]
}

function rejectBrokenDefinition({ fields, tiebreaker, options }: ListDefinition): void {
  const typeOf = (name: string) => fields.get(name)?.type
  const complain = (what: string) => {
    throw new Error(`list definition: ${what}`)
  }
  if (tiebreaker !== undefined) {
    const type = typeOf(tiebreaker)
    if (type === undefined || type === 'compound' || type === 'string_array') {
      complain(`tiebreaker ${tiebreaker} must be a field with one plain value`)
    }
  }
  for (const [name, field] of fields) {
    if (field.type === 'string_array' && field.sortable) complain(`${name} is an array; it cannot be sorted by`)
    if (field.type !== 'compound') continue
    const odd = field.of.find((part) => typeOf(part) !== 'string')
    if (odd !== undefined) complain(`${name} is made of ${odd}, which is not a string field`)
  }
  const unknown = options.defaultOrder?.orderBy.find((name) => !fields.has(name))
  if (unknown !== undefined) complain(`default order by ${unknown}, which is not a field`)
}
