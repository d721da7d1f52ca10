import { castValue, type ListValue } from './cast-value.ts'
import type { CursorCodec } from './cursor.ts'
import type { ListDefinition, PagingType } from './definition.ts'
import type { IssueBook, ListErrors } from './list-issues.ts'
import * as issues from './list-issues.ts'
import { type CursorValues, type ListPlan, type Paging, RANK } from './plan.ts'
import { listedFilters, readFilters } from './read-filters.ts'
import { orderTermsOf, readOrder, rejectCompoundOrder, type SentOrder, tiebreakerOf } from './read-order.ts'
import {
  pagingTypeOf,
  readPaging,
  rejectMixedPaging,
  type SentPaging,
  settleOffset,
  settlePage,
  settleSize,
} from './read-paging.ts'

export type ListParams = Readonly<Record<string, unknown>>

export type ListContext = {
  readonly cursors: CursorCodec
  /** What a cursor is good for: the operation, the account, the record it is under. No other scope opens it. */
  readonly scope: string
}

export type ParsedList =
  | { readonly ok: true; readonly plan: ListPlan }
  /** `params` are as sent, only that an indexed map of filters is written as a list. */
  | { readonly ok: false; readonly errors: ListErrors; readonly params: ListParams }

/** Understands list parameters, or says all that is wrong with them. Never throws, whatever was sent. */
export function parseListQuery(definition: ListDefinition, params: ListParams, context: ListContext): ParsedList {
  const book = issues.createIssueBook()
  const sent = rejectMixedPaging(definition, readPaging(definition, params, book), book)
  const sentOrder = readOrder(definition, params, book)
  const { filters, problem } = readFilters(definition, params)

  const type = pagingTypeOf(definition, sent)
  const byCursor = type === 'first' || type === 'last'
  const order = byCursor ? rejectCompoundOrder(definition, sentOrder, book) : sentOrder
  const paging = settlePaging({ definition, sent, order, book, context }, type)

  const errors = book.all()
  if (paging === undefined || errors.size > 0 || problem !== undefined) {
    return { ok: false, errors: { params: errors, filters: problem }, params: echoOf(params) }
  }
  const plan: ListPlan = {
    definition,
    paging,
    order: orderTermsOf(definition, order),
    ranked: definition.ranked && order.fields.length === 0,
    filters,
    sealCursor: (values) => context.cursors.seal(context.scope, values),
  }
  return { ok: true, plan }
}

type Request = {
  readonly definition: ListDefinition
  readonly sent: SentPaging
  readonly order: SentOrder
  readonly book: IssueBook
  readonly context: ListContext
}

function settlePaging(request: Request, type: PagingType | undefined): Paging | undefined {
  const { definition, sent, book } = request
  const { defaultLimit } = definition.options
  if (type === undefined) return { type: 'none', size: defaultLimit === false ? null : defaultLimit }
  const size = settleSize(definition, sent, type, book)
  if (type === 'offset') {
    const offset = settleOffset(definition, sent, book)
    return size === undefined ? undefined : { type, size, offset }
  }
  if (type === 'page') {
    const page = settlePage(definition, sent, size ?? 1, book)
    return size === undefined ? undefined : { type, size, page }
  }
  const cursor = settleCursor(request, type === 'first' ? 'after' : 'before')
  return size === undefined ? undefined : { type, size, cursor }
}

/** A cursor is a place in an order: it must have been made under the same order fields. */
function settleCursor(request: Request, param: 'after' | 'before'): CursorValues | undefined {
  const { definition, sent, order, book, context } = request
  const { replaceInvalid, maxCursorSize } = definition.options
  const names = cursorNames(definition, order)
  if (names.full.length === 0 && !book.has('order_by')) book.add('order_by', issues.orderMissing())
  const text = sent.cursors.get(param)
  if (text === undefined || names.full.length === 0) {
    if (replaceInvalid) book.drop(param)
    return undefined
  }
  const opened = text.length > maxCursorSize ? undefined : context.cursors.open(context.scope, text)
  const complaint = complaintAbout(opened, names, (name) => name === RANK || definition.fields.has(name))
  const values = opened === undefined || complaint !== undefined ? undefined : castAll(definition, opened)
  if (values === undefined && !replaceInvalid) book.add(param, complaint ?? issues.invalidCursor())
  return values
}

type CursorNames = { readonly full: readonly string[]; readonly bare: readonly string[] }

/** A cursor has the order fields and the tiebreaker; one without the tiebreaker names a place too, if a coarser one. */
function cursorNames(definition: ListDefinition, order: SentOrder): CursorNames {
  const tiebreaker = tiebreakerOf(definition)
  const bare = definition.ranked && order.fields.length === 0 ? [RANK] : order.fields
  const full = tiebreaker === undefined || bare.includes(tiebreaker) ? bare : [...bare, tiebreaker]
  return { full, bare }
}

function complaintAbout(
  opened: ReadonlyMap<string, unknown> | undefined,
  { full, bare }: CursorNames,
  isKnown: (name: string) => boolean,
): issues.ListIssue | undefined {
  if (opened === undefined || ![...opened.keys()].every(isKnown)) return issues.invalidCursor()
  const hasExactly = (names: readonly string[]) =>
    names.length === opened.size && names.every((name) => opened.has(name))
  return hasExactly(full) || hasExactly(bare) ? undefined : issues.cursorMismatch()
}

function castAll(definition: ListDefinition, opened: ReadonlyMap<string, unknown>): CursorValues | undefined {
  const values = new Map<string, ListValue>()
  for (const [name, raw] of opened) {
    const field = name === RANK ? ({ type: 'integer' } as const) : definition.fields.get(name)
    const value = raw === null || field === undefined ? null : castValue(field, raw)
    if (value === undefined) return undefined
    values.set(name, value)
  }
  return values
}

function echoOf(params: ListParams): ListParams {
  return Object.hasOwn(params, 'filters') ? { ...params, filters: listedFilters(params.filters) } : { ...params }
}
