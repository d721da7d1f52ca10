import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CURRENCIES, minorDigits } from '../../../src/domain/money/currency.ts'
import {
  addMoney,
  parseMoney,
  sameMoney,
  scaleMoney,
  subtractMoney,
  toDecimal,
  toMajor,
} from '../../../src/domain/money/money.ts'

const currencies = fc.constantFrom(...CURRENCIES)
const amounts = fc.record({ minor: fc.integer({ min: -(10 ** 11), max: 10 ** 11 }), currency: currencies })

test.each([
  ['4250.00', 'JPY', 4250],
  ['4250', 'JPY', 4250],
  ['1.234', 'KWD', 1234],
  ['1.2', 'KWD', 1200],
  ['249.9', 'EUR', 24_990],
  [' 249.90 ', 'EUR', 24_990],
  [249.89999999999998, 'EUR', 24_990],
  [0.1 + 0.2, 'EUR', 30],
  [-5, 'EUR', -500],
  ['-0.00', 'EUR', 0],
  ['100.0000000000000000', 'EUR', 10_000],
  ['999999999999.999', 'KWD', 999_999_999_999_999],
])('%s %s is %i minor units', (text, currency, minor) => {
  expect(parseMoney(text, currency)).toEqual({ minor, currency })
})

test.each([
  ['4250.5', 'JPY'],
  ['1.234', 'EUR'],
  ['1,00', 'EUR'],
  ['1e3', 'EUR'],
  ['', 'EUR'],
  ['.5', 'EUR'],
  ['٣', 'EUR'],
  ['99999999999999999', 'EUR'],
  ['0.1000000000000000055', 'EUR'],
  [Number.NaN, 'EUR'],
  [Number.POSITIVE_INFINITY, 'EUR'],
  ['1.00', 'XXX'],
  ['1.00', 'eur'],
])('%s %s is refused rather than guessed', (text, currency) => {
  expect(parseMoney(text, currency)).toBeUndefined()
})

test('every amount is formatted and parsed without loss, in every currency', () => {
  fc.assert(
    fc.property(amounts, (money) => {
      expect(parseMoney(toDecimal(money), money.currency)).toEqual({ ...money, minor: money.minor + 0 })
      expect(parseMoney(toMajor(money), money.currency)).toEqual({ ...money, minor: money.minor + 0 })
      expect(String(toMajor(money)).split('.')[1]?.length ?? 0).toBeLessThanOrEqual(minorDigits(money.currency) ?? 0)
    }),
    { numRuns: 1_000 },
  )
})

test('sums are exact and never mix currencies', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: -(10 ** 11), max: 10 ** 11 }), (a, minor) => {
      const b = { minor, currency: a.currency }
      expect(sameMoney(subtractMoney(addMoney(a, b), b), a)).toBe(true)
    }),
  )
  expect(() => addMoney({ minor: 1, currency: 'EUR' }, { minor: 1, currency: 'USD' })).toThrow(/cannot mix/)
})

test('a share is off by less than one minor unit', () => {
  fc.assert(
    fc.property(amounts, fc.nat(100), fc.integer({ min: 1, max: 100 }), (money, part, whole) => {
      expect(Math.abs(scaleMoney(money, part, whole).minor - (money.minor * part) / whole)).toBeLessThanOrEqual(0.5001)
    }),
  )
})

test('a JSON number with the digits of its currency is parsed exactly', () => {
  for (let index = 0; index < 20_000; index += 1) {
    const minor = (index * 7_919_003) % 10 ** 12
    for (const [currency, digits] of [
      ['EUR', 2],
      ['JPY', 0],
      ['KWD', 3],
    ] as const) {
      const written = `${Math.trunc(minor / 10 ** digits)}.${String(minor % 10 ** digits).padStart(digits, '0')}`
      expect(parseMoney(JSON.parse(digits === 0 ? String(minor) : written), currency)).toEqual({ minor, currency })
    }
  }
})
