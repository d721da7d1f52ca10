import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { presentBooking, presentCancel } from '../../../src/booking/present/booking.ts'
import type { Receipt, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError, type VendorFault } from '../../../src/vendors/vendor-error.ts'
import { anOffer, aPrice, euro, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { ADA, type BookingParts, openBookingParts } from '../../support/booking/booking-parts.ts'

const AFTER_THE_DEADLINE = Date.parse('2027-02-27T12:00:00+01:00')

let opened: BookingParts | undefined
afterEach(() => opened?.close())

type Store = NonNullable<Parameters<typeof openBookingParts>[0]>['store']

/** A booking that now costs 124.95 to cancel. */
async function booked(vendor: Partial<Vendor>, offer = anOffer(), store?: Store) {
  const parts = await openBookingParts({ vendor, ...(store && { store }) })
  opened = parts
  const { bookingId } = await parts.bookStay(sealBookingInfo(offer))
  parts.clock.advance(AFTER_THE_DEADLINE - parts.clock.now())
  const stored = async () => (await parts.store.get(ADA.id, bookingId)) ?? expect.fail('no booking')
  return { parts, bookingId, stored }
}

const failing = (fault: VendorFault, retryAfterMs?: number) => async (): Promise<never> => {
  throw new VendorError('scripted', fault, 'none', retryAfterMs === undefined ? {} : { retryAfterMs })
}
const cancelledByVendor: Receipt = { state: 'cancelled', vendorReference: 'V1' }

test.each<[VendorFault, string]>([
  ['refused', 'not_cancellable'],
  ['not_found', 'not_cancellable'],
  ['expired', 'not_cancellable'],
  ['throttled', 'overloaded'],
  ['timeout', 'vendor_timeout'],
  ['unreachable', 'vendors_failed'],
  ['unavailable', 'vendors_failed'],
  ['credentials', 'vendors_failed'],
  ['malformed', 'vendors_failed'],
])('a cancellation that the vendor rejects as %s returns %s, and the booking stays confirmed', async (fault, code) => {
  const { parts, bookingId, stored } = await booked({ cancel: failing(fault) })
  const error = await parts.cancel(bookingId).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code })
  if (code !== 'not_cancellable')
    expect(error).toMatchObject({ message: expect.stringMatching(/Nothing was cancelled.*try again/i) })
  expect(await stored()).toMatchObject({ state: 'confirmed' })
})

test('a cancellation that ends between the reads of a concurrent one is reported as its result', async () => {
  const answered = Promise.withResolvers<Receipt>()
  let first: Promise<unknown> = Promise.resolve()
  const { parts, bookingId } = await booked({ cancel: () => answered.promise }, anOffer(), (store) => ({
    ...store,
    async isLeased(id, now) {
      answered.resolve(cancelledByVendor)
      await first
      return store.isLeased(id, now)
    },
  }))
  first = parts.cancel(bookingId)
  while (!parts.calls.includes('cancel')) await setImmediate()
  expect((await parts.cancel(bookingId)).booking.state).toBe('cancelled')
})

test('a throttled cancellation returns the time to try again', async () => {
  const { parts, bookingId } = await booked({ cancel: failing('throttled', 7_000) })
  await expect(parts.cancel(bookingId)).rejects.toMatchObject({ code: 'overloaded', retryAfterMs: 7_000 })
})

test('the fee of a failed cancellation is not charged if the vendor cancels later', async () => {
  const { parts, bookingId, stored } = await booked({ cancel: failing('refused'), find: async () => cancelledByVendor })
  await expect(parts.cancel(bookingId)).rejects.toMatchObject({ code: 'not_cancellable' })
  expect(await stored()).toMatchObject({ state: 'confirmed', cancelFee: undefined })
  parts.clock.advance(2 * 86_400_000)
  expect(await parts.read()).toBe(1)
  const booking = await stored()
  expect(booking).toMatchObject({ state: 'cancelled', cancelFee: undefined })
  expect(presentBooking(booking, parts.clock.now()).cancellation).toBeNull()
})

test.each(['in the response', 'by settling', 'by a reading'])(
  'the vendor’s number of a cancellation is kept and shown if it is found %s',
  async (found) => {
    const confirmation = { vendor: 'V1', rooms: [], cancellation: 'C77' }
    const receipt: Receipt = { ...cancelledByVendor, cancelFee: euro(12_495), confirmation }
    const lost = async () => {
      throw new VendorError('scripted', 'timeout', 'unknown')
    }
    const { parts, bookingId, stored } = await booked({
      cancel: found === 'in the response' ? async () => receipt : lost,
      find: async () => receipt,
    })
    if (found !== 'by a reading') await parts.cancel(bookingId).catch(() => undefined)
    parts.clock.advance(10 * 60_000)
    await (found === 'by settling' ? parts.settle() : parts.read())
    const booking = await stored()
    expect(booking).toMatchObject({ state: 'cancelled', confirmation })
    expect(presentBooking(booking, parts.clock.now()).cancellation).toMatchObject({
      penalty: 124.95,
      vendor_reference: 'C77',
    })
  },
)

test.each(['in the response', 'by settling'])(
  'a vendor’s fee that turns out higher than the one quoted to the client, %s, is not passed on',
  async (found) => {
    const receipt: Receipt = { ...cancelledByVendor, cancelFee: euro(20_000) }
    const lost = async () => {
      throw new VendorError('scripted', 'timeout', 'unknown')
    }
    const cancel = found === 'in the response' ? async () => receipt : lost
    const { parts, bookingId, stored } = await booked({ cancel, find: async () => receipt })
    const { penalty } = await parts.cancel(bookingId)
    expect(penalty).toEqual(euro(12_495))
    parts.clock.advance(10 * 60_000)
    await parts.settle()
    const booking = await stored()
    expect(booking).toMatchObject({ state: 'cancelled', cancelFee: euro(20_000) })
    expect(presentBooking(booking, parts.clock.now()).cancellation).toMatchObject({ penalty: 124.95, refund: 124.95 })
  },
)

test('a booking that the vendor cancelled without naming a fee has no penalty', async () => {
  const { parts, bookingId } = await booked({ find: async () => cancelledByVendor })
  expect((await parts.cancel(bookingId, true)).penalty).toEqual(euro(12_495))
  expect(await parts.read()).toBe(1)
  for (const preview of [false, true]) {
    const outcome = await parts.cancel(bookingId, preview)
    expect(outcome).toMatchObject({ booking: { state: 'cancelled' }, penalty: euro(0) })
    expect(presentCancel(outcome, parts.clock.now())).toMatchObject({ penalty: 0, refund: 249.9 })
  }
})

test('without cancellation terms, cancelling costs what was paid, excluding what the property collects', async () => {
  const price = { ...aPrice(22_000), dueAtProperty: euro(2_000) }
  const priceCheck: Vendor['priceCheck'] = async (ref) => ({
    ...{ status: 'available', price, cancel: undefined, ref },
    expiresAt: Date.parse('2027-01-15T13:00:00Z'),
  })
  const { parts, bookingId, stored } = await booked({ priceCheck }, anOffer({ price, cancel: undefined }))
  const preview = await parts.cancel(bookingId, true)
  expect(presentCancel(preview, parts.clock.now())).toMatchObject({ penalty: 200, refund: 0 })
  await parts.cancel(bookingId)
  expect(await stored()).toMatchObject({ state: 'cancelled', cancelFee: euro(20_000) })
})
