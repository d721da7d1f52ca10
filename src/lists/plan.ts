import type { ListDefinition } from './definition.ts'
import type { PlannedFilter } from './filter-test.ts'
import type { ListIssue } from './issues.ts'
import type { ListValue } from './values.ts'

export type ListParams = Readonly<Record<string, unknown>>

/** What the steps of parsing share: what was sent, and what they find wrong with it. */
export type Reading = {
  readonly definition: ListDefinition
  readonly params: ListParams
  readonly issues: ListIssue[]
}

/** A parameter as it was sent; names of `Object.prototype` are none. */
export const sentValue = (params: ListParams, name: string): unknown =>
  Object.hasOwn(params, name) ? params[name] : undefined

/** One field of the order, with the place of missing values spelled out: databases disagree on it. */
export type OrderTerm = { readonly field: string; readonly descending: boolean; readonly nullsFirst: boolean }

/** Where a page starts or ends: the order fields of the record that the cursor was made of. */
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

/** A list request, understood and checked: what both engines run. */
export type ListPlan = {
  readonly definition: ListDefinition
  readonly paging: Paging
  /** Plain fields only, each once, ended by the tiebreaker. */
  readonly order: readonly OrderTerm[]
  /** True when the records keep the order they come in. */
  readonly ranked: boolean
  readonly filters: readonly PlannedFilter[]
  sealCursor(values: CursorValues): string
}

/** The place of a record in a ranked list, inside its cursor; no field can have this name. */
export const RANK = '#'
