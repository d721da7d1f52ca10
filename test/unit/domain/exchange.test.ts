import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertMoney } from '../../../src/domain/money/exchange.ts'

const RATES = { date: '2027-01-01', rates: { EUR: 1, USD: 1.0873, JPY: 163.21, KWD: 0.3341, XYZ: 2 } }

test.each([
  [{ minor: 10_000, currency: 'EUR' }, 'USD', 10_873],
  [{ minor: 10_873, currency: 'USD' }, 'EUR', 10_000],
  [{ minor: 10_000, currency: 'EUR' }, 'JPY', 16_321],
  [{ minor: 16_321, currency: 'JPY' }, 'EUR', 10_000],
  [{ minor: 10_000, currency: 'EUR' }, 'KWD', 33_410],
  [{ minor: 0, currency: 'EUR' }, 'JPY', 0],
])('%o in %s is %i minor units', (money, currency, minor) => {
  expect(convertMoney(money, currency, RATES)).toEqual({ minor, currency })
})

test('a missing rate or an unknown currency gives no result', () => {
  expect(convertMoney({ minor: 1, currency: 'EUR' }, 'GBP', RATES)).toBeUndefined()
  expect(convertMoney({ minor: 1, currency: 'GBP' }, 'EUR', RATES)).toBeUndefined()
  expect(convertMoney({ minor: 1, currency: 'EUR' }, 'XYZ', RATES)).toBeUndefined()
})

test('money in its own currency is unchanged, even without a rate', () => {
  expect(convertMoney({ minor: 7, currency: 'GBP' }, 'GBP', RATES)).toEqual({ minor: 7, currency: 'GBP' })
})

test('converting there and back loses at most the rounding, and the order of amounts is kept', () => {
  const minors = fc.integer({ min: 0, max: 10 ** 9 })
  fc.assert(
    fc.property(minors, minors, (a, b) => {
      const there = (minor: number) => convertMoney({ minor, currency: 'EUR' }, 'USD', RATES)
      const back = convertMoney(there(a) ?? { minor: 0, currency: 'USD' }, 'EUR', RATES)
      expect(Math.abs((back?.minor ?? 0) - a)).toBeLessThanOrEqual(1)
      if (a <= b) expect(there(a)?.minor).toBeLessThanOrEqual(there(b)?.minor ?? 0)
    }),
    { numRuns: 500 },
  )
})
