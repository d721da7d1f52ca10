import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextReading, READINGS_MAX, readingTimes, type Watched } from '../../../src/domain/booking/reading-schedule.ts'
import { addDays } from '../../../src/lib/time/plain-date.ts'
import { toInstant } from '../../../src/lib/time/zoned-time.ts'
import { euro, START } from '../../support/booking/an-offer.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

const watched = (leadDays: number, steps: readonly number[] = [], bookingId = 'bkg_1'): Watched => ({
  bookingId,
  confirmedAt: START,
  checkIn: addDays('2027-01-15', leadDays),
  timezone: 'Europe/Rome',
  cancel: {
    refundable: true,
    penalties: steps.map((time) => ({ from: new Date(time).toISOString(), amount: euro(100) })),
  },
})
const arrivalTime = ({ checkIn, timezone }: Watched) => toInstant(checkIn, '00:00', timezone)
const hasTimeBetween = (times: readonly number[], from: number, to: number) =>
  times.some((time) => time >= from && time <= to)

test('a booking far ahead is read after ten minutes and a day, weekly, before each penalty step, and around arrival', () => {
  const step = START + 30 * DAY
  const booking = watched(45, [step])
  const [times, arrival] = [readingTimes(booking), arrivalTime(booking)]
  expect(hasTimeBetween(times, START + 10 * 60_000, START + 12 * 60_000)).toBe(true)
  expect(hasTimeBetween(times, START + DAY, START + 26 * HOUR)).toBe(true)
  expect(hasTimeBetween(times, step - DAY, step - 2 * HOUR)).toBe(true)
  for (const days of [3, 1]) expect(hasTimeBetween(times, arrival - days * DAY, arrival - (days - 1) * DAY)).toBe(true)
  expect(hasTimeBetween(times, arrival + 6 * HOUR, arrival + 10 * HOUR)).toBe(true)
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(WEEK + DAY)
})

test('a booking is read at most twelve times, between its confirmation and the day of arrival, and always on that day', () => {
  const anyWatched = fc
    .tuple(fc.integer({ min: 1, max: 500 }), fc.array(fc.integer({ min: -5, max: 500 }), { maxLength: 20 }), fc.uuid())
    .map(([lead, steps, id]) =>
      watched(
        lead,
        steps.map((days) => START + days * DAY),
        id,
      ),
    )
  fc.assert(
    fc.property(anyWatched, (booking) => {
      const [times, arrival] = [readingTimes(booking), arrivalTime(booking)]
      expect(times.length).toBeLessThanOrEqual(READINGS_MAX)
      expect(times.length).toBeGreaterThanOrEqual(2)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.every((time) => time > START && time < arrival + DAY)).toBe(true)
      expect(hasTimeBetween(times, arrival, arrival + 10 * HOUR)).toBe(true)
    }),
  )
})

test('a booking for the same day is read after ten minutes', () => {
  const times = readingTimes(watched(0))
  expect(times.length).toBeGreaterThanOrEqual(1)
  expect(times[0]).toBeLessThanOrEqual(START + 12 * 60_000)
})

test('the next reading is the first after the given time, and none follows the last', () => {
  const booking = watched(45)
  const times = readingTimes(booking)
  expect(nextReading(booking, START)).toBe(times[0])
  expect(nextReading(booking, times[2] ?? 0)).toBe(times[3])
  expect(nextReading(booking, times.at(-1) ?? 0)).toBeUndefined()
})

test('the readings of a thousand bookings with the same arrival are spread over the day before', () => {
  const hours = Array.from({ length: 1_000 }, (_, index) => {
    const booking = watched(45, [], `bkg_${index}`)
    const dayBefore = readingTimes(booking).find((time) => time >= arrivalTime(booking) - DAY) ?? 0
    return Math.floor((dayBefore - arrivalTime(booking) + DAY) / HOUR)
  })
  const counts = [...Map.groupBy(hours, (hour) => hour).values()].map((group) => group.length)
  expect(counts).toHaveLength(12)
  expect(Math.max(...counts)).toBeLessThan(130)
})
