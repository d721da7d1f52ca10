import { describe, expect, test } from 'vitest'
import { presentBooking } from '../../../src/booking/present/booking.ts'
import { presentHistory } from '../../../src/booking/present/history.ts'
import { calculateSoldFee, soldBooking, soldReceipt } from '../../../src/domain/booking/apply-sale.ts'
import { type Booking, bookingTime } from '../../../src/domain/booking/booking.ts'
import type { Discrepancy } from '../../../src/domain/booking/discrepancy.ts'
import type { Sale } from '../../../src/domain/booking/sale.ts'
import { makeSale } from '../../../src/selling/make-sale.ts'
import { aBooking, euro, START } from '../../support/booking/an-offer.ts'
import { RATES } from '../search/arbitrary-searches.ts'

function withSale(booking: Booking, terms: Partial<Sale['terms']> = {}): Booking {
  const frame = { stay: booking.stay, currency: 'EUR', rates: RATES }
  const sale = makeSale(booking, { version: 1, priority: 1, percent: 20, ...terms }, frame)
  if (sale === undefined || sale === 'unpriced') throw new Error('The sale is missing.')
  return { ...booking, sale }
}

/** Net 249.90, sold for 299.88; half of it is lost from 26 February. */
const booking = withSale(aBooking({ state: 'confirmed' }))
const NET = /249\.9|24990|124\.95|12495/

describe('prices that a client sees', () => {
  test('a client sees discrepancies in selling prices', () => {
    const discrepancies: Discrepancy[] = [
      { code: 'price_differs', since: START, booked: euro(24_990), vendorSays: euro(27_489) },
      {
        code: 'terms_differ',
        since: START,
        booked: { what: 'cancellation_fee', from: START, fee: euro(12_495) },
        vendorSays: { what: 'cancellation_fee', from: START, fee: euro(24_990) },
      },
    ]
    const shown = presentBooking({ ...booking, discrepancies }, START)
    expect(shown.discrepancies.map(({ booked, vendor_says }) => [booked, vendor_says])).toEqual([
      [
        { amount: 299.88, currency: 'EUR' },
        { amount: 329.87, currency: 'EUR' },
      ],
      [
        { cancellation_fee: { amount: 149.94, currency: 'EUR' }, from: expect.any(String) },
        { cancellation_fee: { amount: 299.88, currency: 'EUR' }, from: expect.any(String) },
      ],
    ])
    expect(JSON.stringify(shown)).not.toMatch(NET)
  })

  test('a client sees a vendor’s bill in another currency as a share of the selling price', () => {
    const usd = (minor: number) => ({ minor, currency: 'USD' })
    const discrepancies: Discrepancy[] = [
      { code: 'price_differs', since: START, booked: usd(30_000), vendorSays: usd(33_000) },
    ]
    const sold = soldBooking({ ...booking, discrepancies, vendorTotal: usd(30_000) })
    expect(sold.discrepancies?.[0]).toMatchObject({ booked: euro(29_988), vendorSays: euro(32_987) })
    expect(sold.vendorTotal).toBeUndefined()
  })

  test('the history is in selling prices, unless the account has access to net prices', () => {
    const said = {
      state: 'confirmed' as const,
      vendorReference: 'V1',
      total: euro(24_990),
      charged: euro(24_990),
      cancel: { refundable: true, penalties: [{ from: '2027-02-26T23:59:00+01:00', amount: euro(12_495) }] },
      cancelFee: euro(12_495),
    }
    const readings = [{ at: START, outcome: 'same' as const, said }]
    const shown = presentHistory({ booking, events: [], readings }, START)
    expect(shown.readings[0]?.vendor_says).toMatchObject({ total_price: 299.88, cancellation_fee: 149.94 })
    expect(JSON.stringify(shown)).not.toMatch(NET)
    const operators = presentHistory({ booking, events: [], readings }, START, true)
    expect(operators.readings[0]?.vendor_says).toMatchObject({ total_price: 249.9 })
    expect(operators.booking.net).toMatchObject({ total: 249.9, rule_priority: 1 })
  })

  test('a vendor’s amount in another currency than agreed is omitted', () => {
    const said = { state: 'confirmed' as const, vendorReference: 'V1', total: { minor: 1, currency: 'USD' } }
    expect(soldReceipt(booking, said).total).toBeUndefined()
  })

  test('a booking sold at its net price is shown at that price', () => {
    const plain = aBooking()
    expect(soldBooking(plain)).toBe(plain)
  })
})

test('the net cancellation fee of a price set by the vendor matches the statement', () => {
  const prescribed = aBooking({ state: 'cancelled', payable: euro(12_495), cancelFee: euro(12_495) })
  const { net, cancellation } = presentBooking(prescribed, START, undefined, true)
  expect(net).toMatchObject({ total: 124.95, cancellation_fee: 62.48 })
  expect(cancellation).toMatchObject({ penalty: 124.95 })
})

describe('cancellation fees that a client pays', () => {
  const buffered = withSale(aBooking({ state: 'confirmed' }), { cancelBufferHours: 24 })
  const localTime = (iso: string) => bookingTime(Date.parse(iso), buffered)

  test('the fee follows the client’s terms if the vendor charges according to its own', () => {
    expect(calculateSoldFee(buffered, euro(12_495), localTime('2027-02-27T12:00:00+01:00'))).toEqual(euro(14_994))
    expect(calculateSoldFee(buffered, euro(0), localTime('2027-02-25T12:00:00+01:00'))).toEqual(euro(0))
  })
  test('the fee of the buffer applies if the vendor would still cancel for free', () => {
    expect(calculateSoldFee(buffered, euro(0), localTime('2027-02-26T12:00:00+01:00'))).toEqual(euro(14_994))
  })
  test('the fee excludes what is due at the property, in the buffer as after the vendor’s deadline', () => {
    const price = { ...buffered.price, dueAtProperty: euro(5_000) }
    const cancel = { refundable: true, penalties: [{ from: '2027-02-26T23:59:00+01:00', amount: price.total }] }
    const partlyThere = withSale(aBooking({ state: 'confirmed', price, cancel }), { cancelBufferHours: 24 })
    const fees = [
      calculateSoldFee(partlyThere, euro(0), localTime('2027-02-26T12:00:00+01:00')),
      calculateSoldFee(partlyThere, euro(19_990), localTime('2027-02-27T12:00:00+01:00')),
    ]
    expect(fees).toEqual([euro(24_988), euro(24_988)])
  })
  test('the fee is a share of the vendor’s charge if that differs from its terms', () => {
    expect(calculateSoldFee(buffered, euro(1_000), localTime('2027-02-27T12:00:00+01:00'))).toEqual(euro(1_200))
  })
  test('the buffer costs nothing if the vendor cancelled on its own', () => {
    expect(calculateSoldFee(buffered, euro(0), undefined)).toEqual(euro(0))
  })
})
