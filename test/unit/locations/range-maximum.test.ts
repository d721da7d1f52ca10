import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRangeMaximum } from '../../../src/locations/range-maximum.ts'

test('the best position of any range is the one a plain scan finds, the leftmost of equals', () => {
  const cases = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 400 })
    .chain((values) => fc.tuple(fc.constant(values), fc.nat(values.length - 1), fc.nat(values.length - 1)))
  fc.assert(
    fc.property(cases, ([values, a, b]) => {
      const from = Math.min(a, b)
      const to = Math.max(a, b) + 1
      const slice = values.slice(from, to)
      const expected = from + slice.indexOf(Math.max(...slice))
      expect(createRangeMaximum(Uint16Array.from(values))(from, to)).toBe(expected)
    }),
    { numRuns: 500 },
  )
})
