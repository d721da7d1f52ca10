import { expect, test } from 'vitest'
import { createSummaryCache } from '../../../src/catalogue/summary-cache.ts'

function storeOf(size: number) {
  const asked: string[][] = []
  return {
    asked,
    async summaries(ids: readonly string[]) {
      asked.push([...ids])
      return ids
        .filter((id) => !id.startsWith('unknown'))
        .map((id) => ({
          property_id: id,
          name_folded: id,
          star_rating: 3,
          guest_rating: 0,
          category: '',
          amenity_slugs: 'pool wifi',
          summary: 'x'.repeat(size),
        }))
    },
  }
}

test('the missing ones are read in one query, the rest comes out of memory', async () => {
  const store = storeOf(100)
  const cache = createSummaryCache(store, 10_000)
  await cache.get(['a', 'b'])
  const found = await cache.get(['a', 'b', 'c', 'unknown'])
  expect(store.asked).toEqual([
    ['a', 'b'],
    ['c', 'unknown'],
  ])
  expect([...found.keys()].sort()).toEqual(['a', 'b', 'c'])
  expect(found.get('c')?.amenitySlugs).toEqual(['pool', 'wifi'])
})

test('it stays below its bytes and lets go of what was used longest ago', async () => {
  const store = storeOf(600)
  const cache = createSummaryCache(store, 3_500)
  await cache.get(['a', 'b', 'c'])
  await cache.get(['a'])
  await cache.get(['d'])
  expect(cache.bytes()).toBeLessThanOrEqual(3_500)
  await cache.get(['a', 'c', 'd', 'b'])
  expect(store.asked.at(-1)).toEqual(['b'])
})

test('what was read before a change is not kept after it', async () => {
  const store = storeOf(10)
  const cache = createSummaryCache(store, 10_000)
  const reading = cache.get(['a'])
  cache.forget('a')
  await reading
  await cache.get(['a'])
  expect(store.asked).toEqual([['a'], ['a']])
})
