import { expect, test } from 'vitest'
import { ApiProblem, SignInDeclined } from '../../../web/src/api/problem.ts'
import type { Booking } from '../../../web/src/api/shapes.ts'
import { mayReadAgain, readAgainMs } from '../../../web/src/bookings/read-again.ts'

const reading = (status: Booking['status'], error: Error | null = null, dataUpdateCount = 1) => ({
  data: { status } as Booking,
  dataUpdateCount,
  error,
})

test('a booking that may still change is polled, even after a failed reading', () => {
  expect(readAgainMs(reading('in_doubt'))).toBe(2_000)
  expect(readAgainMs(reading('in_doubt', new ApiProblem(503, {})))).toBe(2_000)
  expect(readAgainMs(reading('in_doubt', null, 30))).toBe(10_000)
  expect(readAgainMs(reading('confirmed'))).toBe(false)
  expect(readAgainMs({ ...reading('in_doubt'), data: undefined })).toBe(false)
})

test('a closed sign-in dialog stops the polling', () => {
  const declined = reading('in_doubt', new SignInDeclined())
  expect(readAgainMs(declined)).toBe(false)
  expect(mayReadAgain(declined)).toBe(false)
})
