import type { ListMeta } from './generated/api-types.ts'
import type { Arguments } from './methods.ts'

type Page = { readonly data: readonly unknown[]; readonly meta: ListMeta }

const PAGING = ['first', 'after', 'last', 'before', 'limit', 'offset', 'page', 'page_size']
const DEFAULT_PAGE_SIZE = 100

/** Uses cursors unless the caller pages differently, so that nothing is missed or repeated while the list changes. */
export async function* readPages(read: (args: Arguments) => Promise<Page>, args: Arguments): AsyncGenerator<unknown> {
  let next: Arguments | undefined = PAGING.some((name) => args[name] !== undefined)
    ? args
    : { ...args, first: DEFAULT_PAGE_SIZE }
  while (next !== undefined) {
    const { data, meta }: Page = await read(next)
    yield* data
    next = data.length === 0 ? undefined : nextArguments(next, meta)
  }
}

function nextArguments(args: Arguments, meta: ListMeta): Arguments | undefined {
  if (args.last !== undefined || args.before !== undefined)
    return meta['has_previous_page?'] && meta.start_cursor !== null ? { ...args, before: meta.start_cursor } : undefined
  if (!meta['has_next_page?']) return undefined
  if (meta.end_cursor !== null) return { ...args, after: meta.end_cursor }
  if (args.page !== undefined || args.page_size !== undefined)
    return meta.next_page === null ? undefined : { ...args, page: meta.next_page }
  return meta.next_offset === null ? undefined : { ...args, offset: meta.next_offset }
}
