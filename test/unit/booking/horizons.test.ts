import { afterEach, expect, test } from 'vitest'
import type { BookingStore } from '../../../src/booking/store/bookings.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, bookingInfoOf } from '../../support/booking/an-offer.ts'

import { type BookingParts, openBookingParts, outcomeOf } from '../../support/booking/booking-parts.ts'

const MINUTE = 60_000
const BOOK_TIMEOUT_MS = 60_000
const LAG_MS = 600_000
/** Latest time of sending a booking or cancellation, plus the clock difference. */
const MARGIN_MS = 15_000
const CANCEL_MARGIN_MS = 9_000

let parts: BookingParts | undefined
afterEach(() => parts?.close())
async function open(...options: Parameters<typeof openBookingParts>): Promise<BookingParts> {
  parts = await openBookingParts(...options)
  return parts
}

const lost = async (): Promise<never> => {
  throw new VendorError('scripted', 'timeout', 'unknown')
}
const absent: Vendor['find'] = async () => undefined

const theOne = async ({ store }: BookingParts) => {
  const [booking] = await store.recent(
    ['pending', 'submitting', 'in_doubt', 'confirmed', 'rejected', 'needs_review', 'cancelling', 'cancelled'],
    1,
  )
  if (booking === undefined) throw new Error('nothing was booked')
  return booking
}
const readState = async (at: BookingParts) => (await theOne(at)).state

/** Advances the clock minute by minute and settles, as the job does. */
async function settleFor(at: BookingParts, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 30_000) {
    at.clock.turn(Math.min(30_000, ms - passed))
    await at.settle()
  }
}

test('a lost vendor response puts the booking in doubt, and the client gets 202 with a booking to poll', async () => {
  const at = await open({ vendor: { book: lost, find: absent } })
  const answer = await at.bookStay(bookingInfoOf(anOffer()))
  expect(answer.status).toBe(202)
  expect(JSON.parse(answer.body)).toMatchObject({ data: { booking_id: answer.bookingId, status: 'in_doubt' } })
})

test('absence is trusted only if the request was made after the horizon, which starts at the last possible time of sending', async () => {
  const at = await open({ vendor: { book: lost, find: absent } })
  await at.bookStay(bookingInfoOf(anOffer()))
  const horizon = BOOK_TIMEOUT_MS + LAG_MS + MARGIN_MS
  at.clock.turn(horizon - 1)
  await at.settle()
  expect(await readState(at)).toBe('in_doubt')
  at.clock.turn(MINUTE)
  await at.settle()
  expect(await readState(at)).toBe('rejected')
})

test('an absence requested before the horizon and received after it proves nothing', async () => {
  const at: BookingParts = await open({
    vendor: {
      book: lost,
      find: async () => {
        at.clock.turn(20_000)
        return undefined
      },
    },
  })
  await at.bookStay(bookingInfoOf(anOffer()))
  at.clock.turn(BOOK_TIMEOUT_MS + LAG_MS + MARGIN_MS - 10_000)
  await at.settle()
  expect(await readState(at)).toBe('in_doubt')
})

test('a booking goes to review if the vendor’s absence is not final', async () => {
  const at = await open({ vendor: { book: lost, find: absent }, capabilities: { absenceIsFinal: false } })
  await at.bookStay(bookingInfoOf(anOffer()))
  await settleFor(at, 13 * MINUTE)
  expect(await readState(at)).toBe('needs_review')
})

test('a booking of a vendor that never answers again goes to review within 35 minutes', async () => {
  const at = await open({ vendor: { book: lost, find: lost } })
  await at.bookStay(bookingInfoOf(anOffer()))
  await settleFor(at, 33 * MINUTE)
  expect(await readState(at)).toBe('in_doubt')
  await settleFor(at, 2 * MINUTE)
  expect(await readState(at)).toBe('needs_review')
})

