import type { ListDefinition } from './definition.ts'
import type { PlannedFilter } from './filter-test.ts'
import type { ListIssue } from './issues.ts'
import type { ListValue } from './values.ts'

export type ListParams = Readonly<Record<string, unknown>>

/** Shared by the parsing steps, which append to `issues`. */
export type Reading = {
  readonly definition: ListDefinition
  readonly params: ListParams
  readonly issues: ListIssue[]
}

/** Ignores names of `Object.prototype`. */
export const sentValue = (params: ListParams, name: string): unknown =>
  Object.hasOwn(params, name) ? params[name] : undefined

/** The position of nulls is explicit because databases have different defaults. */
export type OrderTerm = { readonly field: string; readonly descending: boolean; readonly nullsFirst: boolean }

/** Values of the order fields in the record at which the cursor points. */
export type CursorValues = ReadonlyMap<string, ListValue>

export type Paging =
  | { readonly type: 'none'; readonly size: number | null }
  | { readonly type: 'offset'; readonly size: number; readonly offset: number }
  | { readonly type: 'page'; readonly size: number; readonly page: number }
  | { readonly type: 'first' | 'last'; readonly size: number; readonly cursor: CursorValues | undefined }

export type CursorPaging = Extract<Paging, { type: 'first' | 'last' }>
export type CountedPaging = Exclude<Paging, CursorPaging>

export const isCursorPaging = (paging: Paging): paging is CursorPaging =>
  paging.type === 'first' || paging.type === 'last'

/** A validated list request, which both engines run. */
export type ListPlan = {
  readonly definition: ListDefinition
  readonly paging: Paging
  /** Plain fields only, each once, ending with the tiebreaker. */
  readonly order: readonly OrderTerm[]
  /** True if the records keep their own order. */
  readonly ranked: boolean
  readonly filters: readonly PlannedFilter[]
  sealCursor(values: CursorValues): string
}

/** Key of the rank in a cursor of a ranked list; never a field name. */
export const RANK = '#'
