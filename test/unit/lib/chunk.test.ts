import { expect, test } from 'vitest'
import { chunkEvenly } from '../../../src/lib/chunk.ts'

test('items are split into as few lists as possible of about equal length', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => index)
  const lengths = (count: number, max: number) => chunkEvenly(items(count), max).map(({ length }) => length)
  expect(lengths(537, 250)).toEqual([179, 179, 179])
  expect(lengths(500, 250)).toEqual([250, 250])
  expect(lengths(7, 3)).toEqual([3, 3, 1])
  expect(lengths(1, 250)).toEqual([1])
  expect(lengths(0, 250)).toEqual([])
  expect(chunkEvenly(items(10), 4).flat()).toEqual(items(10))
})