test('a booking whose process died before sending is looked up and rejected, never sent without the client', async () => {
  const dying = new Error('killed')
  const at = await open({
    vendor: { find: absent },
    store: (sound): BookingStore => ({
      ...sound,
      async create(...intent) {
        await sound.create(...intent)
        throw dying
      },
    }),
  })
  await expect(at.bookStay(bookingInfoOf(anOffer()))).rejects.toBe(dying)
  at.clock.turn(4_000)
  await at.settle()
  expect(await readState(at)).toBe('in_doubt')
  await settleFor(at, 13 * MINUTE)
  expect(await readState(at)).toBe('rejected')
  expect(new Set(at.calls)).toEqual(new Set(['priceCheck', 'find']))
})

test('a process that is delayed beyond its lease does not send the booking', async () => {
  const at: BookingParts = await open({
    store: (sound): BookingStore => ({
      ...sound,
      async create(...intent) {
        const fresh = await sound.create(...intent)
        at.clock.turn(4_000)
        return fresh
      },
    }),
  })
  expect(await outcomeOf(at.bookStay(bookingInfoOf(anOffer())))).toBe('409')
  expect(at.calls).toEqual(['priceCheck'])
  expect(await readState(at)).toBe('rejected')
})

test('a cancellation that is delayed beyond its lease is not sent, and the booking stays confirmed', async () => {
  const at: BookingParts = await open({
    store: (sound): BookingStore => ({
      ...sound,
      async move(id, from, to, facts) {
        const moved = await sound.move(id, from, to, facts)
        if (to === 'cancelling') at.clock.turn(4_000)
        return moved
      },
    }),
  })
  const { bookingId } = await at.bookStay(bookingInfoOf(anOffer()))
  await expect(at.cancel(bookingId)).rejects.toMatchObject({ code: 'overloaded' })
  expect(at.calls).not.toContain('cancel')
  expect(await readState(at)).toBe('confirmed')
})

test('a cancellation without a response is considered failed only after its own horizon', async () => {
  const at = await open({ vendor: { cancel: lost }, capabilities: { visibilityLagMs: 0 } })
  const { bookingId } = await at.bookStay(bookingInfoOf(anOffer()))
  expect((await at.cancel(bookingId)).booking.state).toBe('cancelling')
  at.clock.turn(60_000 + CANCEL_MARGIN_MS - 1)
  await at.settle()
  expect(await readState(at)).toBe('cancelling')
  at.clock.turn(MINUTE)
  await at.settle()
  expect(await readState(at)).toBe('confirmed')
})

test('a cancellation that the vendor did make is found, with its fee', async () => {
  const at = await open({
    vendor: {
      cancel: lost,
      find: async () => ({
        state: 'cancelled',
        vendorReference: 'V1',
        cancelFee: { minor: 700, currency: 'EUR' },
      }),
    },
  })
  const { bookingId } = await at.bookStay(bookingInfoOf(anOffer()))
  await at.cancel(bookingId)
  at.clock.turn(2_000)
  await at.settle()
  expect(await theOne(at)).toMatchObject({ state: 'cancelled', cancelFee: { minor: 700 } })
})

test('a response that cannot be stored is not returned', async () => {
  const at = await open({
    vendor: { book: lost },
    store: (sound): BookingStore => ({
      ...sound,
      move: async (id, from, to, facts) => {
        if (to === 'in_doubt') throw new Error('no database')
        return sound.move(id, from, to, facts)
      },
      keepAnswer: async () => {
        throw new Error('no database')
      },
    }),
  })
  await expect(at.bookStay(bookingInfoOf(anOffer()))).rejects.toThrow('no database')
})

