import { expandCompound, type ListDefinition, ORDER_DIRECTIONS, type OrderDirection } from './definition.ts'
import { type ListParams, type OrderTerm, type Reading, sentValue } from './plan.ts'
import { isBlank } from './values.ts'

/** Paired by position; there may be fewer or more directions than fields. */
export type SentOrder = { readonly fields: readonly string[]; readonly directions: readonly OrderDirection[] }

/** The requested or default order. Compound fields cannot be paged by cursor, which holds single values. */
export function readOrder(reading: Reading, isByCursor: boolean): SentOrder {
  const { definition, issues } = reading
  const sent = { fields: readFields(reading), directions: readDirections(reading) }
  const { orderBy = [], orderDirections = [] } = definition.options.defaultOrder ?? {}
  const order = sent.fields.length > 0 ? sent : { fields: orderBy, directions: orderDirections }
  const compounds = order.fields.filter((name) => definition.fields.get(name)?.type === 'compound')
  if (isByCursor && compounds.length > 0) {
    issues.push({ field: 'order_by', code: 'cursor_order_unsupported', names: compounds })
  }
  return order
}

/** Resolves directions and compounds and drops repeated fields. The tiebreaker also keeps offsets and pages stable. */
export function resolveOrder(definition: ListDefinition, order: SentOrder): OrderTerm[] {
  const terms = new Map<string, OrderTerm>()
  const add = (field: string, direction: OrderDirection) => {
    if (!terms.has(field)) terms.set(field, parseTerm(field, direction))
  }
  for (const [position, name] of order.fields.entries()) {
    for (const field of expandCompound(definition, name)) add(field, order.directions[position] ?? 'asc')
  }
  if (definition.tiebreaker !== undefined) add(definition.tiebreaker, 'asc')
  return [...terms.values()]
}

/** Nulls sort as the largest values unless the direction says otherwise. */
function parseTerm(field: string, direction: OrderDirection): OrderTerm {
  const descending = direction.startsWith('desc')
  const nullsFirst = direction.endsWith('nulls_first') || (descending && !direction.endsWith('nulls_last'))
  return { field, descending, nullsFirst }
}

function readFields({ definition, params, issues }: Reading): readonly string[] {
  const field = 'order_by'
  const entries = readList(params, field)
  const names = entries?.filter((entry) => typeof entry === 'string')
  if (names === undefined || names.length !== entries?.length) {
    issues.push({ field, code: 'not_a_list' })
    return []
  }
  if (!names.every((name) => definition.fields.has(name))) {
    issues.push({ field, code: 'unknown_field' })
    return []
  }
  if (!names.every((name) => definition.sortable.includes(name))) issues.push({ field, code: 'not_sortable' })
  return names
}

function readDirections({ params, issues }: Reading): readonly OrderDirection[] {
  const field = 'order_directions'
  const entries = readList(params, field)
  const known = entries?.flatMap((entry) => ORDER_DIRECTIONS.find((direction) => direction === entry) ?? [])
  if (known !== undefined && known.length === entries?.length) return known
  issues.push({ field, code: entries === undefined ? 'not_a_list' : 'unknown_direction' })
  return []
}

/** A blank list or entry is the same as none; anything but a list is undefined. */
function readList(params: ListParams, name: string): readonly unknown[] | undefined {
  const raw = sentValue(params, name)
  if (isBlank(raw)) return []
  return Array.isArray(raw) ? raw.filter((entry) => !isBlank(entry)) : undefined
}
