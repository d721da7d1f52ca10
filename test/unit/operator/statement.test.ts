import { expect, test } from 'vitest'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { csvText, presentStatementLine, statementCsv } from '../../../src/operator/present/statement.ts'
import { type StatementBooking, sumStatement } from '../../../src/operator/statements/statement.ts'
import { aPrice, euro } from '../../support/booking/an-offer.ts'

const sold = (net: number, total: number) => ({
  terms: { version: 1 },
  net: euro(net),
  price: aPrice(total),
  cancel: undefined,
})
const stated = (state: BookingState, more: Partial<StatementBooking> = {}): StatementBooking => ({
  period: '2027-03',
  vendorId: 'alpha',
  state,
  price: aPrice(10_000),
  sale: sold(10_000, 12_000),
  cancelFee: undefined,
  soldFee: undefined,
  ...more,
})

test('the statement adds up all bookings of any state, vendor, month and fee', async () => {
  const states: BookingState[] = ['confirmed', 'cancelling', 'cancelled', 'needs_review', 'in_doubt', 'rejected']
  const bookings: StatementBooking[] = []
  for (let index = 0; index < 5_000; index += 1) {
    const [net, margin, fee] = [5_000 + ((index * 7_919) % 90_000), (index * 31) % 4_000, (index * 17) % 5_000]
    bookings.push(
      stated(states[index % states.length] ?? 'confirmed', {
        period: `2027-0${1 + (index % 3)}`,
        vendorId: index % 2 === 0 ? 'alpha' : 'beta',
        price: { ...aPrice(net), dueAtProperty: euro(index % 700) },
        sale: index % 5 === 0 ? undefined : sold(net, net + margin),
        cancelFee: euro(fee),
        soldFee: index % 5 === 0 ? undefined : euro(fee + 100),
      }),
    )
  }
  const lines = await sumStatement(bookings)
  expect(lines).toHaveLength(6)
  const isConfirmed = ({ state }: StatementBooking) => state === 'confirmed' || state === 'cancelling'
  const total = (amount: (booking: StatementBooking) => number) =>
    bookings.reduce((sum, booking) => sum + amount(booking), 0)
  const sum = (name: 'sold' | 'net' | 'payable' | 'margin' | 'penalties' | 'bookings' | 'open') =>
    lines.reduce((all, line) => all + line[name], 0)
  const sellingTotal = (booking: StatementBooking) => (booking.sale?.price ?? booking.price).total.minor
  expect(sum('bookings')).toBe(bookings.filter(isConfirmed).length)
  expect(sum('open')).toBe(bookings.filter(({ state }) => state === 'needs_review' || state === 'in_doubt').length)
  expect(sum('sold')).toBe(total((booking) => (isConfirmed(booking) ? sellingTotal(booking) : 0)))
  expect(sum('net')).toBe(total((booking) => (isConfirmed(booking) ? booking.price.total.minor : 0)))
  const penalty = (booking: StatementBooking) =>
    booking.state === 'cancelled' ? ((booking.soldFee ?? booking.cancelFee)?.minor ?? 0) : 0
  expect(sum('penalties')).toBe(total(penalty))
  const fee = (booking: StatementBooking) => (booking.state === 'cancelled' ? (booking.cancelFee?.minor ?? 0) : 0)
  expect(sum('margin')).toBe(sum('sold') - sum('net') + sum('penalties') - total(fee))
  const paid = (booking: StatementBooking) =>
    isConfirmed(booking) ? booking.price.total.minor - booking.price.dueAtProperty.minor : 0
  expect(sum('payable')).toBe(total((booking) => paid(booking) + fee(booking)))
})

test('for a price set by the vendor, its bill is payable and the rest is margin', async () => {
  const prescribed = { price: aPrice(14_000), sale: undefined, payable: euro(12_000) }
  const lines = await sumStatement([
    stated('confirmed', prescribed),
    stated('cancelled', { ...prescribed, cancelFee: euro(7_000) }),
  ])
  expect(lines).toMatchObject([
    { sold: 14_000, net: 12_000, penalties: 7_000, vendorPenalties: 6_000, margin: 3_000, payable: 18_000 },
  ])
})

test('the vendor’s cancellation bill for a price it set excludes what properties collect', async () => {
  const price = { ...aPrice(22_000), dueAtProperty: euro(2_000) }
  const prescribed = { price, sale: undefined, payable: euro(18_000) }
  const lines = await sumStatement([stated('cancelled', { ...prescribed, cancelFee: euro(20_000) })])
  expect(lines).toMatchObject([{ penalties: 20_000, vendorPenalties: 16_000, margin: 4_000, payable: 16_000 }])
})