test('a client that has waited long enough gets 202 while the vendor call is still running', async () => {
  const answered = Promise.withResolvers<void>()
  const at = await open({
    patienceMs: 20,
    vendor: {
      book: async () => {
        await answered.promise
        return { state: 'confirmed', vendorReference: 'V9' }
      },
    },
  })
  const info = bookingInfoOf(anOffer())
  const answer = await at.bookStay(info)
  expect(answer.status).toBe(202)
  expect(await readState(at)).toBe('submitting')
  expect(await at.bookStay(info), 'the present state').toEqual({ ...answer, replayed: true })
  answered.resolve()
  await expect.poll(() => readState(at)).toBe('confirmed')
  const outcome = await at.bookStay(info)
  expect([outcome.status, outcome.replayed, JSON.parse(outcome.body).data.status]).toEqual([201, true, 'confirmed'])
  await at.cancel(answer.bookingId)
  expect(await at.bookStay(info), 'from the outcome on always the same').toEqual(outcome)
})

test('a doubt that ends in a refusal returns the refusal from then on', async () => {
  const at = await open({
    vendor: { book: lost, find: async () => ({ state: 'rejected', vendorReference: 'V1' }) },
  })
  const info = bookingInfoOf(anOffer())
  expect((await at.bookStay(info)).status).toBe(202)
  expect((await at.bookStay(info)).status).toBe(202)
  at.clock.turn(2_000)
  await at.settle()
  const outcome = await at.bookStay(info)
  expect([outcome.status, JSON.parse(outcome.body).code]).toEqual([409, 'booking_rejected'])
  expect(await at.bookStay(info)).toEqual(outcome)
})

const throttled = (retryAfterMs?: number) =>
  new VendorError('scripted', 'throttled', 'none', retryAfterMs === undefined ? {} : { retryAfterMs })

test('a throttled booking is sent again under the same reference', async () => {
  const references: string[] = []
  const at = await open({
    vendor: {
      book: async ({ reference }) => {
        references.push(reference)
        if (references.length < 3) throw throttled()
        return { state: 'confirmed', vendorReference: 'V1' }
      },
    },
  })
  expect((await at.bookStay(bookingInfoOf(anOffer()))).status).toBe(201)
  expect([references.length, new Set(references).size]).toEqual([3, 1])
})

test('a vendor that keeps throttling has booked nothing: the client gets 503, and the booking is rejected', async () => {
  const at = await open({ vendor: { book: async () => Promise.reject(throttled(60_000)) } })
  const info = bookingInfoOf(anOffer())
  const answer = await at.bookStay(info)
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([503, 'overloaded'])
  const { bookingId } = await theOne(at)
  expect(JSON.parse(answer.body).booking_id).toBe(bookingId)
  expect(await readState(at)).toBe('rejected')
  expect((await at.store.events(bookingId)).at(-1)).toMatchObject({ to: 'rejected', reason: 'throttled' })
  expect(await at.bookStay(info)).toEqual({ ...answer, replayed: true })
})

test('a throttled price check returns 503, and the same key may be used again', async () => {
  let isBusy = true
  const sound = (await open()).vendor.priceCheck
  const at = await openBookingParts({
    vendor: { priceCheck: (ref, context) => (isBusy ? Promise.reject(throttled(3_000)) : sound(ref, context)) },
  })
  const info = bookingInfoOf(anOffer())
  const refused = await at.bookStay(info, 'k').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'overloaded', retryAfterMs: 3_000 })
  isBusy = false
  expect((await at.bookStay(info, 'k')).status).toBe(201)
  await at.close()
})

test('two concurrent cancellations, in one process or in two, cancel once and return the same', async () => {
  const cancelled = Promise.withResolvers<void>()
  const at = await open({
    vendor: {
      cancel: async () => {
        await cancelled.promise
        return { state: 'cancelled', vendorReference: 'V1' }
      },
    },
  })
  const { bookingId } = await at.bookStay(bookingInfoOf(anOffer()))
  // Each call represents a separate process.
  const both = [at.cancel(bookingId), at.cancel(bookingId)]
  setTimeout(cancelled.resolve, 300)
  const [one, other] = await Promise.all(both)
  expect([one?.booking.state, other?.booking.state]).toEqual(['cancelled', 'cancelled'])
  expect(one?.penalty).toEqual(other?.penalty)
  expect(at.calls.filter((call) => call === 'cancel')).toHaveLength(1)
})
