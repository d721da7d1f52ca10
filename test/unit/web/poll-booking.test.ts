import { expect, test } from 'vitest'
import { ApiProblem, SignInDeclined } from '../../../web/src/api/problem.ts'
import type { Booking } from '../../../web/src/api/shapes.ts'
import { getPollInterval, mayPoll } from '../../../web/src/bookings/poll-booking.ts'

const reading = (status: Booking['status'], error: Error | null = null, dataUpdateCount = 1) => ({
  data: { status } as Booking,
  dataUpdateCount,
  error,
})

test('a booking that may still change is polled, even after a failed reading', () => {
  expect(getPollInterval(reading('in_doubt'))).toBe(2_000)
  expect(getPollInterval(reading('in_doubt', new ApiProblem(503, {})))).toBe(2_000)
  expect(getPollInterval(reading('in_doubt', null, 30))).toBe(10_000)
  expect(getPollInterval(reading('confirmed'))).toBe(false)
  expect(getPollInterval({ ...reading('in_doubt'), data: undefined })).toBe(false)
})

test('a closed sign-in dialog stops the polling', () => {
  const declined = reading('in_doubt', new SignInDeclined())
  expect(getPollInterval(declined)).toBe(false)
  expect(mayPoll(declined)).toBe(false)
})