test('a partly cancelled booking is counted separately and not at its whole price', async () => {
  const lines = await sumStatement([
    stated('confirmed'),
    stated('confirmed', { isPartlyCancelled: true }),
    stated('cancelling', { isPartlyCancelled: true }),
    stated('needs_review', { isPartlyCancelled: true }),
  ])
  expect(lines).toMatchObject([
    {
      bookings: 1,
      partlyCancelled: 2,
      open: 1,
      cancelled: 0,
      sold: 12_000,
      net: 10_000,
      margin: 2_000,
      payable: 10_000,
    },
  ])
})

test('amounts of different currencies are never added', async () => {
  const dollars = { ...sold(10_000, 12_000), net: { minor: 11_000, currency: 'USD' } }
  const price = { ...aPrice(12_500), total: { minor: 12_500, currency: 'USD' } }
  const lines = await sumStatement([stated('confirmed'), stated('confirmed', { sale: { ...dollars, price } })])
  expect(lines.map(({ currency, netCurrency, margin }) => [currency, netCurrency, margin])).toEqual([
    ['EUR', 'EUR', 2_000],
    ['USD', 'EUR', 1_500],
  ])
})

test('the CSV has a header, all decimals of the currency and no spreadsheet formulas', async () => {
  const lines = await sumStatement([
    stated('cancelled', { vendorId: '=HYPERLINK("x")', cancelFee: euro(2_050), soldFee: euro(1_000) }),
  ])
  const [names, line] = statementCsv(lines).split('\r\n')
  expect(names).toBe(Object.keys(presentStatementLine(lines[0] ?? expect.fail('no line'))).join(','))
  expect(line).toBe(
    `2027-03,"'=HYPERLINK(""x"")",EUR,0,1,0,0,0.00,0.00,0.00,10.00,-10.50,EUR,20.50,20.50,0.00,0.00,0.00,0.00,0.00,10.00`,
  )
  expect(['+1', '-1', '@x', '\tx', 'plain'].map(csvText)).toEqual(["'+1", "'-1", "'@x", "'\tx", 'plain'])
})

test('a statement separates cards from accounts: collected minus refunded is the card part of sales and penalties', async () => {
  const payment = { captured: 12_000, refunded: 0, disputed: 0, owed: 12_000, goodwill: 0, fee: euro(240) }
  const [line] = await sumStatement([
    stated('confirmed', { payment }),
    stated('cancelled', {
      ...{ cancelFee: euro(1_000), soldFee: euro(2_000) },
      payment: { ...payment, refunded: 10_000, owed: 2_000, disputed: 2_000, fee: { minor: 9, currency: 'USD' } },
    }),
    stated('confirmed', { payment: { ...payment, captured: 0, fee: undefined } }),
    stated('confirmed', { price: { ...aPrice(10_000), dueAtProperty: euro(500) }, sale: undefined }),
  ])
  expect(line).toMatchObject({
    ...{ collected: 24_000, refunded: 10_000, uncollected: 12_000, disputed: 2_000, providerFees: 240 },
    onAccount: 9_500,
  })
  const { collected = 0, refunded = 0, uncollected = 0, onAccount = 0, sold: total = 0 } = line ?? {}
  expect(collected - refunded + uncollected + onAccount).toBe(total - 500 + 2_000)
})

test('a fee of a vendor that cancelled by itself is not a penalty of a guest who got everything back', async () => {
  const payment = { captured: 12_000, refunded: 12_000, disputed: 0, owed: 0, goodwill: 0, fee: undefined }
  const fees = { cancelFee: euro(1_000), soldFee: euro(1_200) }
  const [line] = await sumStatement([stated('cancelled', { ...fees, payment })])
  expect(line).toMatchObject({ penalties: 0, vendorPenalties: 1_000, margin: -1_000, payable: 1_000 })
  const given = { ...payment, refunded: 11_300, owed: 700, goodwill: 500 }
  const [generous] = await sumStatement([stated('cancelled', { ...fees, payment: given })])
  expect(generous).toMatchObject({ penalties: 1_200, margin: 200 })
})

test('a fee of the vendor above the one quoted to the client is not a penalty of the client', async () => {
  const fees = { sale: undefined, cancelFee: euro(2_000), soldFee: euro(1_000) }
  const [line] = await sumStatement([stated('cancelled', fees)])
  expect(line).toMatchObject({ penalties: 1_000, vendorPenalties: 2_000, margin: -1_000, onAccount: 1_000 })
})
