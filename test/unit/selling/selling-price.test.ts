import { expect, test } from 'vitest'
import { soldAmount } from '../../../src/domain/booking/sale.ts'
import type { Money } from '../../../src/domain/money/money.ts'
import type { Price } from '../../../src/domain/offer.ts'
import { hoursEarlier, withBuffer } from '../../../src/selling/cancel-buffer.ts'
import { makeSale, soldPrice } from '../../../src/selling/make-sale.ts'
import { convertMarkup, type MinorBounds, type StayMarkup, sellingSum } from '../../../src/selling/selling-price.ts'
import { RATES } from '../search/arbitrary-searches.ts'

/** Deterministic, and much faster than a general generator. */
function numbers(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    whole: (min: number, max: number) => min + Math.floor(next() * (max - min + 1)),
    maybe: <T>(make: () => T): T | undefined => (next() < 0.5 ? make() : undefined),
    oneOf: <T>(...all: readonly T[]): T => all[Math.floor(next() * all.length)] as T,
  }
}
type Numbers = ReturnType<typeof numbers>

/** From a few cents to millions, since errors occur at both ends. */
const createAmount = ({ whole, oneOf }: Numbers) => whole(1, oneOf(20, 1_000, 100_000, 10_000_000, 1_000_000_000))

function createMarkup(n: Numbers): StayMarkup {
  const step = n.oneOf(1, 5, 10, 50, 100, 500, 1_000)
  return {
    share: n.oneOf(0, n.whole(0, 1_000_000)),
    exchangeShare: n.oneOf(0, n.whole(0, 100_000)),
    perNight: n.oneOf(0, n.whole(0, 100_000)),
    perStay: n.oneOf(0, n.whole(0, 100_000)),
    rounding: n.maybe(() => ({
      step,
      mode: n.oneOf('up', 'down', 'nearest'),
      minus: n.oneOf(0, n.whole(0, step - 1)),
    })),
  }
}

function createBounds(n: Numbers, net: number): MinorBounds | undefined {
  const near = () => Math.max(1, Math.round((net * n.whole(50, 250)) / 100))
  return n.maybe(() => {
    const [min, max, fixed] = [n.maybe(near), n.maybe(near), n.oneOf(undefined, undefined, undefined, near())]
    return {
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(fixed !== undefined && { fixed }),
    }
  })
}

test('none of 700,000 prices is below net, outside its bounds, fractional, or lower for a higher net price', () => {
  const n = numbers(7)
  const wrong: unknown[] = []
  for (let run = 0; run < 700_000; run += 1) {
    const [net, markup] = [createAmount(n), createMarkup(n)]
    const bounds = createBounds(n, net)
    const sum = sellingSum(net, markup, bounds)
    const { selling } = sum
    const { min = 0, max = Infinity, fixed } = bounds ?? {}
    const [floor, cap] = [Math.max(min, fixed ?? 0), Math.min(max, fixed ?? Infinity)]
    const dearer = sellingSum(net + n.oneOf(1, 7, 1_000), markup, bounds).selling
    const parts = sum.net + sum.exchange + sum.percent + sum.perNight + sum.perStay + sum.rounding + sum.bounds
    const isRight =
      Number.isSafeInteger(selling) &&
      selling >= net &&
      (selling <= cap || selling === net) &&
      (selling >= floor || selling === Math.max(net, cap)) &&
      dearer >= selling &&
      parts === selling
    if (!isRight) wrong.push({ net, markup, bounds, sum, dearer })
  }
  expect(wrong.slice(0, 3)).toEqual([])
})

const money = (minor: number): Money => ({ minor, currency: 'EUR' })

function createPrice(n: Numbers): Price {
  const [base, taxes, due] = [createAmount(n), n.oneOf(0, n.whole(0, 5_000)), n.oneOf(0, n.whole(0, 5_000))]
  const [first, second] = [Math.floor(taxes / 3), Math.floor(taxes / 5)]
  return {
    total: money(base + taxes + due),
    base: money(base),
    taxesFees: money(taxes + due),
    fees: [
      { label: 'VAT', amount: money(first), paidAt: 'booking' },
      { label: 'City tax', amount: money(due), paidAt: 'property' },
      { label: 'Service', amount: money(second), paidAt: 'booking' },
      { label: 'Other', amount: money(taxes - first - second), paidAt: 'booking' },
    ],
    dueAtProperty: money(due),
    publicTotal: money(base + taxes + due + n.oneOf(0, n.whole(0, 9_999))),
  }
}

