import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES } from '../../../../src/domain/money/currency.ts'
import { fromStripeUnits, toStripeUnits } from '../../../../src/payments/providers/stripe/amounts.ts'

const stripeAmount = (minor: number, currency: string) => toStripeUnits({ minor, currency })?.amount

describe('currencies that Stripe counts in other units than we do', () => {
  test('ISK has no decimals for us and two zeros for Stripe', () => {
    expect(toStripeUnits({ minor: 25_000, currency: 'ISK' })).toEqual({ amount: 2_500_000, currency: 'isk' })
    expect(fromStripeUnits(2_500_000, 'isk')).toEqual({ minor: 25_000, currency: 'ISK' })
    expect(fromStripeUnits(2_500_050, 'isk')).toBeUndefined()
  })

  test('UGX has no decimals for us and two zeros for Stripe', () => {
    expect(toStripeUnits({ minor: 900_000, currency: 'UGX' })).toEqual({ amount: 90_000_000, currency: 'ugx' })
    expect(fromStripeUnits(90_000_000, 'ugx')).toEqual({ minor: 900_000, currency: 'UGX' })
    expect(fromStripeUnits(90_000_001, 'ugx')).toBeUndefined()
  })

  test('MGA has two decimals for us and none for Stripe, so only whole ariary can be charged', () => {
    expect(toStripeUnits({ minor: 12_345_600, currency: 'MGA' })).toEqual({ amount: 123_456, currency: 'mga' })
    expect(fromStripeUnits(123_456, 'mga')).toEqual({ minor: 12_345_600, currency: 'MGA' })
    expect(stripeAmount(12_345_650, 'MGA')).toBeUndefined()
  })

  test.each(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])('%s has three decimals, and the last one must be zero', (currency) => {
    expect(stripeAmount(12_340, currency)).toBe(12_340)
    expect(stripeAmount(12_345, currency)).toBeUndefined()
    expect(fromStripeUnits(12_340, currency.toLowerCase())).toEqual({ minor: 12_340, currency })
  })

  test.each(['IQD', 'LYD'])('%s is refused, because Stripe may count it with two decimals', (currency) => {
    expect(stripeAmount(12_000, currency)).toBeUndefined()
    expect(fromStripeUnits(12_000, currency.toLowerCase())).toBeUndefined()
  })

  test('JPY, HUF and EUR are the same for both', () => {
    expect(stripeAmount(4_250, 'JPY')).toBe(4_250)
    expect(stripeAmount(425_055, 'HUF')).toBe(425_055)
    expect(stripeAmount(22_990, 'EUR')).toBe(22_990)
  })
})

test.each([0, -100, 10.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])('%s minor units cannot be charged', (minor) => {
  expect(stripeAmount(minor, 'EUR')).toBeUndefined()
})

test('an amount whose conversion is not a safe integer is refused', () => {
  expect(stripeAmount(Number.MAX_SAFE_INTEGER - 1, 'ISK')).toBeUndefined()
})

test('an unknown currency is refused', () => {
  expect(stripeAmount(100, 'XXX')).toBeUndefined()
  expect(fromStripeUnits(100, 'xxx')).toBeUndefined()
})

test('every amount that is accepted comes back unchanged, in every currency', () => {
  const amounts = fc.record({
    minor: fc.integer({ min: 1, max: 1_000_000_000 }),
    currency: fc.constantFrom(...CURRENCIES),
  })
  fc.assert(
    fc.property(amounts, (money) => {
      const units = toStripeUnits(money)
      expect(units && fromStripeUnits(units.amount, units.currency)).toEqual(units && money)
    }),
  )
})
