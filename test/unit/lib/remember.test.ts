import { expect, test } from 'vitest'
import { remember } from '../../../src/lib/async/remember.ts'

test('a key is made once, and again when there were too many others', () => {
  const made: string[] = []
  const lengthOf = remember(2, (key: string) => {
    made.push(key)
    return key.length
  })
  expect(['a', 'bb', 'a', 'bb'].map(lengthOf)).toEqual([1, 2, 1, 2])
  expect(made).toEqual(['a', 'bb'])
  expect(['ccc', 'bb', 'a'].map(lengthOf)).toEqual([3, 2, 1])
  expect(made).toEqual(['a', 'bb', 'ccc', 'a'])
})
