import { expect, test } from 'vitest'
import { createAskVendor } from '../../../src/booking/settle/ask-vendor.ts'
import type { Booking, BookingState } from '../../../src/domain/booking/booking.ts'
import { aBooking } from '../../support/booking/an-offer.ts'
import { manualClock } from '../../support/time/clock.ts'

type Rounds = { due?: () => Promise<number>; one?: (booking: Booking) => Promise<void>; read?: () => Promise<number> }

/** Asks about a booking in this state; `change` is how a job would move it. */
function ask(state: BookingState, { due, one, read }: Rounds = {}) {
  const clock = manualClock()
  let booking = aBooking({ state, updatedAt: clock.now() })
  let readings = 0
  const change = (to: BookingState) => {
    booking = { ...booking, state: to }
  }
  const asking = createAskVendor({
    bookings: {
      any: async () => booking,
      readings: async () => Array.from({ length: readings }, () => ({ at: 0, outcome: 'same' }) as const),
      promptReadings: async () => 1,
    } as never,
    settleBookings: due ?? (async () => 0),
    settleOne: one ?? (async () => undefined),
    readBookings: read ?? (async () => 0),
    clock,
  })
  return { asked: () => asking(booking), change, read: () => (readings += 1) }
}

test('a booking in doubt is settled at once, due or not', async () => {
  const booking = ask('in_doubt', { one: async () => booking.change('confirmed') })
  expect(await booking.asked()).toMatchObject({
    before: { state: 'in_doubt' },
    after: { state: 'confirmed' },
    isAsked: true,
  })
})

test('one that a process may be working on is left to the rounds, which respect its lease', async () => {
  const called: string[] = []
  const booking = ask('submitting', {
    one: async () => void called.push('one'),
    due: async () => {
      called.push('due')
      return 0
    },
  })
  expect(await booking.asked()).toMatchObject({ after: { state: 'submitting' }, isAsked: false })
  expect(called).toEqual(['due'])
})

test('rounds run until nothing is due, and end even if something is due forever', async () => {
  const rounds = [2, 1, 0]
  await ask('submitting', { due: async () => rounds.shift() ?? 0 }).asked()
  expect(rounds).toEqual([])
  let count = 0
  await ask('submitting', {
    due: async () => {
      count += 1
      return 1
    },
  }).asked()
  expect(count).toBeLessThan(100)
})

test('a confirmed booking counts as asked only if the vendor was read', async () => {
  const rounds = [1, 0]
  const booking = ask('confirmed', {
    async read() {
      const count = rounds.shift() ?? 0
      if (count > 0) booking.read()
      return count
    },
  })
  expect(await booking.asked()).toMatchObject({ isAsked: true })
  expect(await booking.asked()).toMatchObject({ isAsked: false })
})

test('there is nothing to ask about a booking that is rejected', async () => {
  expect(await ask('rejected').asked()).toBeUndefined()
})
