import type { CursorCodec } from './cursor.ts'
import type { ListDefinition } from './definition.ts'
import type { ListErrorCode, ListIssue } from './issues.ts'
import { type CursorValues, type ListParams, type ListPlan, RANK, type Reading } from './plan.ts'
import { normalizeFilters, readFilters } from './read-filters.ts'
import { readOrder, resolveOrder, type SentOrder } from './read-order.ts'
import { readPaging, readPagingType } from './read-paging.ts'
import { castValue, type ListValue } from './values.ts'

type ListContext = {
  readonly cursors: CursorCodec
  /** Operation, account and parent record of a cursor, which opens only in the same scope. */
  readonly scope: string
}

export type ParsedList =
  | { readonly ok: true; readonly plan: ListPlan }
  /** `params` as sent, except that an indexed map of filters becomes a list. */
  | { readonly ok: false; readonly issues: readonly ListIssue[]; readonly params: ListParams }

/** Parses list parameters and collects all issues. Never throws. */
export function parseListQuery(definition: ListDefinition, params: ListParams, context: ListContext): ParsedList {
  const issues: ListIssue[] = []
  const reading: Reading = { definition, params, issues }
  const type = readPagingType(reading)
  const order = readOrder(reading, type === 'first' || type === 'last')
  const paging = readPaging(reading, type, (param, text) => readCursor(reading, context, order, param, text))
  const filters = readFilters(reading)
  if (paging === undefined || issues.length > 0) return { ok: false, issues, params: echoParams(params) }
  const plan: ListPlan = {
    definition,
    paging,
    order: resolveOrder(definition, order),
    ranked: definition.ranked && order.fields.length === 0,
    filters,
    sealCursor: (values) => context.cursors.seal(context.scope, values),
  }
  return { ok: true, plan }
}

/** The cursor must have been made with the same order fields. */
function readCursor(
  { definition, issues }: Reading,
  { cursors, scope }: ListContext,
  order: SentOrder,
  field: 'after' | 'before',
  text: string | undefined,
): CursorValues | undefined {
  const names = cursorNames(definition, order)
  if (names.full.length === 0) {
    if (!issues.some((issue) => issue.field === 'order_by')) issues.push({ field: 'order_by', code: 'order_required' })
    return undefined
  }
  if (text === undefined) return undefined
  const opened = text.length > definition.options.maxCursorSize ? undefined : cursors.open(scope, text)
  const values = opened && castCursor(definition, opened)
  const code: ListErrorCode | undefined =
    values === undefined ? 'invalid_cursor' : hasFields(values, names) ? undefined : 'cursor_order_mismatch'
  if (code !== undefined) issues.push({ field, code })
  return code === undefined ? values : undefined
}

type CursorNames = { readonly full: readonly string[]; readonly bare: readonly string[] }

/** Valid cursors hold the order fields, with or without the tiebreaker. */
function cursorNames({ ranked, tiebreaker }: ListDefinition, order: SentOrder): CursorNames {
  const bare = ranked && order.fields.length === 0 ? [RANK] : order.fields
  const full = tiebreaker === undefined || bare.includes(tiebreaker) ? bare : [...bare, tiebreaker]
  return { full, bare }
}

function hasFields(values: CursorValues, { full, bare }: CursorNames): boolean {
  return [full, bare].some((names) => names.length === values.size && names.every((name) => values.has(name)))
}

/** Undefined if a field is unknown or a value has the wrong type. */
function castCursor(definition: ListDefinition, opened: ReadonlyMap<string, unknown>): CursorValues | undefined {
  const values = new Map<string, ListValue>()
  for (const [name, raw] of opened) {
    const field = name === RANK ? ({ type: 'integer' } as const) : definition.fields.get(name)
    const value = field && (raw === null ? null : castValue(field, raw))
    if (value === undefined) return undefined
    values.set(name, value)
  }
  return values
}

function echoParams(params: ListParams): ListParams {
  return Object.hasOwn(params, 'filters') ? { ...params, filters: normalizeFilters(params.filters) } : { ...params }
}
