import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap } from '../../../src/locations/heap.ts'

test('items come out by falling key, beyond the first room too', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { maxLength: 3000 }), (keys) => {
      const heap = createHeap()
      for (const [item, key] of keys.entries()) heap.push(key, item)
      const popped: number[] = []
      for (let item = heap.pop(); item >= 0; item = heap.pop()) popped.push(keys[item] ?? Number.NaN)
      expect(popped).toEqual([...keys].sort((a, b) => b - a))
    }),
    { numRuns: 50 },
  )
})

test('a cleared heap is empty', () => {
  const heap = createHeap()
  heap.push(1, 1)
  heap.clear()
  expect(heap.pop()).toBe(-1)
})
