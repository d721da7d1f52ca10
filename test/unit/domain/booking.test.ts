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

test('every state can be reached, and a settled state can be reached from each', () => {
  expect([...reachableFrom(FIRST_STATE)].sort()).toEqual([...BOOKING_STATES].sort())
  for (const state of BOOKING_STATES) {
    expect([...reachableFrom(state)].some((end) => SETTLED_STATES.includes(end))).toBe(true)
  }
})

test('a rejected or cancelled booking never changes its state', () => {
  expect([...reachableFrom('rejected'), ...reachableFrom('cancelled')]).toEqual(['rejected', 'cancelled'])
})

test('a booking cannot be confirmed or rejected before it is stored as submitting', () => {
  expect(TRANSITIONS.pending).toEqual(['submitting'])
  for (const state of BOOKING_STATES) expect(canMove(state, 'pending')).toBe(false)
})

test('the transitions are those of the contract, plus those of a review', () => {
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
