import { expect, test } from 'vitest'
import { isScarce } from '../../../web/src/offer/is-scarce.ts'

test('the rooms left are shown up to five, and never fewer than the rooms asked for', () => {
  expect([isScarce(1, 1), isScarce(5, 1), isScarce(6, 1), isScarce(null, 1)]).toEqual([true, true, false, false])
  expect([isScarce(1, 2), isScarce(2, 2)]).toEqual([false, true])
})
