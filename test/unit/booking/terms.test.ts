import { afterEach, describe, expect, test } from 'vitest'
import { OfferChanged } from '../../../src/booking/refusals.ts'
import type { CancelTerms } from '../../../src/domain/offer.ts'
import { deriveSessionId } from '../../../src/lib/crypto/session-id.ts'
import type { PriceCheck, Receipt, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, aPrice, euro, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'

let opened: BookingParts | undefined
afterEach(() => opened?.close())
async function open(...options: Parameters<typeof openBookingParts>): Promise<BookingParts> {
  opened = await openBookingParts(...options)
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
const lost: CancelTerms = { refundable: false, penalties: [{ from: '2027-01-01T00:00:00Z', amount: euro(24_990) }] }
const receipt = (more: Partial<Receipt> = {}): Receipt => ({
  state: 'confirmed',
  vendorReference: 'V1',
  property: { vendorPropertyId: '77' },
  dates: { checkIn: '2027-03-01', checkOut: '2027-03-03' },
  rooms: 1,
  total: euro(24_990),
  ...more,
})

async function changed(work: Promise<unknown>): Promise<OfferChanged> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (!(error instanceof OfferChanged)) throw error ?? new Error('it was booked')
  return error
}

describe('terms that are worse than shown', () => {
  test.each<[string, Partial<Available>, string]>([
    ['no longer refundable', { cancel: lost }, 'refundable'],
    ['without breakfast', { board: 'room_only' }, 'board'],
    ['part of it due at the property', { price: { ...aPrice(), dueAtProperty: euro(1_000) } }, 'due_at_property'],
  ])('worse terms (%s) are refused, and booking the new room accepts them', async (_name, found, what) => {
    const parts = await open({ vendor: { priceCheck: finds(found) } })
    const { code, change } = await changed(parts.bookStay(sealBookingInfo(anOffer())))
    expect([code, parts.calls]).toEqual(['terms_changed', ['priceCheck']])
    expect(change.changes.map((one) => one.what)).toContain(what)
    expect((await parts.bookStay(change.room?.choice.bookingInfo)).status).toBe(201)
  })

  test('an accepted price does not accept worse terms', async () => {
    const parts = await open({ vendor: { priceCheck: finds({ price: aPrice(26_000), cancel: lost }) } })
    const body = { ...sealBookingInfo(anOffer()), accept_price_up_to: 300 }
    const { code, change } = await changed(parts.bookStay(body))
    expect(code).toBe('terms_changed')
    expect(change.changes[0]).toEqual({ what: 'total_price', shown: euro(24_990), now: euro(26_000) })
  })

  test('a fee that grows with an accepted price is not a change of terms', async () => {
    const cancel = { refundable: true, penalties: [{ from: '2027-02-26T23:59:00+01:00', amount: euro(13_744) }] }
    const parts = await open({ vendor: { priceCheck: finds({ price: aPrice(27_489), cancel }) } })
    const body = { ...sealBookingInfo(anOffer()), accept_price_up_to: 274.89 }
    expect(await describeOutcome(parts.bookStay(body))).toBe('201')
  })

  test('a lower price is booked and reported', async () => {
    const parts = await open({ vendor: { priceCheck: finds({ price: aPrice(20_000) }) } })
    const { body } = await parts.bookStay(sealBookingInfo(anOffer()))
    expect(JSON.parse(body).data.total_price).toBe(200)
  })
})

describe('the digest', () => {
  const check = async (parts: BookingParts) => {
    const found = await parts.checkPrice(sealBookingInfo(anOffer()))
    if (found.status === 'sold_out') throw new Error('sold out')
    return found
  }

  test('a terms digest books what was checked, with the checked booking_info or the original one', async () => {
    for (const which of ['checked', 'first']) {
      const parts = await open({ vendor: { priceCheck: finds({ cancel: lost }) } })
      const { status, change, termsDigest } = await check(parts)
      expect(status).toBe('terms_changed')
      const info = which === 'checked' ? change.room?.choice.bookingInfo : sealBookingInfo(anOffer())
      expect((await parts.bookStay({ ...info, terms_digest: termsDigest })).status).toBe(201)
      parts.close()
    }
  })

  test('the terms digest stays the same while the terms do', async () => {
    const parts = await open()
    const first = await check(parts)
    parts.clock.advance(30_000)
    expect((await check(parts)).termsDigest).toBe(first.termsDigest)
  })

  test.each<[string, Partial<Available>]>([
    ['total', { price: aPrice(25_000) }],
    ['part at the property', { price: { ...aPrice(), dueAtProperty: euro(1) } }],
    ['fees', { cancel: lost }],
    ['board', { board: 'half_board' }],
    ['notices', { notices: [{ kind: 'rate_comment', title: '', text: 'Adults only', requiredAt: ['checkout'] }] }],
  ])('the terms digest differs with another %s', async (_name, found) => {
    const parts = await open()
    const before = (await check(parts)).termsDigest
    parts.close()
    expect((await check(await open({ vendor: { priceCheck: finds(found) } }))).termsDigest).not.toBe(before)
  })

  test('a digest of other terms is refused', async () => {
    const parts = await open()
    const body = { ...sealBookingInfo(anOffer()), terms_digest: 'trm1_0000' }
    expect((await changed(parts.bookStay(body))).code).toBe('terms_changed')
    expect(parts.calls).toEqual(['priceCheck'])
  })

  test('a notice that is new since the digest is refused', async () => {
    let text = 'Parking 10 Euro'
    const parts = await open({
      vendor: {
        priceCheck: (ref, context) =>
          finds({ notices: [{ kind: 'rate_comment', title: '', text, requiredAt: ['checkout'] }] })(ref, context),
      },
    })
    const { change, termsDigest } = await check(parts)
    const body = { ...change.room?.choice.bookingInfo, terms_digest: termsDigest }
    text = 'Parking 20 Euro'
    const refusal = await changed(parts.bookStay(body))
    expect(refusal.change.changes).toMatchObject([{ what: 'notices', now: [{ text }] }])
    text = 'Parking 10 Euro'
    expect((await parts.bookStay(body)).status).toBe(201)
  })
})

test('a vendor that rejects the price at booking returns price_changed with the new room, and the offer is used up', async () => {
  let price = aPrice()
  const parts = await open({
    vendor: {
      priceCheck: (ref, context) => finds({ price })(ref, context),
      book: async () => {
        price = aPrice(26_000)
        throw new VendorError('scripted', 'price_changed', 'none')
      },
    },
  })
  const info = sealBookingInfo(anOffer())
  const answer = await parts.bookStay(info)
  const body = JSON.parse(answer.body)
  expect([answer.status, body.code, body.old_total, body.new_total]).toEqual([409, 'price_changed', 249.9, 260])
  expect(body).toMatchObject({ booking: { status: 'rejected' }, changes: [{ what: 'total_price' }] })
  expect(body.room.booking_info.price_check_uri).not.toBe(info.price_check_uri)
  expect(await parts.bookStay(info)).toEqual({ ...answer, replayed: true })
})

/** A fils is a third of a cent. */
describe('a total in dinars that is shown in euros', () => {
  const fils = (minor: number) => ({ minor, currency: 'KWD' })
  const price = (minor: number) => ({
    total: fils(minor),
    base: fils(minor),
    taxesFees: fils(0),
    fees: [],
    dueAtProperty: fils(0),
    publicTotal: fils(minor),
  })
  const cancel = { refundable: false, penalties: [] }
  const info = () => sealBookingInfo(anOffer({ price: price(24_990), cancel }))
  const openAt = async (minor: () => number, more: Partial<Vendor> = {}) =>
    open({ vendor: { priceCheck: (ref, context) => finds({ price: price(minor()), cancel })(ref, context), ...more } })

  test('has not changed if it rose by less than a cent', async () => {
    const parts = await openAt(() => 24_991)
    const checked = await parts.checkPrice(info())
    expect(checked).toMatchObject({ status: 'matched', change: { changes: [] } })
    expect(await describeOutcome(parts.bookStay(info()))).toBe('201')
  })

  test('has changed if it rose by a cent', async () => {
    const { code, change } = await changed((await openAt(() => 24_993)).bookStay(info()))
    expect([code, change.oldTotal, change.newTotal]).toEqual(['price_changed', euro(7_573), euro(7_574)])
  })

  test('is compared exactly with a digest, and the change is shown in dinars', async () => {
    let minor = 24_990
    const parts = await openAt(() => minor)
    const checked = await parts.checkPrice(info())
    if (checked.status === 'sold_out') throw new Error('sold out')
    minor = 24_991
    const body = { ...info(), terms_digest: checked.termsDigest }
    const { code, change } = await changed(parts.bookStay(body))
    expect([code, change.oldTotal, change.newTotal]).toEqual(['price_changed', fils(24_990), fils(24_991)])
    expect(change.changes).toEqual([{ what: 'total_price', shown: fils(24_990), now: fils(24_991) }])
    expect(await describeOutcome(parts.bookStay({ ...body, accept_price_up_to: 75.73 }))).toBe('201')
  })

  test('that a vendor refuses and then confirms unchanged is not reported as two equal totals', async () => {
    const parts = await openAt(() => 24_990, {
      book: async () => {
        throw new VendorError('scripted', 'price_changed', 'none')
      },
    })
    const { status, body } = await parts.bookStay(info())
    const { code, old_total, new_total, room } = JSON.parse(body)
    expect([status, code, old_total, new_total]).toEqual([409, 'price_changed', undefined, undefined])
    expect(room.booking_info).toBeDefined()
  })
})

describe('the vendor’s answer', () => {
  const booked = async (book: Receipt, find?: Receipt) => {
    const parts = await open({ vendor: { book: async () => book, ...(find && { find: async () => find }) } })
    const answer = await parts.bookStay(sealBookingInfo(anOffer()))
    return { parts, answer, data: JSON.parse(answer.body).data }
  }

  test('a receipt that matches the agreement records nothing', async () => {
    const { data, parts, answer } = await booked(receipt())
    expect([data.status, data.discrepancies]).toEqual(['confirmed', []])
    expect(await parts.store.events(answer.bookingId)).toHaveLength(3)
  })

  test.each<[string, Partial<Receipt>, unknown, unknown]>([
    ['price_differs', { total: euro(25_500) }, { amount: 249.9, currency: 'EUR' }, { amount: 255, currency: 'EUR' }],
    ['rooms_differ', { rooms: 2 }, 1, 2],
  ])('%s leaves the booking confirmed and is recorded as an event', async (code, more, was, says) => {
    const { parts, answer, data } = await booked(receipt(more))
    expect([answer.status, data.status]).toEqual([201, 'confirmed'])
    expect(data.discrepancies).toMatchObject([{ code, booked: was, vendor_says: says }])
    expect((await parts.store.any(answer.bookingId))?.discrepancies).toMatchObject([{ code }])
    const last = (await parts.store.events(answer.bookingId)).at(-1)
    expect(last).toMatchObject({ sequence: 4, kind: 'discrepancy', from: 'confirmed', to: 'confirmed', reason: code })
  })

  test.each<[string, Partial<Receipt>]>([
    ['property_differs', { property: { vendorPropertyId: '78', name: 'Hotel Altra' } }],
    ['dates_differ', { dates: { checkIn: '2027-03-02', checkOut: '2027-03-04' } }],
    ['room_cancelled', { state: 'partly_cancelled' }],
  ])('%s goes to review immediately, at booking or later', async (code, more) => {
    const { answer, data } = await booked(receipt(more))
    expect([answer.status, data.status, data.vendor_reference]).toEqual([202, 'needs_review', 'V1'])
    expect(data.discrepancies).toMatchObject([{ code }])
    opened?.close()

    const later = await booked({ state: 'pending', vendorReference: 'V1' }, receipt(more))
    expect(later.data.status).toBe('in_doubt')
    later.parts.clock.advance(2_000)
    await later.parts.settle()
    const settled = await later.parts.store.any(later.answer.bookingId)
    expect(settled).toMatchObject({ state: 'needs_review', discrepancies: [{ code }] })
  })

  test.each([
    [273_00, []],
    [280_00, ['price_differs']],
  ])('a bill in another currency (%i) is compared with the billable total of the check', async (minor, codes) => {
    const usd = (amount: number) => ({ minor: amount, currency: 'USD' })
    const parts = await open({
      vendor: { priceCheck: finds({ billable: usd(273_00) }), book: async () => receipt({ total: usd(minor) }) },
    })
    const { bookingId } = await parts.bookStay(sealBookingInfo(anOffer()))
    const booking = await parts.store.any(bookingId)
    expect(booking?.vendorTotal).toEqual(usd(273_00))
    expect((booking?.discrepancies ?? []).map(({ code }) => code)).toEqual(codes)
  })

  test('a total in the vendor’s billing currency is not compared with another currency', async () => {
    const { data } = await booked(receipt({ total: { minor: 30_000, currency: 'USD' } }))
    expect(data.discrepancies).toEqual([])
  })
})

test('a cancellation that reached one of two rooms goes to review once the other can no longer be merely late', async () => {
  const parts = await open({
    vendor: {
      cancel: async () => receipt({ state: 'partly_cancelled' }),
      find: async () => receipt({ state: 'partly_cancelled' }),
    },
  })
  const { bookingId } = await parts.bookStay(sealBookingInfo(anOffer()))
  expect((await parts.cancel(bookingId)).booking.state).toBe('cancelling')
  parts.clock.advance(2_000)
  await parts.settle()
  expect(await parts.store.any(bookingId)).toMatchObject({ state: 'cancelling' })
  parts.clock.advance(20 * 60_000)
  await parts.settle()
  expect(await parts.store.any(bookingId)).toMatchObject({
    state: 'needs_review',
    discrepancies: [{ code: 'room_cancelled' }],
  })
})

test('if guests are required, a booking without any is refused before the vendor is asked', async () => {
  const parts = await open({ requireGuests: true })
  const info = sealBookingInfo(anOffer())
  await expect(parts.bookStay(info)).rejects.toMatchObject({
    code: 'guests_required',
    errors: [{ field: 'guests', code: 'required' }],
  })
  expect(parts.calls).toEqual([])
  expect((await parts.bookStay({ ...info, guests: [{ given_name: 'Mira', family_name: 'Solberg' }] })).status).toBe(201)
})

test('every vendor call of a search has one session id and the customer’s address, even in the background, and the address is encrypted', async () => {
  const seen: [string, string | undefined, string | undefined][] = []
  const noted = (name: string, { sessionId, customerIp }: { sessionId?: string; customerIp?: string }) =>
    seen.push([name, sessionId, customerIp])
  const parts = await open({
    vendor: {
      priceCheck: (ref, context) => {
        noted('priceCheck', context)
        return finds({})(ref, context)
      },
      book: async (_, context) => {
        noted('book', context)
        return { state: 'pending', vendorReference: 'V1' }
      },
      find: async (_, context) => {
        noted('find', context)
        return receipt()
      },
      cancel: async (_, context) => {
        noted('cancel', context)
        return receipt({ state: 'cancelled' })
      },
    },
  })
  const offer = anOffer({ customerIp: '203.0.113.77' })
  await parts.checkPrice(sealBookingInfo(offer))
  const { bookingId } = await parts.bookStay(sealBookingInfo(offer))
  parts.clock.advance(2_000)
  await parts.settle()
  await parts.cancel(bookingId)
  const session = deriveSessionId(offer.searchId)
  expect(seen).toEqual(
    ['priceCheck', 'priceCheck', 'book', 'find', 'cancel'].map((name) => [name, session, '203.0.113.77']),
  )
  const rows = await parts.database.read.selectFrom('bookings').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('203.0.113.77')
  expect((await parts.store.any(bookingId))?.persons.customerIp).toBe('203.0.113.77')
})
