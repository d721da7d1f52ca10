import { afterEach, expect, test } from 'vitest'
import { VendorError, type VendorFault } from '../../../src/vendors/vendor-error.ts'
import { anOffer, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { type BookingParts, openBookingParts } from '../../support/booking/booking-parts.ts'

let opened: BookingParts | undefined
afterEach(() => opened?.close())

async function openFailing(fault: VendorFault): Promise<BookingParts> {
  const book = async () => Promise.reject(new VendorError('scripted', fault, 'none'))
  opened = await openBookingParts({ vendor: { book } })
  return opened
}

test.each<[VendorFault, number, string]>([
  ['refused', 409, 'booking_rejected'],
  ['expired', 410, 'offer_expired'],
  ['unavailable', 502, 'vendors_failed'],
  ['unreachable', 502, 'vendors_failed'],
  ['credentials', 502, 'vendors_failed'],
  ['timeout', 504, 'vendor_timeout'],
])('a booking that the vendor rejects as %s returns %i %s, and again byte for byte', async (fault, status, code) => {
  const parts = await openFailing(fault)
  const info = sealBookingInfo(anOffer())
  const answer = await parts.bookStay(info)
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    status,
    expect.objectContaining({
      status,
      code,
      booking_id: answer.bookingId,
      booking: expect.objectContaining({ status: 'rejected' }),
      detail: expect.stringMatching(/nothing was booked/i),
    }),
  ])
  expect(await parts.bookStay(info)).toEqual({ ...answer, replayed: true })
})

test('a stored refusal names the request that was refused', async () => {
  const parts = await openFailing('refused')
  expect(JSON.parse((await parts.bookStay(sealBookingInfo(anOffer()))).body).instance).toBe('req')
})
