import { afterEach, beforeEach, expect, test } from 'vitest'
import { bookingAnswer } from '../../../src/booking/present/booking.ts'
import { createAskVendor } from '../../../src/booking/settle/ask-vendor.ts'
import { settleOne } from '../../../src/booking/settle/settle-bookings.ts'
import type { Booking } from '../../../src/domain/booking/booking.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { aBooking, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
import { type BookingParts, openBookingParts } from '../../support/booking/booking-parts.ts'
import { oneWorld } from '../../support/booking/one-world.ts'

const MINUTE = 60_000

let isSilent: boolean
let parts: BookingParts
beforeEach(async () => {
  isSilent = false
  parts = await openBookingParts({
    vendor: {
      async find() {
        if (isSilent) throw new VendorError('scripted', 'unavailable', 'none')
        return { state: 'confirmed', vendorReference: 'V1' }
      },
    },
  })
})
afterEach(() => parts.close())

/** Asks about a booking; jobs passed here replace the real ones. */
function ask(booking: Booking, jobs: Partial<Parameters<typeof createAskVendor>[0]> = {}) {
  const { store: bookings, clock, history, vendor } = parts
  const onBug = (error: unknown) => void parts.bugs.push(error)
  const deps = { bookings, clock, history, worlds: oneWorld(vendor), present: bookingAnswer, onBug }
  return createAskVendor({
    bookings,
    clock,
    settleBookings: parts.settle,
    settleOne: async (one) => void (await settleOne(deps, one)),
    readBookings: parts.read,
    ...jobs,
  })(booking)
}

/** A booking sent to the vendor, with the lease of its process. */
async function sent(leaseUntil = 0): Promise<Booking> {
  const now = parts.clock.now()
  const booking = aBooking({ state: 'submitting', submittedAt: now })
  const keys = { offerId: 'off_1', idempotencyKey: 'key', fingerprint: 'f' }
  await parts.store.create(booking, keys, now, leaseUntil, BY_ACCOUNT)
  return booking
}

async function movedTo(to: 'in_doubt' | 'confirmed' | 'rejected', dueAt: number | null = null): Promise<Booking> {
  const { bookingId } = await sent()
  const moved = await parts.store.move(bookingId, 'submitting', to, { at: parts.clock.now(), by: BY_ACCOUNT, dueAt })
  return moved?.booking ?? expect.fail('the booking was not moved')
}

test('a booking in doubt is settled immediately, due or not', async () => {
  const booking = await movedTo('in_doubt', parts.clock.now() + 30 * MINUTE)
  expect(await ask(booking)).toMatchObject({
    before: { state: 'in_doubt' },
    after: { state: 'confirmed' },
    isAsked: true,
  })
  expect(parts.calls).toEqual(['find'])
})

test('a booking that a process is working on is left to the rounds, which respect its lease', async () => {
  const booking = await sent(parts.clock.now() + MINUTE)
  expect(await ask(booking)).toMatchObject({ after: { state: 'submitting' }, isAsked: false })
  expect(parts.calls).toEqual([])
  parts.clock.advance(2 * MINUTE)
  expect(await ask(booking)).toMatchObject({ after: { state: 'confirmed' }, isAsked: true })
  expect(parts.calls).toEqual(['find'])
})

test('rounds run until nothing is due, and end even if something is due forever', async () => {
  const booking = await sent(parts.clock.now() + MINUTE)
  const rounds = [2, 1, 0]
  await ask(booking, { settleBookings: async () => rounds.shift() ?? 0 })
  expect(rounds).toEqual([])
  let count = 0
  const settleBookings = async () => {
    count += 1
    return 1
  }
  await ask(booking, { settleBookings })
  expect(count).toBeLessThan(100)
})

test('a confirmed booking counts as asked only if the vendor was read', async () => {
  const booking = await movedTo('confirmed')
  expect(await ask(booking)).toMatchObject({ isAsked: true })
  expect(await parts.store.readings(booking.bookingId)).toHaveLength(1)
  isSilent = true
  parts.clock.advance(MINUTE)
  expect(await ask(booking)).toMatchObject({ isAsked: false })
  expect(parts.calls).toEqual(['find', 'find'])
  expect(parts.bugs).toEqual([])
})

test('the vendor is not asked about a rejected booking', async () => {
  expect(await ask(await movedTo('rejected'))).toBeUndefined()
})
