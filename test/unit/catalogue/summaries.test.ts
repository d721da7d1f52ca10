import { expect, test } from 'vitest'
import { createSummaries } from '../../../src/catalogue/properties/summaries.ts'
import { createNotice, MANDATORY_FEES } from '../../../src/domain/property/notices.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { aVendorProperty } from './a-vendor-property.ts'

function setUp(descriptionLength: number, bytesMax: number) {
  const asked: string[][] = []
  const store = {
    async summaries(ids: readonly string[]) {
      asked.push([...ids])
      return ids
        .filter((id) => !id.startsWith('unknown'))
        .map((propertyId) => {
          const content = aVendorProperty({
            description: 'x'.repeat(descriptionLength),
            amenitySlugs: ['pool', 'wifi'],
          })
          return summarizeProperty(propertyId, content)
        })
    },
  }
  return { asked, summaries: createSummaries(store, bytesMax) }
}

test('missing summaries are read in one query, and the others come from the cache', async () => {
  const { asked, summaries } = setUp(100, 10_000)
  await summaries.get(['a', 'b'])
  const found = await summaries.get(['a', 'b', 'c', 'unknown'])
  expect(asked).toEqual([
    ['a', 'b'],
    ['c', 'unknown'],
  ])
  expect([...found.keys()].sort()).toEqual(['a', 'b', 'c'])
  expect(found.get('c')?.amenitySlugs).toEqual(['pool', 'wifi'])
})

test('the summary cache stays below its size and evicts the least recently used entry', async () => {
  const { asked, summaries } = setUp(600, 9_000)
  await summaries.get(['a', 'b', 'c'])
  await summaries.get(['a'])
  await summaries.get(['d'])
  expect(summaries.bytes()).toBeLessThanOrEqual(9_000)
  await summaries.get(['a', 'c', 'd', 'b'])
  expect(asked.at(-1)).toEqual(['b'])
})

test('a summary read before a change is not cached after it', async () => {
  const { asked, summaries } = setUp(10, 10_000)
  const reading = summaries.get(['a'])
  summaries.forget('a')
  await reading
  await summaries.get(['a'])
  expect(asked).toEqual([['a'], ['a']])
})

test('a merged summary names the vendors that name mandatory fees in words', () => {
  const contents = ['expedia_rapid', 'hotelbeds'].map((vendorId) => aVendorProperty({ vendorId }))
  const notices = [createNotice('fees', MANDATORY_FEES, 'Bed linen: EUR 8 per person')].filter((each) => !!each)
  const [first = expect.fail(), ...others] = contents
  const { vendorsWithFees } = summarizeProperty('p', first, [{ ...first, notices }, ...others])
  expect(vendorsWithFees).toEqual(['expedia_rapid'])
  expect(summarizeProperty('p', first, contents)).not.toHaveProperty('vendorsWithFees')
})
