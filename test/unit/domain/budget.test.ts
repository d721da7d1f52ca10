import fc from 'fast-check'
import { expect, test } from 'vitest'
import { periodBounds, renewsAt, spentAfterCancelling } from '../../../src/domain/money/budget.ts'
import { euro } from '../../support/booking/an-offer.ts'

const endOfYear = Date.parse('2027-12-31T23:59:59.999Z')

test('a period is a calendar day or month in UTC', () => {
  expect(periodBounds('day', endOfYear)).toEqual({ from: '2027-12-31', to: '2027-12-31' })
  expect(periodBounds('month', endOfYear)).toEqual({ from: '2027-12-01', to: '2027-12-31' })
  expect(periodBounds('day', endOfYear + 1)).toEqual({ from: '2028-01-01', to: '2028-01-01' })
})

test('a budget renews when the next period begins', () => {
  expect(new Date(renewsAt('day', endOfYear)).toISOString()).toBe('2028-01-01T00:00:00.000Z')
  expect(new Date(renewsAt('month', endOfYear)).toISOString()).toBe('2028-01-01T00:00:00.000Z')
  expect(new Date(renewsAt('month', Date.parse('2028-02-01T00:00:00Z'))).toISOString()).toBe('2028-03-01T00:00:00.000Z')
})

test('the kept amount is between zero and the spent amount, and at least the share of the fee', () => {
  const amounts = fc.integer({ min: 1, max: 10_000_000_000 })
  fc.assert(
    fc.property(amounts, amounts, fc.nat(10_000_000_000), (spent, total, fee) => {
      const kept = spentAfterCancelling(spent, euro(fee), euro(total))
      expect(kept).toBeGreaterThanOrEqual(0)
      expect(kept).toBeLessThanOrEqual(spent)
      if (fee <= total) expect(BigInt(kept) * BigInt(total)).toBeGreaterThanOrEqual(BigInt(spent) * BigInt(fee))
    }),
  )
  expect(spentAfterCancelling(500, undefined, euro(500))).toBe(0)
  expect(spentAfterCancelling(500, euro(500), euro(500))).toBe(500)
})
