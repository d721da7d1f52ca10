import { expect, onTestFinished, test, vi } from 'vitest'

test('a saved search is read to its end, however many pages it has', async () => {
  const availability = vi.fn(async ({ page, page_size }: { page: number; page_size: number }) => ({
    data: [{ property_id: `p${page}` }],
    meta: { 'has_next_page?': page < 3, search: { check_in: '2027-03-01' }, page_size },
  }))
  vi.resetModules()
  vi.doMock('../../../web/src/api/client.ts', () => ({
    serai: { search: { availability } },
    resultOf: (call: Promise<unknown>) => call,
  }))
  onTestFinished(() => {
    vi.doUnmock('../../../web/src/api/client.ts')
    vi.resetModules()
  })
  const { firstResults, savedResults, savedTerms } = await import('../../../web/src/api/operations.ts')
  const { found, search } = await savedResults('s')
  expect(found.map(({ property_id }) => property_id)).toEqual(['p1', 'p2', 'p3'])
  expect(search).toMatchObject({ check_in: '2027-03-01' })
  availability.mockClear()
  expect(await savedTerms('s')).toMatchObject({ check_in: '2027-03-01' })
  expect(await firstResults('s', 6)).toHaveLength(1)
  expect(availability.mock.calls.map(([asked]) => asked)).toEqual([
    { search_id: 's', page: 1, page_size: 1 },
    { search_id: 's', page: 1, page_size: 6 },
  ])
})
