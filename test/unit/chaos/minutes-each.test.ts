import { expect, test } from 'vitest'
import { minutesEach } from '../../../chaos/minutes-each.ts'

const timed = { isTimed: true }
const untimed = { isTimed: false }

test('timed experiments share all minutes, and untimed ones take none', () => {
  expect(minutesEach(12, [timed, timed, timed, untimed, untimed, untimed, timed])).toBe(3)
  expect(minutesEach(10, [timed])).toBe(10)
  expect(minutesEach(1, [untimed])).toBe(1)
})
