import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertPrice } from '../../../src/domain/money/convert-price.ts'
import { minorDigits } from '../../../src/domain/money/currency.ts'
import type { Fee, Price } from '../../../src/domain/offer.ts'
import { RATES } from './arbitrary-searches.ts'

const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD')

/** A price as adapters create it: the fees add up to the taxes, and those paid there to the amount due. */
const price: fc.Arbitrary<Price> = currency.chain((code) => {
  const money = (minor: number) => ({ minor, currency: code })
  return fc
    .record({
      base: fc.integer({ min: 1, max: 2_000_000 }),
      fees: fc.array(
        fc.record({
          label: fc.constant('Tax'),
          amount: fc.integer({ min: 1, max: 50_000 }).map(money),
          paidAt: fc.constantFrom('booking' as const, 'property' as const),
        }),
        { maxLength: 4 },
      ),
      discount: fc.integer({ min: 0, max: 10_000 }),
    })
    .map(({ base, fees, discount }): Price => {
      const sum = (some: readonly Fee[]) => some.reduce((total, { amount }) => total + amount.minor, 0)
      const total = base + sum(fees)
      return {
        base: money(base),
        fees,
        total: money(total),
        taxesFees: money(sum(fees)),
        dueAtProperty: money(sum(fees.filter(({ paidAt }) => paidAt === 'property'))),
        publicTotal: money(total + discount),
      }
    })
})

describe('a price in another currency', () => {
  test('a converted price still adds up to the last unit', () => {
    fc.assert(
      fc.property(price, currency, (given, to) => {
        const converted = convertPrice(given, to, RATES)
        if (converted === undefined) throw new Error('The rate is missing.')
        const sum = (some: readonly Fee[]) => some.reduce((total, { amount }) => total + amount.minor, 0)
        expect(converted.base.minor + converted.taxesFees.minor).toBe(converted.total.minor)
        expect(sum(converted.fees)).toBe(converted.taxesFees.minor)
        expect(sum(converted.fees.filter(({ paidAt }) => paidAt === 'property'))).toBe(converted.dueAtProperty.minor)
        expect(converted.publicTotal.minor).toBeGreaterThanOrEqual(converted.total.minor)
        for (const part of [converted.total, converted.base, converted.taxesFees, converted.dueAtProperty])
          expect([part.currency, Number.isSafeInteger(part.minor)]).toEqual([to, true])
      }),
    )
  })

  test('the converted total is rounded once', () => {
    fc.assert(
      fc.property(price, currency, (given, to) => {
        const from = given.total.currency
        const scale = 10 ** ((minorDigits(to) ?? 2) - (minorDigits(from) ?? 2))
        const exact = (given.total.minor / (RATES.rates[from] ?? 1)) * (RATES.rates[to] ?? 1) * scale
        expect(Math.abs((convertPrice(given, to, RATES)?.total.minor ?? Number.NaN) - exact)).toBeLessThanOrEqual(
          0.5 + 1e-6,
        )
      }),
    )
  })

  test('fees that are only a part of the taxes remain a part', () => {
    const eur = (minor: number) => ({ minor, currency: 'EUR' })
    const some: Price = {
      total: eur(12_000),
      base: eur(10_000),
      taxesFees: eur(2_000),
      fees: [{ label: 'City tax', amount: eur(500), paidAt: 'property' }],
      dueAtProperty: eur(500),
      publicTotal: eur(12_000),
    }
    const converted = convertPrice(some, 'USD', RATES)
    expect(converted).toMatchObject({ taxesFees: { minor: 2_167 }, dueAtProperty: { minor: 542 } })
  })

  test('a fee that the property charges in the requested currency is not converted', () => {
    const dollars = (minor: number) => ({ minor, currency: 'USD' })
    const local = { minor: 1_001, currency: 'JPY' }
    const fee = { label: 'City tax', amount: dollars(672), paidAt: 'property' as const, local }
    const given: Price = {
      ...{ total: dollars(10_672), base: dollars(10_000), taxesFees: dollars(672) },
      ...{ dueAtProperty: dollars(672), publicTotal: dollars(10_672), fees: [fee] },
    }
    const converted = convertPrice(given, 'JPY', RATES)
    expect(converted?.fees).toEqual([{ label: 'City tax', amount: local, paidAt: 'property' }])
    expect(converted?.dueAtProperty).toEqual(local)
    expect(convertPrice(given, 'EUR', RATES)?.fees).toMatchObject([{ amount: { minor: 620, currency: 'EUR' }, local }])
  })

  test('a price in a currency without a rate is undefined', () => {
    const xaf = { minor: 1, currency: 'XAF' }
    const given = { total: xaf, base: xaf, taxesFees: xaf, fees: [], dueAtProperty: xaf, publicTotal: xaf }
    expect(convertPrice(given, 'EUR', RATES)).toBeUndefined()
  })
})
