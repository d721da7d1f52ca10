import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextReading, READINGS_MAX, readingTimes, type Watched } from '../../../src/domain/booking/reading-schedule.ts'
import { addDays } from '../../../src/lib/time/plain-date.ts'
import { instantOf } from '../../../src/lib/time/zoned-time.ts'
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
    penalties: steps.map((at) => ({ from: new Date(at).toISOString(), amount: euro(100) })),
  },
})
const arrivalOf = ({ checkIn, timezone }: Watched) => instantOf(checkIn, '00:00', timezone)
const hasIn = (times: readonly number[], from: number, to: number) => times.some((at) => at >= from && at <= to)

test('a booking far ahead is read after ten minutes and a day, weekly, before each step, and around arrival', () => {
  const step = START + 30 * DAY
  const one = watched(45, [step])
  const [times, arrival] = [readingTimes(one), arrivalOf(one)]
  expect(hasIn(times, START + 10 * 60_000, START + 12 * 60_000)).toBe(true)
  expect(hasIn(times, START + DAY, START + 26 * HOUR)).toBe(true)
  expect(hasIn(times, step - DAY, step - 2 * HOUR)).toBe(true)
  for (const days of [3, 1]) expect(hasIn(times, arrival - days * DAY, arrival - (days - 1) * DAY)).toBe(true)
  expect(hasIn(times, arrival + 6 * HOUR, arrival + 10 * HOUR)).toBe(true)
  const gaps = times.slice(1).map((at, place) => at - (times[place] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(WEEK + DAY)
})

test('never more than twelve, never before confirming or after the day of arrival, and always on the day', () => {
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
    fc.property(anyWatched, (one) => {
      const [times, arrival] = [readingTimes(one), arrivalOf(one)]
      expect(times.length).toBeLessThanOrEqual(READINGS_MAX)
      expect(times.length).toBeGreaterThanOrEqual(2)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.every((at) => at > START && at < arrival + DAY)).toBe(true)
      expect(hasIn(times, arrival, arrival + 10 * HOUR)).toBe(true)
    }),
  )
})

test('a booking for the same day is read after ten minutes', () => {
  const times = readingTimes(watched(0))
  expect(times.length).toBeGreaterThanOrEqual(1)
  expect(times[0]).toBeLessThanOrEqual(START + 12 * 60_000)
})

test('the next reading is the first after a moment, and after the last there is none', () => {
  const one = watched(45)
  const times = readingTimes(one)
  expect(nextReading(one, START)).toBe(times[0])
  expect(nextReading(one, times[2] ?? 0)).toBe(times[3])
  expect(nextReading(one, times.at(-1) ?? 0)).toBeUndefined()
})

test('a thousand bookings that arrive on the same day are read all over the day before', () => {
  const hours = Array.from({ length: 1_000 }, (_, at) => {
    const one = watched(45, [], `bkg_${at}`)
    const dayBefore = readingTimes(one).find((time) => time >= arrivalOf(one) - DAY) ?? 0
    return Math.floor((dayBefore - arrivalOf(one) + DAY) / HOUR)
  })
  const counts = [...Map.groupBy(hours, (hour) => hour).values()].map((group) => group.length)
  expect(counts).toHaveLength(12)
  expect(Math.max(...counts)).toBeLessThan(130)
})
