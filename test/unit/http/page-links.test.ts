import { expect, test } from 'vitest'
import { pageLinks } from '../../../src/http/body/page-links.ts'
import { defineList } from '../../../src/lists/definition.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import { parseQueryString } from '../../../src/lists/query-string.ts'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'

const LIST = defineList({
  fields: { id: { type: 'integer', sortable: true, filterable: true, nullable: false } },
  tiebreaker: 'id',
})
const RECORDS = Array.from({ length: 10 }, (_, index) => ({ id: index }))
const cursors = {
  seal: (_scope: string, values: ReadonlyMap<string, unknown>) => JSON.stringify([...values]),
  open: (_scope: string, text: string) => new Map<string, unknown>(JSON.parse(text)),
}

/** Links of a page, as URLs by relation, and its records. */
function readPage(url: string) {
  const parsed = parseQueryString(url.split('?', 2)[1] ?? '')
  if (!parsed.ok) throw new Error(parsed.message)
  const list = parseListQuery(LIST, parsed.params, { cursors, scope: '' })
  if (!list.ok) throw new Error(JSON.stringify(list.issues))
  const { data, meta } = runInMemory(list.plan, RECORDS)
  const header = pageLinks(url, list.plan, meta) ?? ''
  const links = Object.fromEntries([...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, link, rel]) => [rel, link]))
  return { ids: data.map(({ id }) => id), links, header }
}

/** Follows a relation to the end. */
function follow(start: string, rel: string): number[][] {
  const pages: number[][] = []
  for (let url: string | undefined = start; url !== undefined && pages.length < 20; ) {
    const page = readPage(url)
    pages.push(page.ids)
    url = page.links[rel]
  }
  return pages
}

test.each(['limit=4', 'page=1&page_size=4', 'first=4&order_by[]=id'])(
  'the next links of ?%s lead through all records',
  (query) => {
    expect(follow(`/list?${query}`, 'next')).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ])
  },
)

test.each(['limit=4&offset=8', 'page=3&page_size=4', 'last=4&order_by[]=id'])(
  'the prev links of ?%s lead to the start',
  (query) => {
    expect(
      follow(`/list?${query}`, 'prev')
        .flat()
        .sort((a, b) => a - b),
    ).toEqual(RECORDS.map(({ id }) => id))
  },
)

test('filters, order and unknown parameters stay as sent, and the first and last page have one link', () => {
  const { header } = readPage('/list?filters[]=id:>=<2&order_by[]=id&x=%20a&limit=4')
  expect(header).toBe('</list?filters[]=id:>=<2&order_by[]=id&x=%20a&limit=4&offset=4>; rel="next"')
  expect(Object.keys(readPage('/list?limit=4&offset=8').links)).toEqual(['prev'])
  expect(readPage('/list').header).toBe('')
})
