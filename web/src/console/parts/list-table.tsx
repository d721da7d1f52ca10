import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { Failure } from '../../ui/failure.tsx'

const PAGE_SIZE = 25

type Paging = { readonly page: number; readonly page_size: number }
export type ListAnswer<T> = { readonly data: readonly T[]; readonly meta: components['schemas']['ListMeta'] }
export type Column<T> = {
  readonly title: string
  cell(item: T): ReactNode
  /** Class of the cell, for example to align numbers. */
  readonly className?: string
}

type Props<T, Answer extends ListAnswer<T>> = {
  /** Description for screen readers. */
  caption: string
  /** Query key without the page number. */
  queryKey: readonly unknown[]
  read(paging: Paging): Promise<Answer>
  columns: readonly Column<T>[]
  rowKey(item: T): string
  /** Shown if the list is empty. */
  empty: ReactNode
  /** Additional information above the table. */
  note?(answer: Answer): ReactNode
}

/** Paged table of a list operation. The page is part of the address. */
export function ListTable<T, Answer extends ListAnswer<T> = ListAnswer<T>>(props: Props<T, Answer>) {
  const { caption, queryKey, read, columns, rowKey, empty, note } = props
  const { query } = useAddress()
  const page = Math.max(1, Math.trunc(Number(query.get('page'))) || 1)
  const list = useQuery({
    queryKey: [...queryKey, page],
    queryFn: () => callApi(read({ page, page_size: PAGE_SIZE })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  if (list.isPending) return <p className="py-6 text-muted">Loading …</p>
  if (list.isError) return <Failure error={list.error} onRetry={() => list.refetch()} />
  const { data, meta } = list.data
  if (data.length === 0 && page === 1)
    return (
      <div role="status" className="py-6 text-muted">
        {empty}
        {note?.(list.data)}
      </div>
    )
  return (
    <div aria-busy={list.isFetching}>
      {note?.(list.data)}
      <Table caption={caption} columns={columns} rows={data} rowKey={rowKey} />
      <Pages page={page} count={data.length} total={meta.total_count} more={meta['has_next_page?']} />
    </div>
  )
}

type TableProps<T> = {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey(item: T): string
}

/** Maximum number of columns that fit on a tablet. */
const NARROW_COLUMNS = 6

/**
 * Shows the column's title before the cell, and a dash in an empty one. Both are hidden from screen readers, which know
 * the column.
 */
const STACKED = {
  narrow: {
    block: 'max-md:block',
    head: 'max-md:sr-only',
    row: 'max-md:block max-md:py-2',
    space: 'px-3 py-2',
    cell: "max-md:flex max-md:py-1 max-md:text-left max-md:before:w-28 max-md:before:shrink-0 max-md:before:pr-2 max-md:before:whitespace-normal max-md:before:text-muted max-md:before:content-[attr(data-title)_/_''] max-[24rem]:before:w-26 max-[24rem]:before:pr-1 max-md:[&>div:empty]:before:content-['–'_/_'']",
  },
  wide: {
    block: 'max-xl:block',
    head: 'max-xl:sr-only',
    row: 'max-xl:grid max-xl:grid-cols-1 max-xl:py-2 md:max-xl:grid-cols-2',
    space: 'px-3 py-2 xl:max-2xl:px-2',
    cell: "max-xl:flex max-xl:py-1 max-xl:text-left max-xl:before:w-28 max-xl:before:shrink-0 max-xl:before:pr-2 max-xl:before:whitespace-normal max-xl:before:text-muted max-xl:before:content-[attr(data-title)_/_''] max-[24rem]:before:w-26 max-[24rem]:before:pr-1 max-xl:[&>div:empty]:before:content-['–'_/_'']",
  },
} as const

/**
 * Stacks the cells of each row on narrow screens. Scrolls horizontally if it is still too wide, also with the
 * keyboard.
 */
export function Table<T>({ caption, columns, rows, rowKey }: TableProps<T>) {
  const stacked = STACKED[columns.length > NARROW_COLUMNS ? 'wide' : 'narrow']
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
    <section aria-label={caption} tabIndex={0} className="card overflow-x-auto">
      <table className={`w-full border-collapse text-left text-sm ${stacked.block}`}>
        <caption className="sr-only">{caption}</caption>
        <thead className={`bg-sunk ${stacked.head}`}>
          <tr>
            {columns.map(({ title, className = '' }) => (
              <th key={title} scope="col" className={`align-bottom font-semibold ${stacked.space} ${className}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={stacked.block}>
          {rows.map((item) => (
            <tr key={rowKey(item)} className={`border-t border-line align-top ${stacked.row}`}>
              {columns.map(({ title, cell, className = '' }) => (
                <td key={title} data-title={title} className={`${stacked.space} ${stacked.cell} ${className}`}>
                  <div className="min-w-0 flex-1">{cell(item)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type PagesProps = {
  page: number
  count: number
  total: number | null
  more: boolean
}

function Pages({ page, count, total, more }: PagesProps) {
  const first = (page - 1) * PAGE_SIZE + 1
  const rows = count === 0 ? 'No rows on this page' : `Rows ${first} to ${first + count - 1}`
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="figures text-muted">
        {rows}
        {total !== null && ` of ${total}`}
      </p>
      {(page > 1 || more) && (
        <div className="flex gap-2">
          <PageButton text="Previous page" to={page - 1} isOpen={page > 1} />
          <PageButton text="Next page" to={page + 1} isOpen={more} />
        </div>
      )}
    </div>
  )
}

/** Never disabled, so that it keeps focus on the last page. */
function PageButton(props: { text: string; to: number; isOpen: boolean }) {
  const { query, path } = useAddress()
  const go = () => {
    const changed = new URLSearchParams(query)
    changed.set('page', String(props.to))
    if (props.isOpen) navigate(`${path}?${changed}`, { keepScroll: true })
  }
  return (
    <button
      type="button"
      className="btn btn-quiet aria-disabled:cursor-default aria-disabled:text-muted"
      aria-disabled={!props.isOpen}
      onClick={go}
    >
      {props.text}
    </button>
  )
}
