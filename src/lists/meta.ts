import type { ListDefinition } from './definition.ts'
import type { ListErrors } from './list-issues.ts'
import type { ListMeta } from './meta-schema.ts'
import type { ListParams } from './parse-list-query.ts'
import type { CountedPaging, CursorPaging, CursorValues, ListPlan } from './plan.ts'
import { publicErrors } from './public-errors.ts'

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

/** For parameters that were refused: only `errors` and `params` say something. */
export function errorMeta(definition: ListDefinition, errors: ListErrors, params: ListParams): ListMeta {
  return { ...EMPTY, errors: publicErrors(definition, errors), params: { ...params } }
}

export function offsetOf(paging: CountedPaging): number {
  if (paging.type === 'offset') return paging.offset
  return paging.type === 'page' ? (paging.page - 1) * paging.size : 0
}

/** Meta of a page whose records were counted: by offset, by page, or with no paging asked for. */
export function countedMeta(paging: CountedPaging, totalCount: number): ListMeta {
  const { size } = paging
  const offset = offsetOf(paging)
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

/** An offset between two pages counts as the later one, and never as a page beyond the last. */
function currentPage(paging: CountedPaging, totalPages: number): number {
  if (paging.type === 'page') return paging.page
  return paging.type === 'none' ? 1 : Math.min(Math.ceil(paging.offset / paging.size) + 1, totalPages)
}

/** Meta of a page found by cursor. On the side it came from there is a page if a cursor was sent; nothing is counted. */
export function cursorMeta(
  plan: ListPlan,
  paging: CursorPaging,
  found: { readonly more: boolean; readonly start?: CursorValues | undefined; readonly end?: CursorValues | undefined },
): ListMeta {
  const cameFrom = paging.cursor !== undefined
  const forward = paging.type === 'first'
  return {
    ...EMPTY,
    start_cursor: found.start === undefined ? null : plan.sealCursor(found.start),
    end_cursor: found.end === undefined ? null : plan.sealCursor(found.end),
    'has_previous_page?': forward ? cameFrom : found.more,
    'has_next_page?': forward ? found.more : cameFrom,
    page_size: paging.size,
  }
}
