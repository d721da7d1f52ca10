import { expect, test } from 'vitest'
import { minutesEach } from '../../../chaos/minutes-each.ts'

const timed = { isTimed: true }
const untimed = { isTimed: false }

test('the experiments that run for a given time share all the minutes, those that do not take none of them', () => {
  expect(minutesEach(12, [timed, timed, timed, untimed, untimed, untimed, timed])).toBe(3)
  expect(minutesEach(10, [timed])).toBe(10)
  expect(minutesEach(1, [untimed])).toBe(1)
})
