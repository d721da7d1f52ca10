import { afterEach, expect, test } from 'vitest'
import type { BookingStore } from '../../../src/booking/store/bookings.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, sealBookingInfo } from '../../support/booking/an-offer.ts'

import { type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'

const MINUTE = 60_000
const BOOK_TIMEOUT_MS = 60_000
const LAG_MS = 600_000
/** Latest time of sending a booking or cancellation, plus the clock difference. */
const MARGIN_MS = 15_000
const CANCEL_MARGIN_MS = 9_000

let opened: BookingParts | undefined
afterEach(() => opened?.close())
async function open(...options: Parameters<typeof openBookingParts>): Promise<BookingParts> {
  opened = await openBookingParts(...options)
  return opened
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
const readState = async (parts: BookingParts) => (await theOne(parts)).state

/** Advances the clock minute by minute and settles, as the job does. */
async function settleFor(parts: BookingParts, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 30_000) {
    parts.clock.advance(Math.min(30_000, ms - passed))
    await parts.settle()
  }
}

test('a lost vendor response puts the booking in doubt, and the client gets 202 with a booking to poll', async () => {
  const parts = await open({ vendor: { book: lost, find: absent } })
  const answer = await parts.bookStay(sealBookingInfo(anOffer()))
  expect(answer.status).toBe(202)
  expect(JSON.parse(answer.body)).toMatchObject({ data: { booking_id: answer.bookingId, status: 'in_doubt' } })
})

test('absence is trusted only if the request was made after the horizon, which starts at the last possible time of sending', async () => {
  const parts = await open({ vendor: { book: lost, find: absent } })
  await parts.bookStay(sealBookingInfo(anOffer()))
  const horizon = BOOK_TIMEOUT_MS + LAG_MS + MARGIN_MS
  parts.clock.advance(horizon - 1)
  await parts.settle()
  expect(await readState(parts)).toBe('in_doubt')
  parts.clock.advance(MINUTE)
  await parts.settle()
  expect(await readState(parts)).toBe('rejected')
})

test('an absence requested before the horizon and received after it proves nothing', async () => {
  const parts: BookingParts = await open({
    vendor: {
      book: lost,
      find: async () => {
        parts.clock.advance(20_000)
        return undefined
      },
    },
  })
  await parts.bookStay(sealBookingInfo(anOffer()))
  parts.clock.advance(BOOK_TIMEOUT_MS + LAG_MS + MARGIN_MS - 10_000)
  await parts.settle()
  expect(await readState(parts)).toBe('in_doubt')
})

test('a booking goes to review if the vendor’s absence is not final', async () => {
  const parts = await open({ vendor: { book: lost, find: absent }, capabilities: { absenceIsFinal: false } })
  await parts.bookStay(sealBookingInfo(anOffer()))
  await settleFor(parts, 13 * MINUTE)
  expect(await readState(parts)).toBe('needs_review')
})

test('a booking of a vendor that never answers again goes to review within 35 minutes', async () => {
  const parts = await open({ vendor: { book: lost, find: lost } })
  await parts.bookStay(sealBookingInfo(anOffer()))
  await settleFor(parts, 33 * MINUTE)
  expect(await readState(parts)).toBe('in_doubt')
  await settleFor(parts, 2 * MINUTE)
  expect(await readState(parts)).toBe('needs_review')
})

test('a process that is delayed beyond its lease does not send the booking', async () => {
  const parts: BookingParts = await open({
    store: (sound): BookingStore => ({
      ...sound,
      async create(...intent) {
        const fresh = await sound.create(...intent)
        parts.clock.advance(4_000)
        return fresh
      },
    }),
  })
  expect(await describeOutcome(parts.bookStay(sealBookingInfo(anOffer())))).toBe('503')
  expect(parts.calls).toEqual(['priceCheck'])
  expect(await readState(parts)).toBe('rejected')
})

test('a cancellation that is delayed beyond its lease is not sent, and the booking stays confirmed', async () => {
  const parts: BookingParts = await open({
    store: (sound): BookingStore => ({
      ...sound,
      async move(id, from, to, facts) {
        const moved = await sound.move(id, from, to, facts)
        if (to === 'cancelling') parts.clock.advance(4_000)
        return moved
      },
    }),
  })
  const { bookingId } = await parts.bookStay(sealBookingInfo(anOffer()))
  await expect(parts.cancel(bookingId)).rejects.toMatchObject({ code: 'overloaded' })
  expect(parts.calls).not.toContain('cancel')
  expect(await readState(parts)).toBe('confirmed')
})

test('a cancellation without a response is considered failed only after its own horizon', async () => {
  const parts = await open({ vendor: { cancel: lost }, capabilities: { visibilityLagMs: 0 } })
  const { bookingId } = await parts.bookStay(sealBookingInfo(anOffer()))
  expect((await parts.cancel(bookingId)).booking.state).toBe('cancelling')
  parts.clock.advance(60_000 + CANCEL_MARGIN_MS - 1)
  await parts.settle()
  expect(await readState(parts)).toBe('cancelling')
  parts.clock.advance(MINUTE)
  await parts.settle()
  expect(await readState(parts)).toBe('confirmed')
})

test('a cancellation that the vendor did make is found, with its fee', async () => {
  const parts = await open({
    vendor: {
      cancel: lost,
      find: async () => ({
        state: 'cancelled',
        vendorReference: 'V1',
        cancelFee: { minor: 700, currency: 'EUR' },
      }),
    },
  })
  const { bookingId } = await parts.bookStay(sealBookingInfo(anOffer()))
  await parts.cancel(bookingId)
  parts.clock.advance(2_000)
  await parts.settle()
  expect(await theOne(parts)).toMatchObject({ state: 'cancelled', cancelFee: { minor: 700 } })
})

test('a response that cannot be stored is not returned', async () => {
  const parts = await open({
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
  await expect(parts.bookStay(sealBookingInfo(anOffer()))).rejects.toThrow('no database')
})

test('a client that has waited long enough gets 202 while the vendor call is still running', async () => {
  const answered = Promise.withResolvers<void>()
  const parts = await open({
    patienceMs: 20,
    vendor: {
      book: async () => {
        await answered.promise
        return { state: 'confirmed', vendorReference: 'V9' }
      },
    },
  })
  const info = sealBookingInfo(anOffer())
  const answer = await parts.bookStay(info)
  expect(answer.status).toBe(202)
  expect(await readState(parts)).toBe('submitting')
  expect(await parts.bookStay(info), 'the present state').toEqual({ ...answer, replayed: true })
  answered.resolve()
  await expect.poll(() => readState(parts)).toBe('confirmed')
  const outcome = await parts.bookStay(info)
  expect([outcome.status, outcome.replayed, JSON.parse(outcome.body).data.status]).toEqual([201, true, 'confirmed'])
  await parts.cancel(answer.bookingId)
  expect(await parts.bookStay(info), 'from the outcome on always the same').toEqual(outcome)
})

test('a doubt that ends in a refusal returns the refusal from then on', async () => {
  const parts = await open({
    vendor: { book: lost, find: async () => ({ state: 'rejected', vendorReference: 'V1' }) },
  })
  const info = sealBookingInfo(anOffer())
  expect((await parts.bookStay(info)).status).toBe(202)
  expect((await parts.bookStay(info)).status).toBe(202)
  parts.clock.advance(2_000)
  await parts.settle()
  const outcome = await parts.bookStay(info)
  expect([outcome.status, JSON.parse(outcome.body).code]).toEqual([409, 'booking_rejected'])
  expect(await parts.bookStay(info)).toEqual(outcome)
})

const throttled = (retryAfterMs?: number) =>
  new VendorError('scripted', 'throttled', 'none', retryAfterMs === undefined ? {} : { retryAfterMs })

test('a throttled booking is sent again under the same reference', async () => {
  const references: string[] = []
  const parts = await open({
    vendor: {
      book: async ({ reference }) => {
        references.push(reference)
        if (references.length < 3) throw throttled()
        return { state: 'confirmed', vendorReference: 'V1' }
      },
    },
  })
  expect((await parts.bookStay(sealBookingInfo(anOffer()))).status).toBe(201)
  expect([references.length, new Set(references).size]).toEqual([3, 1])
})

test('a vendor that keeps throttling has booked nothing: the client gets 503, and the booking is rejected', async () => {
  const parts = await open({ vendor: { book: async () => Promise.reject(throttled(60_000)) } })
  const info = sealBookingInfo(anOffer())
  const answer = await parts.bookStay(info)
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([503, 'overloaded'])
  const { bookingId } = await theOne(parts)
  expect(JSON.parse(answer.body).booking_id).toBe(bookingId)
  expect(await readState(parts)).toBe('rejected')
  expect((await parts.store.events(bookingId)).at(-1)).toMatchObject({ to: 'rejected', reason: 'throttled' })
})

test('after a vendor stops throttling, the same request books: the 503 was not stored', async () => {
  let isBusy = true
  const book = async () => (isBusy ? Promise.reject(throttled(60_000)) : { state: 'confirmed', vendorReference: 'V1' })
  const parts = await open({ vendor: { book: book as Vendor['book'] } })
  const info = sealBookingInfo(anOffer())
  expect((await parts.bookStay(info, 'k')).status).toBe(503)
  expect((await parts.bookStay(info, 'k')).status).toBe(503)
  isBusy = false
  const answer = await parts.bookStay(info, 'k')
  expect([answer.status, answer.replayed]).toEqual([201, false])
  expect(await parts.bookStay(info, 'k')).toEqual({ ...answer, replayed: true })
})

test('a client that got 202 and whose booking the vendor then throttled gets a final 409', async () => {
  const { promise: throttling, reject } = Promise.withResolvers<never>()
  const parts = await open({ vendor: { book: () => throttling }, patienceMs: 20 })
  const info = sealBookingInfo(anOffer())
  expect((await parts.bookStay(info, 'k')).status).toBe(202)
  reject(throttled(60_000))
  await expect.poll(() => readState(parts)).toBe('rejected')
  const answer = await parts.bookStay(info, 'k')
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([409, 'booking_rejected'])
})

test('a throttled price check returns 503, and the same key may be used again', async () => {
  let isBusy = true
  const sound = (await open()).vendor.priceCheck
  const parts = await openBookingParts({
    vendor: { priceCheck: (ref, context) => (isBusy ? Promise.reject(throttled(3_000)) : sound(ref, context)) },
  })
  const info = sealBookingInfo(anOffer())
  const refused = await parts.bookStay(info, 'k').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'overloaded', retryAfterMs: 3_000 })
  isBusy = false
  expect((await parts.bookStay(info, 'k')).status).toBe(201)
  await parts.close()
})

test('two concurrent cancellations, in one process or in two, cancel once and return the same', async () => {
  const cancelled = Promise.withResolvers<void>()
  const parts = await open({
    vendor: {
      cancel: async () => {
        await cancelled.promise
        return { state: 'cancelled', vendorReference: 'V1' }
      },
    },
  })
  const { bookingId } = await parts.bookStay(sealBookingInfo(anOffer()))
  // Each call represents a separate process.
  const both = [parts.cancel(bookingId), parts.cancel(bookingId)]
  setTimeout(cancelled.resolve, 300)
  const [one, other] = await Promise.all(both)
  expect([one?.booking.state, other?.booking.state]).toEqual(['cancelled', 'cancelled'])
  expect(one?.penalty).toEqual(other?.penalty)
  expect(parts.calls.filter((call) => call === 'cancel')).toHaveLength(1)
})
