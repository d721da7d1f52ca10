import { isBlank } from './cast-value.ts'
import { type ListDefinition, ORDER_DIRECTIONS, type OrderDirection, partsOf } from './definition.ts'
import type { IssueBook } from './list-issues.ts'
import * as issues from './list-issues.ts'
import type { OrderTerm } from './plan.ts'

/** The order asked for, by position; directions may be fewer or more than fields. */
export type SentOrder = { readonly fields: readonly string[]; readonly directions: readonly OrderDirection[] }

const NONE: SentOrder = { fields: [], directions: [] }

/** The requested order, or the default one, with its complaints in the book. */
export function readOrder(
  definition: ListDefinition,
  params: Readonly<Record<string, unknown>>,
  book: IssueBook,
): SentOrder {
  const sent = definition.options.ordering
    ? { fields: readFields(definition, params, book), directions: readDirections(params, book) }
    : NONE
  const order = keepSortable(definition, sent, book)
  if (order.fields.length > 0) return order
  const { defaultOrder } = definition.options
  return defaultOrder === undefined
    ? NONE
    : { fields: defaultOrder.orderBy, directions: defaultOrder.orderDirections ?? [] }
}

/** A cursor holds values of single fields, so a compound field cannot order a list paged by cursors. */
export function rejectCompoundOrder(definition: ListDefinition, order: SentOrder, book: IssueBook): SentOrder {
  const isCompound = (name: string) => definition.fields.get(name)?.type === 'compound'
  const compounds = order.fields.filter(isCompound)
  if (compounds.length === 0) return order
  if (definition.options.replaceInvalid) return without(order, isCompound)
  book.add('order_by', issues.cursorOrderUnsupported(compounds))
  return order
}

/** The tiebreaker, where it makes an order that cursors can follow; a list that is never ordered has none to follow. */
export function tiebreakerOf(definition: ListDefinition): string | undefined {
  const { ordering, defaultOrder } = definition.options
  return ordering || defaultOrder !== undefined ? definition.tiebreaker : undefined
}

/**
 * Resolves directions and compounds. A field named again later changes nothing and is left out. The tiebreaker ends
 * every order, so that offsets and pages are stable too.
 */
export function orderTermsOf(definition: ListDefinition, order: SentOrder): OrderTerm[] {
  const terms = new Map<string, OrderTerm>()
  for (const [position, name] of order.fields.entries()) {
    const direction = order.directions[position] ?? 'asc'
    for (const field of partsOf(definition, name)) {
      if (!terms.has(field)) terms.set(field, { field, ...meaningOf(direction) })
    }
  }
  const { tiebreaker } = definition
  if (tiebreaker !== undefined && !terms.has(tiebreaker)) {
    terms.set(tiebreaker, { field: tiebreaker, ...meaningOf('asc') })
  }
  return [...terms.values()]
}

/** Missing values count as larger than all others unless the direction says where they go. */
function meaningOf(direction: OrderDirection): { descending: boolean; nullsFirst: boolean } {
  const descending = direction.startsWith('desc')
  if (direction.endsWith('nulls_first')) return { descending, nullsFirst: true }
  if (direction.endsWith('nulls_last')) return { descending, nullsFirst: false }
  return { descending, nullsFirst: descending }
}

function readFields(
  definition: ListDefinition,
  params: Readonly<Record<string, unknown>>,
  book: IssueBook,
): readonly string[] {
  const entries = readList(params, 'order_by')
  if (entries === undefined || entries.some((entry) => typeof entry !== 'string')) {
    book.add('order_by', issues.orderNotAList())
    return []
  }
  const names = entries.map(String)
  if (!names.every((name) => definition.fields.has(name))) {
    book.add('order_by', issues.orderFieldUnknown())
    return []
  }
  return names
}

function readDirections(params: Readonly<Record<string, unknown>>, book: IssueBook): readonly OrderDirection[] {
  const entries = readList(params, 'order_directions')
  if (entries === undefined) {
    book.add('order_directions', issues.directionsNotAList())
    return []
  }
  const known = entries.map((entry) => ORDER_DIRECTIONS.find((direction) => direction === entry))
  const bad = known.indexOf(undefined)
  if (bad < 0) return known.filter((direction) => direction !== undefined)
  book.add('order_directions', issues.unknownDirection(bad))
  return []
}

/** Blank is the same as not sent, as a whole and entry by entry; anything but a list is undefined. */
function readList(params: Readonly<Record<string, unknown>>, name: string): readonly unknown[] | undefined {
  const raw = Object.hasOwn(params, name) ? params[name] : undefined
  if (isBlank(raw)) return []
  return Array.isArray(raw) ? raw.filter((entry) => !isBlank(entry)) : undefined
}

function keepSortable(definition: ListDefinition, order: SentOrder, book: IssueBook): SentOrder {
  const { sortable, openFields, options } = definition
  if (openFields) return order
  const allowed = new Set(sortable)
  const isForbidden = (name: string) => !allowed.has(name)
  if (options.replaceInvalid) {
    book.drop('order_by', 'order_directions')
    return without(order, isForbidden)
  }
  if (order.fields.some(isForbidden)) book.add('order_by', issues.notSortable(sortable))
  return order
}

/** Drops fields together with the direction at the same place. */
function without(order: SentOrder, unwanted: (name: string) => boolean): SentOrder {
  const keep = (_: unknown, position: number) => {
    const name = order.fields[position]
    return name === undefined || !unwanted(name)
  }
  return { fields: order.fields.filter(keep), directions: order.directions.filter(keep) }
}
