import type { ListMeta } from '../../lists/meta.ts'
import type { ListPlan } from '../../lists/plan.ts'

/** Parameters with the position of a page; the others stay as sent. */
const PLACES = ['offset', 'page', 'first', 'after', 'last', 'before']

/** `Link` header (RFC 8288) with the next and the previous page; undefined if there is neither. */
export function pageLinks(url: string, plan: ListPlan, meta: ListMeta, path?: string): string | undefined {
  const [own = '', query = ''] = url.split('?', 2)
  const kept = query.split('&').filter((pair) => pair !== '' && !PLACES.includes(pair.split('=', 1)[0] ?? ''))
  const links = Object.entries(neighbours(plan, meta)).map(([rel, place]) => {
    const pairs = Object.entries(place).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return `<${path ?? own}?${[...kept, ...pairs].join('&')}>; rel="${rel}"`
  })
  return links.length === 0 ? undefined : links.join(', ')
}

type Place = Readonly<Record<string, string | number>>

function neighbours({ paging }: ListPlan, meta: ListMeta): { readonly [rel: string]: Place } {
  const { size } = paging
  switch (paging.type) {
    case 'none':
      return {}
    case 'offset':
      return { ...at('next', 'offset', meta.next_offset), ...at('prev', 'offset', meta.previous_offset) }
    case 'page':
      return { ...at('next', 'page', meta.next_page), ...at('prev', 'page', meta.previous_page) }
    default: {
      const { start_cursor: start, end_cursor: end } = meta
      return {
        ...(meta['has_next_page?'] && end !== null && { next: { first: size ?? 0, after: end } }),
        ...(meta['has_previous_page?'] && start !== null && { prev: { last: size ?? 0, before: start } }),
      }
    }
  }
}

const at = (rel: 'next' | 'prev', name: string, value: number | null) =>
  value === null ? {} : { [rel]: { [name]: value } }
