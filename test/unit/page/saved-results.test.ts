import { expect, onTestFinished, test, vi } from 'vitest'

/** Browsers accept URLs without an origin. */
class PageRequest extends Request {
  constructor(input: string, init?: RequestInit) {
    super(new URL(input, 'http://page'), init)
  }
}

test('all pages of a saved search are read', async () => {
  const requests: string[] = []
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('Request', PageRequest)
  vi.stubGlobal('fetch', async (input: string | Request) => {
    if (typeof input === 'string') return Response.json({ guests: 'off', session: { account: { id: 'acc_ana' } } })
    const { pathname, searchParams } = new URL(input.url)
    requests.push(`${pathname}?${searchParams}`)
    const page = Number(searchParams.get('page'))
    const meta = { 'has_next_page?': page < 3, search: { check_in: '2027-03-01' } }
    return Response.json({ data: [{ property_id: `p${page}` }], meta })
  })
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { fetchFirstResults, fetchSavedResults, fetchSavedSearch } = await import('../../../web/src/api/operations.ts')
  const { found, search } = await fetchSavedResults('s')
  expect(found.map(({ property_id }) => property_id)).toEqual(['p1', 'p2', 'p3'])
  expect(search).toMatchObject({ check_in: '2027-03-01' })
  requests.length = 0
  expect(await fetchSavedSearch('s')).toMatchObject({ check_in: '2027-03-01' })
  expect(await fetchFirstResults('s', 6)).toHaveLength(1)
  const list = '/api/accommodation_searches/s/availability'
  expect(requests).toEqual([`${list}?page=1&page_size=1&view=card`, `${list}?page=1&page_size=6&view=card`])
})
