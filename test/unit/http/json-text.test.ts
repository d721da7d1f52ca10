import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkJsonText } from '../../../src/http/body/json-text.ts'

const POISON = new Set(['__proto__', 'constructor', 'prototype'])
const poisoned = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.keys(value).some((key) => POISON.has(key)) || Object.values(value).some(poisoned))

test('everything that JSON.stringify writes is accepted, unless it nests deeply or names the prototype', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
      fc.pre(!poisoned(value))
      expect(checkJsonText(JSON.stringify(value))).toBeUndefined()
      expect(checkJsonText(JSON.stringify(value, null, 2))).toBeUndefined()
    }),
  )
})

test.each([
  ['{"a":1,"a":2}', 'twice'],
  ['{"a":{"b":[{"c":1,"\\u0063":2}]}}', 'twice'],
  ['{"x":"{","__proto__":1}', '__proto__'],
  [`${'{"a":'.repeat(21)}1${'}'.repeat(21)}`, 'deeper'],
])('the JSON text %s is refused', (text, word) => {
  expect(checkJsonText(text)).toContain(word)
})

test('the same key in two objects is accepted', () => {
  expect(checkJsonText('[{"a":1},{"a":{"a":2}}]')).toBeUndefined()
})
