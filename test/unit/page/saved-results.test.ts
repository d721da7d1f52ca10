import { expect, onTestFinished, test, vi } from 'vitest'

/** A page takes addresses without an origin. */
class PageRequest extends Request {
  constructor(input: string, init?: RequestInit) {
    super(new URL(input, 'http://page'), init)
  }
}

test('a saved search is read to its end, however many pages it has', async () => {
  const asked: string[] = []
  vi.stubGlobal('Request', PageRequest)
  vi.stubGlobal('fetch', async (input: string | Request) => {
    if (typeof input === 'string') return Response.json({ guests: 'off', session: { account: { id: 'acc_ana' } } })
    const { pathname, searchParams } = new URL(input.url)
    asked.push(`${pathname}?${searchParams}`)
    const page = Number(searchParams.get('page'))
    const meta = { 'has_next_page?': page < 3, search: { check_in: '2027-03-01' } }
    return Response.json({ data: [{ property_id: `p${page}` }], meta })
  })
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { firstResults, savedResults, savedTerms } = await import('../../../web/src/api/operations.ts')
  const { found, search } = await savedResults('s')
  expect(found.map(({ property_id }) => property_id)).toEqual(['p1', 'p2', 'p3'])
  expect(search).toMatchObject({ check_in: '2027-03-01' })
  asked.length = 0
  expect(await savedTerms('s')).toMatchObject({ check_in: '2027-03-01' })
  expect(await firstResults('s', 6)).toHaveLength(1)
  const list = '/api/accommodation_searches/s/availability'
  expect(asked).toEqual([`${list}?page=1&page_size=1`, `${list}?page=1&page_size=6`])
})
