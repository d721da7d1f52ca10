import { expect, test } from 'vitest'
import type { Booking } from '../../../web/src/api/shapes.ts'
import { wasJustConfirmed } from '../../../web/src/bookings/just-confirmed.ts'

const CREATED = '2027-01-10T10:00:00Z'
const booking = (events: readonly object[] = []) => ({ created_at: CREATED, events }) as unknown as Booking
const after = (hours: number) => Date.parse(CREATED) + hours * 3_600_000

test('a booking is said to be mailed just after its confirmation, also if that came late, and not later', () => {
  const late = booking([
    { to: 'in_doubt', at: CREATED },
    { to: 'confirmed', at: '2027-01-10T15:00:00Z' },
    { to: 'confirmed', at: '2027-01-12T10:00:00Z' },
  ])
  expect([0.1, 2].map((hours) => wasJustConfirmed(booking(), after(hours)))).toEqual([true, false])
  expect([5.1, 7, 48.1].map((hours) => wasJustConfirmed(late, after(hours)))).toEqual([true, false, false])
})
