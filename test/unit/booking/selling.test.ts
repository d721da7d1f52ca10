import { afterEach, describe, expect, test } from 'vitest'
import { OfferChanged } from '../../../src/booking/refusals.ts'
import type { SaleTerms } from '../../../src/domain/booking/sale.ts'
import type { SealedOffer } from '../../../src/domain/sealed-offer.ts'
import { makeSale } from '../../../src/selling/make-sale.ts'
import type { PriceCheck, Receipt, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, aPrice, BY_ACCOUNT, euro, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { ADA, type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'
import { RATES } from '../search/arbitrary-searches.ts'

let opened: BookingParts | undefined
afterEach(() => opened?.close())
async function open(vendor: Partial<Vendor> = {}): Promise<BookingParts> {
  opened = await openBookingParts({ vendor })
  return opened
}

type Available = Extract<PriceCheck, { status: 'available' }>
const finds =
  (more: Partial<Available>): Vendor['priceCheck'] =>
  async (ref) => ({
    status: 'available',
    price: aPrice(),
    cancel: anOffer().cancel,
    ref,
    expiresAt: Date.parse('2037-01-01T00:00:00Z'),
    ...more,
  })

/** Net 249.90, sold for 299.88 with 20 %. */
function soldOffer(terms: Partial<SaleTerms> = {}, offer: SealedOffer = anOffer()): SealedOffer {
  const { stay, market } = offer
  const frame = { stay, currency: market.currency, rates: RATES }
  const sale = makeSale(offer, { version: 1, priority: 1, percent: 20, ...terms }, frame)
  if (sale === undefined || sale === 'unpriced') throw new Error('there is a sale')
  return { ...offer, sale }
}
const info = (terms: Partial<SaleTerms> = {}) => sealBookingInfo(soldOffer(terms))

async function changed(work: Promise<unknown>): Promise<OfferChanged> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (!(error instanceof OfferChanged)) throw error ?? new Error('it was booked')
  return error
}
const readBooking = async (parts: BookingParts, answer: { bookingId: string }) =>
  (await parts.store.get(ADA.id, answer.bookingId)) ?? expect.fail('not stored')

test('bounds and payable come from the price check, and lapse if it omits them', async () => {
  const prescribed = anOffer({ price: aPrice(12_000), bounds: { fixed: euro(12_000) }, payable: euro(10_000) })
  const parts = await open({
    priceCheck: finds({ price: aPrice(11_000) }),
    book: async () => ({ state: 'confirmed', vendorReference: 'V1', total: euro(11_000) }),
  })
  const answer = await parts.bookStay(sealBookingInfo(prescribed))
  expect(JSON.parse(answer.body).data).toMatchObject({ status: 'confirmed', total_price: 110 })
  expect(await readBooking(parts, answer)).not.toHaveProperty('payable')
})

describe('an offer with a markup', () => {
  test('an offer with a markup is booked at net at the vendor and at the selling price for the client', async () => {
    const parts = await open({
      book: async () => ({ state: 'confirmed', vendorReference: 'V1', total: euro(24_990) }),
    })
    const answer = await parts.bookStay(info())
    expect(JSON.parse(answer.body).data).toMatchObject({ status: 'confirmed', total_price: 299.88, discrepancies: [] })
    expect(answer.body).not.toMatch(/249\.9|124\.95/)
    expect(await readBooking(parts, answer)).toMatchObject({
      price: { total: euro(24_990) },
      sale: { net: euro(24_990) },
    })
  })

  test('an offer with a markup is compared with the vendor’s bill at net, and a difference is shown as a selling price', async () => {
    const parts = await open({
      book: async () => ({ state: 'confirmed', vendorReference: 'V1', total: euro(25_000) }),
    })
    const { body } = await parts.bookStay(info())
    expect(JSON.parse(body).data.discrepancies).toMatchObject([
      { code: 'price_differs', booked: { amount: 299.88 }, vendor_says: { amount: 300 } },
    ])
  })

  test('an offer whose net price rose is refused with selling prices, and accepted up to a selling price', async () => {
    const parts = await open({ priceCheck: finds({ price: aPrice(26_000) }) })
    const { code, change } = await changed(parts.bookStay(info()))
    expect([code, change.oldTotal, change.newTotal]).toEqual(['price_changed', euro(29_988), euro(31_200)])
    expect(change.room?.choice.price.total).toEqual(euro(31_200))
    expect(await describeOutcome(parts.bookStay({ ...info(), accept_price_up_to: 311.99 }))).toBe('price_changed')
    expect(await describeOutcome(parts.bookStay({ ...info(), accept_price_up_to: 312 }))).toBe('201')
  })

  test('an offer whose net price fell is booked for less', async () => {
    const parts = await open({ priceCheck: finds({ price: aPrice(20_000) }) })
    expect(JSON.parse((await parts.bookStay(info())).body).data.total_price).toBe(240)
  })

  test('rounding of a lower price does not raise the cancellation fee', async () => {
    const terms = { percent: 20, rounding: { step: 10, mode: 'up' } } as const
    const cancel = { refundable: true, penalties: [{ from: '2027-02-26T23:59:00+01:00', amount: euro(12_495) }] }
    const parts = await open({ priceCheck: finds({ price: aPrice(24_980), cancel }) })
    const answer = await parts.bookStay(info(terms))
    const { data } = JSON.parse(answer.body)
    expect([data.total_price, data.cancel_policy.penalties[0].amount]).toEqual([300, 150])
  })

  test('an offer keeps its selling price if only the exchange rates have changed', async () => {
    const offer = anOffer({ market: { currency: 'USD', language: 'en-US', countryCode: 'US' } })
    const sold = soldOffer({ exchangePercent: 3 }, offer)
    const parts = await open()
    const { data } = JSON.parse((await parts.bookStay(sealBookingInfo(sold))).body)
    expect([data.total_price, data.currency]).toEqual([(sold.sale?.price.total.minor ?? 0) / 100, 'USD'])
  })

  test('a price check returns a digest of the selling terms', async () => {
    const parts = await open({ priceCheck: finds({}) })
    const dearer = await parts.checkPrice(info({ percent: 30 }))
    const usual = await parts.checkPrice(info())
    if (dearer.status === 'sold_out' || usual.status === 'sold_out') throw new Error('it is available')
    expect(dearer.termsDigest).not.toBe(usual.termsDigest)
    const { bookingInfo } = usual.change.room?.choice ?? expect.fail('no room')
    expect(await describeOutcome(parts.bookStay({ ...bookingInfo, terms_digest: dearer.termsDigest }))).toBe(
      'terms_changed',
    )
    expect(await describeOutcome(parts.bookStay({ ...bookingInfo, terms_digest: usual.termsDigest }))).toBe('201')
  })
})

describe('cancelling a booking with a markup', () => {
  test('cancelling costs the same share of the selling price as of net at the vendor', async () => {
    const parts = await open({ previewCancel: async () => ({ fee: euro(2_499) }) })
    const { bookingId } = await parts.bookStay(info())
    expect((await parts.cancel(bookingId, true)).penalty).toEqual(euro(2_999))
    expect((await parts.cancel(bookingId)).penalty).toEqual(euro(2_999))
    expect(await readBooking(parts, { bookingId })).toMatchObject({ cancelFee: euro(2_499), soldFee: euro(2_999) })
    // Cancelling again returns the same.
    expect((await parts.cancel(bookingId)).penalty).toEqual(euro(2_999))
  })

  test('cancelling costs the client’s fee between the client’s deadline and the vendor’s', async () => {
    const parts = await open()
    const { bookingId } = await parts.bookStay(info({ cancelBufferHours: 48 }))
    parts.clock.advance(Date.parse('2027-02-24T12:00:00+01:00') - parts.clock.now())
    expect((await parts.cancel(bookingId, true)).penalty).toEqual(euro(0))
    parts.clock.advance(24 * 3_600_000)
    expect((await parts.cancel(bookingId, true)).penalty).toEqual(euro(14_994))
    await parts.cancel(bookingId)
    expect(await readBooking(parts, { bookingId })).toMatchObject({ cancelFee: euro(0), soldFee: euro(14_994) })
  })

  test('cancelling costs the client’s fee even if the outcome was open for so long that it needed a review', async () => {
    let says: Receipt | undefined
    const parts = await open({
      cancel: async () => Promise.reject(new VendorError('scripted', 'timeout', 'unknown')),
      find: async () => says ?? Promise.reject(new VendorError('scripted', 'unavailable', 'none')),
    })
    const { bookingId } = await parts.bookStay(info({ cancelBufferHours: 48 }))
    parts.clock.advance(Date.parse('2027-02-25T12:00:00+01:00') - parts.clock.now())
    await parts.cancel(bookingId)
    parts.clock.advance(35 * 60_000)
    await parts.settle()
    expect(await readBooking(parts, { bookingId })).toMatchObject({ state: 'needs_review', soldFee: euro(14_994) })
    says = { state: 'cancelled', vendorReference: 'V1', cancelFee: euro(0) }
    parts.clock.advance(3 * 24 * 3_600_000)
    expect(await parts.read()).toBe(1)
    const fees = { cancelFee: euro(0), soldFee: euro(14_994) }
    expect(await readBooking(parts, { bookingId })).toMatchObject({ state: 'cancelled', ...fees })
  })

  test('a cancellation by the vendor is free for the client after the review of a failed cancellation', async () => {
    const find: Vendor['find'] = async () => ({ state: 'cancelled', vendorReference: 'V1', cancelFee: euro(0) })
    const parts = await open({ find })
    const { bookingId } = await parts.bookStay(info({ cancelBufferHours: 24 * 60 }))
    const step = () => ({ at: parts.clock.now(), by: BY_ACCOUNT, dueAt: null })
    await parts.store.move(bookingId, 'confirmed', 'cancelling', { ...step(), cancelFeeMinor: 0 })
    await parts.store.move(bookingId, 'cancelling', 'needs_review', step())
    await parts.store.move(bookingId, 'needs_review', 'confirmed', step())
    await parts.store.move(bookingId, 'confirmed', 'needs_review', step())
    parts.clock.advance(24 * 3_600_000)
    expect(await parts.read()).toBe(1)
    const fees = { cancelFee: euro(0), soldFee: euro(0) }
    expect(await readBooking(parts, { bookingId })).toMatchObject({ state: 'cancelled', ...fees })
  })

  test('a free cancellation by the vendor is free for the client', async () => {
    const find: Vendor['find'] = async () => ({ state: 'cancelled', vendorReference: 'V1', cancelFee: euro(0) })
    const parts = await open({ find })
    const { bookingId } = await parts.bookStay(info({ cancelBufferHours: 24 * 60 }))
    parts.clock.advance(3_600_000)
    expect(await parts.read()).toBe(1)
    expect(await readBooking(parts, { bookingId })).toMatchObject({
      state: 'cancelled',
      cancelFee: euro(0),
      soldFee: euro(0),
    })
  })
})