test('the parts of 300,000 prices add up, fees keep their share, and the amount due at the property is unchanged', () => {
  const n = numbers(11)
  const wrong: unknown[] = []
  for (let run = 0; run < 300_000; run += 1) {
    const net = createPrice(n)
    const total = sellingSum(net.total.minor, createMarkup(n), undefined).selling
    const sold = soldPrice(net, total, total)
    const sum = sold.fees.reduce((minor, { amount }) => minor + amount.minor, 0)
    const fee = n.whole(0, net.total.minor)
    const [lower, higher] = [soldAmount(net, sold, money(fee)), soldAmount(net, sold, money(fee + 1))]
    const everything = soldAmount(net, sold, money(net.total.minor - net.dueAtProperty.minor))
    const isRight =
      sold.base.minor + sold.taxesFees.minor === total &&
      sold.taxesFees.minor === sum &&
      sold.base.minor >= 0 &&
      sold.fees[1] === net.fees[1] &&
      sold.fees.every(({ amount }, place) => amount.minor >= (net.fees[place]?.amount.minor ?? 0)) &&
      sold.dueAtProperty === net.dueAtProperty &&
      lower.minor >= fee &&
      higher.minor >= lower.minor &&
      lower.minor <= total &&
      everything.minor === total - net.dueAtProperty.minor
    if (!isRight) wrong.push({ net, total, sold, fee, lower, higher, everything })
  }
  expect(wrong.slice(0, 3)).toEqual([])
})

test('conflicting bounds apply in the order net price, maximum, minimum', () => {
  const selling = (net: number, limits: MinorBounds) => sellingSum(net, undefined, limits).selling
  expect(selling(100, { max: 90 })).toBe(100)
  expect(selling(100, { min: 130, max: 120 })).toBe(120)
  expect(selling(100, { fixed: 150, min: 160 })).toBe(150)
  expect(selling(100, { fixed: 90 })).toBe(100)
})

test('an amount per night applies to each room and night, in the currency of the sale', () => {
  const terms = { version: 1, priority: 1, perNight: { minor: 1_000, currency: 'USD' }, perStay: money(500) }
  const markup = convertMarkup(terms, { currency: 'EUR', roomNights: 6, isConverted: false }, RATES)
  const night = Math.round(1_000 / 1.0837)
  expect(sellingSum(10_000, markup, undefined)).toMatchObject({ perNight: 6 * night, perStay: 500 })
})

test('an amount in a currency without a rate gives no price', () => {
  const terms = { version: 1, priority: 1, perStay: { minor: 1_000, currency: 'XPF' } }
  expect(convertMarkup(terms, { currency: 'EUR', roomNights: 1, isConverted: false }, RATES)).toBeUndefined()
})

const STAY = { checkIn: '2027-03-01', checkOut: '2027-03-03', occupancies: [{ adults: 2, childrenAges: [] }] }
const NET: Price = {
  total: money(20_000),
  base: money(18_000),
  taxesFees: money(2_000),
  fees: [{ label: 'City tax', amount: money(1_000), paidAt: 'property' }],
  dueAtProperty: money(1_000),
  publicTotal: money(20_000),
}

test('an offer is sold in the requested currency, with a margin if the vendor is paid in another one', () => {
  const frame = { stay: STAY, currency: 'USD', rates: RATES }
  const sale = makeSale({ price: NET, cancel: undefined }, { version: 0, exchangePercent: 2 }, frame)
  if (sale === undefined || sale === 'unpriced') throw new Error('The sale is missing.')
  const net = Math.round(20_000 * 1.0837)
  expect(sale.net).toEqual({ minor: net, currency: 'USD' })
  expect(sale.price.total).toEqual({ minor: net + Math.round(net * 0.02), currency: 'USD' })
})

test('without a rule, margin or bound an offer is sold unchanged', () => {
  const frame = { stay: STAY, currency: 'USD', rates: RATES }
  expect(makeSale({ price: NET, cancel: undefined }, { version: 3 }, frame)).toBeUndefined()
  const bounded = makeSale({ price: NET, cancel: undefined, bounds: { min: money(21_000) } }, { version: 3 }, frame)
  expect(bounded).toMatchObject({ price: { total: { minor: Math.round(21_000 * 1.0837), currency: 'USD' } } })
})

test('cancellation fees grow in proportion, and free cancellation ends earlier by the buffer', () => {
  const cancel = {
    refundable: true,
    penalties: [
      { from: '2027-02-20T18:00:00+01:00', until: '2027-02-26T18:00:00+01:00', amount: money(9_500) },
      { from: '2027-02-26T18:00:00+01:00', amount: money(19_000) },
    ],
  }
  const terms = { version: 1, priority: 1, percent: 10, cancelBufferHours: 30 }
  const sale = makeSale({ price: NET, cancel }, terms, { stay: STAY, currency: 'EUR', rates: RATES })
  if (sale === undefined || sale === 'unpriced') throw new Error('The sale is missing.')
  expect(sale.price.total).toEqual(money(22_000))
  expect(sale.cancel?.penalties).toEqual([
    { from: '2027-02-19T12:00:00+01:00', until: '2027-02-26T18:00:00+01:00', amount: money(10_500) },
    { from: '2027-02-26T18:00:00+01:00', amount: money(21_000) },
  ])
})

test('terms without a free period or without fees have no deadline to move', () => {
  const terms = { refundable: true, penalties: [] }
  expect(withBuffer(terms, 24)).toBe(terms)
  expect(hoursEarlier('2027-03-01T02:00:00-08:00', 3)).toBe('2027-02-28T23:00:00-08:00')
  expect(hoursEarlier('2027-03-01T02:00:00.000Z', 3)).toBe('2027-02-28T23:00:00Z')
  expect(hoursEarlier('soon', 3)).toBe('soon')
})
