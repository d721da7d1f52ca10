import { expect, test } from 'vitest'
import { memoize } from '../../../src/lib/async/memoize.ts'

test('a value is computed once per key and again after its eviction', () => {
  const computed: string[] = []
  const measure = memoize(2, (key: string) => {
    computed.push(key)
    return key.length
  })
  expect(['a', 'bb', 'a', 'bb'].map(measure)).toEqual([1, 2, 1, 2])
  expect(computed).toEqual(['a', 'bb'])
  expect(['ccc', 'bb', 'a'].map(measure)).toEqual([3, 2, 1])
  expect(computed).toEqual(['a', 'bb', 'ccc', 'a'])
})
