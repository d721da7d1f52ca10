import { expect, test } from 'vitest'
import { watchBookings } from '../../../packages/client/src/cli/watch-bookings.ts'
import type { Booking, BookingEvent, Client } from '../../../packages/client/src/index.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const startedAt = Date.now()
const iso = (ms: number) => new Date(startedAt + ms).toISOString()

const event = (sequence: number, type: string, atMs: number) =>
  ({ sequence, type, to: 'confirmed', at: iso(atMs), reason: null, actor: null }) as BookingEvent

const booking = (updatedMs: number, events: readonly BookingEvent[], id = 'bkg_1') =>
  ({
    booking_id: id,
    created_at: iso(-10 * DAY),
    updated_at: iso(updatedMs),
    discrepancies: [],
    events,
  }) as unknown as Booking

/** A service whose bookings the test may change. */
function service(bookings: Booking[]) {
  const list = Object.assign(async () => undefined, {
    async *all() {
      yield* bookings.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
    },
  })
  const show = async ({ booking_id }: { booking_id: string }) =>
    bookings.find((booking) => booking.booking_id === booking_id)
  return { booking: { list, show } } as unknown as Client
}

const listIds = (messages: readonly { id: string }[]) => messages.map(({ id }) => id)

test('every event is reported once, although the test clock is ahead of the real one', async () => {
  const bookings: Booking[] = []
  const poll = await watchBookings(service(bookings))
  const confirmed = event(1, 'booking.confirmed', 0)
  bookings[0] = { ...booking(0, [confirmed]), created_at: iso(0) }
  expect(listIds(await poll())).toEqual(['evt_1_1'])
  const discrepancy = event(2, 'booking.discrepancy', 30 * DAY)
  bookings[0] = booking(MINUTE, [confirmed, discrepancy])
  expect(listIds(await poll())).toEqual(['evt_1_2'])
  bookings[0] = booking(2 * MINUTE, [confirmed, discrepancy, event(3, 'booking.cancelled', 30 * DAY + MINUTE)])
  expect(listIds(await poll())).toEqual(['evt_1_3'])
  expect(await poll()).toEqual([])
})

test('only new events are reported for a booking whose clock was advanced before', async () => {
  const before = [event(1, 'booking.confirmed', -DAY), event(2, 'booking.discrepancy', 30 * DAY)]
  const bookings = [booking(-MINUTE, before)]
  const poll = await watchBookings(service(bookings))
  expect(await poll()).toEqual([])
  bookings[0] = booking(MINUTE, [...before, event(3, 'booking.cancelled', 30 * DAY + 2 * MINUTE)])
  expect(listIds(await poll())).toEqual(['evt_1_3'])
})

test('an event of a payment has its id and amounts, and never the card', async () => {
  const bookings: Booking[] = []
  const poll = await watchBookings(service(bookings))
  const payment: NonNullable<Booking['payment']> = {
    ...{ payment_id: 'pay_1', amount: 90, captured: 90, refunded: 0, refund_pending: 0, currency: 'EUR' },
    ...{ status: 'captured', card: { brand: 'visa', last4: '4242' } },
  }
  const paid = booking(0, [event(1, 'booking.payment_captured', 0)])
  bookings[0] = { ...paid, created_at: iso(0), payment }
  const [message] = await poll()
  expect(message?.body.data).toMatchObject({ payment_id: 'pay_1', captured: 90, refunded: 0 })
  expect(JSON.stringify(message)).not.toContain('4242')
})
