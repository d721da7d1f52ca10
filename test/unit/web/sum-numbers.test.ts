import { expect, test } from 'vitest'
import { formatChange, listDays, MEASURES, sumNumbers } from '../../../web/src/console/numbers/sum-numbers.ts'

const ROW = {
  ...{ day: '2027-01-15', vendor_id: 'v', bookings: 2, value: 100.5, margin: 10 },
  ...{ searches: 9, doubts: 1, calls: 200, errors: 3 },
}
const read = (title: string, rows: readonly (typeof ROW)[]) =>
  MEASURES.find((measure) => measure.title === title)?.read(sumNumbers(rows))

test('figures of several days and vendors add up, and ratios are those of the sums', () => {
  const other = { ...ROW, vendor_id: 'w', bookings: 1, searches: 3, calls: 100, errors: 0 }
  expect(sumNumbers([ROW, other])).toMatchObject({ bookings: 3, value: 201, margin: 20, searches: 12 })
  expect(read('Vendor searches per booking', [ROW, other])).toBe(4)
  expect(read('Failed calls', [ROW, other])).toBe(0.01)
})

test('a ratio without a divisor and a hidden margin are unknown', () => {
  const empty = { ...ROW, bookings: 0, calls: 0 }
  expect(read('Vendor searches per booking', [empty])).toBeNull()
  expect(read('Failed calls', [empty])).toBeNull()
  expect(sumNumbers([ROW, { ...ROW, margin: null as never }]).margin).toBeNull()
})

test('a change is a percentage of the week before, if there was any', () => {
  expect(formatChange(112, 100)).toBe('+12 %')
  expect(formatChange(97, 100)).toBe('−3 %')
  expect(formatChange(100, 100)).toBe('as before')
  expect([formatChange(5, 0), formatChange(null, 3), formatChange(3, null)]).toEqual([undefined, undefined, undefined])
})

test('the days are two complete weeks and today, also across a change of the year', () => {
  const days = listDays('2026-12-25')
  expect([days.length, days[0], days[7], days.at(-1)]).toEqual([15, '2026-12-25', '2027-01-01', '2027-01-08'])
})
