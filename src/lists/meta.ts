import { type Static, Type } from 'typebox'
import type { ListDefinition } from './definition.ts'
import { describeIssue, type ListIssue } from './issues.ts'
import type { CountedPaging, CursorPaging, CursorValues, ListParams, ListPlan } from './plan.ts'

const integerOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
const stringOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const ListFieldError = Type.Object({
  field: Type.String({ description: 'The parameter, e.g. `limit` or `filters[1][value]`.' }),
  code: Type.String({ description: 'Stable and machine-readable.' }),
  message: Type.String({ description: 'What is wrong, and what to do.' }),
})

export const ListMeta = Type.Object({
  current_offset: integerOrNull('Offset used, or derived from the page; null when paging by cursor.'),
  current_page: integerOrNull('Page used, or derived from the offset (rounded up between pages); null by cursor.'),
  previous_offset: integerOrNull('Offset of the previous page, null if there is none.'),
  next_offset: integerOrNull('Offset of the next page, null if there is none.'),
  previous_page: integerOrNull('Number of the previous page, null if there is none.'),
  next_page: integerOrNull('Number of the next page, null if there is none.'),
  start_cursor: stringOrNull('Cursor of the first record; only when paging by cursor.'),
  end_cursor: stringOrNull('Cursor of the last record; only when paging by cursor.'),
  'has_previous_page?': Type.Boolean({ description: 'By cursor: always true when `first` and `after` are used.' }),
  'has_next_page?': Type.Boolean({ description: 'By cursor: always true when `last` and `before` are used.' }),
  page_size: integerOrNull('Requested size (`limit`, `page_size`, `first` or `last`), or the default.'),
  params: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The parameters as sent; only if there are errors.',
  }),
  errors: Type.Array(ListFieldError, { description: 'Errors in the parameters; empty if there are none.' }),
  warnings: Type.Optional(Type.Array(Type.String(), { description: 'Parameters that were ignored; absent if none.' })),
  total_count: integerOrNull('Matching records on all pages; null when paging by cursor.'),
  total_pages: integerOrNull('Total number of pages; null when paging by cursor.'),
})
export type ListMeta = Static<typeof ListMeta>

export type ListPage<T> = { readonly data: T[]; readonly meta: ListMeta }

const EMPTY: ListMeta = {
  current_offset: null,
  current_page: null,
  previous_offset: null,
  next_offset: null,
  previous_page: null,
  next_page: null,
  start_cursor: null,
  end_cursor: null,
  'has_previous_page?': false,
  'has_next_page?': false,
  page_size: null,
  params: {},
  errors: [],
  total_count: null,
  total_pages: null,
}

/** Caps the response to a request with thousands of errors. */
const ERRORS_MAX = 50

/** Meta for invalid parameters: only `errors` and `params` are set. */
export function errorMeta(definition: ListDefinition, issues: readonly ListIssue[], params: ListParams): ListMeta {
  const errors = issues
    .slice(0, ERRORS_MAX)
    .map((issue) => ({ field: issue.field, code: String(issue.code), message: describeIssue(issue, definition) }))
  const more = issues.length - errors.length
  if (more > 0) {
    errors.push({ field: 'filters', code: 'more_errors', message: `There are ${more} more errors like these.` })
  }
  return { ...EMPTY, errors, params: { ...params } }
}

export function toOffset(paging: CountedPaging): number {
  if (paging.type === 'offset') return paging.offset
  return paging.type === 'page' ? (paging.page - 1) * paging.size : 0
}

/** Meta of a counted page: by offset, by page, or without paging. */
export function countedMeta(paging: CountedPaging, totalCount: number): ListMeta {
  const { size } = paging
  const offset = toOffset(paging)
  const totalPages = totalCount === 0 ? 0 : size === null ? 1 : Math.ceil(totalCount / size)
  const page = currentPage(paging, totalPages)
  const hasNext = size !== null && offset + size < totalCount
  return {
    ...EMPTY,
    current_offset: offset,
    current_page: page,
    previous_offset: offset > 0 ? Math.max(0, offset - (size ?? 0)) : null,
    next_offset: hasNext ? offset + size : null,
    previous_page: page > 1 ? page - 1 : null,
    next_page: hasNext ? Math.min(totalPages, page + 1) : null,
    'has_previous_page?': offset > 0,
    'has_next_page?': hasNext,
    page_size: size,
    total_count: totalCount,
    total_pages: totalPages,
  }
}

/** Rounds an offset between two pages up, but never beyond the last page. */
function currentPage(paging: CountedPaging, totalPages: number): number {
  if (paging.type === 'page') return paging.page
  return paging.type === 'none' ? 1 : Math.min(Math.ceil(paging.offset / paging.size) + 1, totalPages)
}

/** Meta of a page by cursor. Nothing is counted: if a cursor was sent, there is a page on that side. */
export function cursorMeta(
  plan: ListPlan,
  paging: CursorPaging,
  found: { readonly more: boolean; readonly start?: CursorValues | undefined; readonly end?: CursorValues | undefined },
): ListMeta {
  const hasCursor = paging.cursor !== undefined
  const forward = paging.type === 'first'
  return {
    ...EMPTY,
    start_cursor: found.start === undefined ? null : plan.sealCursor(found.start),
    end_cursor: found.end === undefined ? null : plan.sealCursor(found.end),
    'has_previous_page?': forward ? hasCursor : found.more,
    'has_next_page?': forward ? found.more : hasCursor,
    page_size: paging.size,
  }
}
