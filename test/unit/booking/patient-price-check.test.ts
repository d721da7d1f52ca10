import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, aPrice, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { type BookingParts, openBookingParts } from '../../support/booking/booking-parts.ts'

let opened: BookingParts | undefined
afterEach(() => opened?.close())

/** A vendor that takes `answerMs` for a price check and reports a timeout if it is aborted before. */
const slow =
  (answerMs: number): Vendor['priceCheck'] =>
  async (ref, { signal }) => {
    await sleep(answerMs, undefined, { signal }).catch((cause: unknown) => {
      throw new VendorError('scripted', 'timeout', 'none', { cause })
    })
    const terms = { price: aPrice(), cancel: anOffer().cancel, expiresAt: Date.parse('2037-01-01T00:00:00Z') }
    return { status: 'available', ref, ...terms }
  }

async function open(answerMs: number, priceCheckTimeoutMs: number) {
  opened = await openBookingParts({ vendor: { priceCheck: slow(answerMs) }, capabilities: { priceCheckTimeoutMs } })
  return opened
}

test('a price check waits as long as the vendor may take, and not longer', async () => {
  const patient = await open(150, 60_000)
  expect(await patient.checkPrice(sealBookingInfo(anOffer()))).toMatchObject({ status: 'matched' })
  await patient.close()
  const impatient = await open(60_000, 150)
  await expect(impatient.checkPrice(sealBookingInfo(anOffer()))).rejects.toMatchObject({ code: 'vendor_timeout' })
})

test('a price check ends when its client disconnects', async () => {
  const parts = await open(60_000, 120_000)
  const started = performance.now()
  const signal = AbortSignal.timeout(100)
  await expect(parts.checkPrice(sealBookingInfo(anOffer()), undefined, signal)).rejects.toThrow()
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('a booking checks the price with its own, shorter timeout', async () => {
  const parts = await open(150, 50)
  expect((await parts.bookStay(sealBookingInfo(anOffer()))).status).toBe(201)
})
