import { expect, test } from 'vitest'
import {
  BOOKING_STATES,
  type BookingState,
  canMove,
  FIRST_STATE,
  SETTLED_STATES,
  TRANSITIONS,
} from '../../../src/domain/booking/booking.ts'

const reachableFrom = (start: BookingState) => {
  const reached = new Set<BookingState>([start])
  for (const state of reached) for (const next of TRANSITIONS[state]) reached.add(next)
  return reached
}

test('every state can be reached, and from every state a settled one', () => {
  expect([...reachableFrom(FIRST_STATE)].sort()).toEqual([...BOOKING_STATES].sort())
  for (const state of BOOKING_STATES) {
    expect([...reachableFrom(state)].some((end) => SETTLED_STATES.includes(end))).toBe(true)
  }
})

test('a rejected or cancelled booking never comes back', () => {
  expect([...reachableFrom('rejected'), ...reachableFrom('cancelled')]).toEqual(['rejected', 'cancelled'])
})

test('nothing is confirmed or rejected that was not written down as being sent', () => {
  expect(TRANSITIONS.pending).toEqual(['submitting'])
  for (const state of BOOKING_STATES) expect(canMove(state, 'pending')).toBe(false)
})

test('the contract’s moves are all there, and no other but those of a person', () => {
  const moves = BOOKING_STATES.flatMap((from) => TRANSITIONS[from].map((to) => `${from} ${to}`))
  expect(moves.filter((move) => !move.startsWith('needs_review')).sort()).toEqual(
    [
      'pending submitting',
      'submitting confirmed',
      'submitting rejected',
      'submitting in_doubt',
      'submitting needs_review',
      'in_doubt confirmed',
      'in_doubt rejected',
      'in_doubt needs_review',
      'confirmed cancelling',
      'confirmed cancelled',
      'confirmed needs_review',
      'cancelling cancelled',
      'cancelling confirmed',
      'cancelling needs_review',
    ].sort(),
  )
})
