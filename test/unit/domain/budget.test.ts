import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptAfterCancelling, periodOf, renewsAt } from '../../../src/domain/money/budget.ts'
import { euro } from '../../support/booking/an-offer.ts'

const at = Date.parse('2027-12-31T23:59:59.999Z')

test('a period is a calendar day or month of UTC', () => {
  expect(periodOf('day', at)).toEqual({ from: '2027-12-31', to: '2027-12-31' })
  expect(periodOf('month', at)).toEqual({ from: '2027-12-01', to: '2027-12-31' })
  expect(periodOf('day', at + 1)).toEqual({ from: '2028-01-01', to: '2028-01-01' })
})

test('a budget is whole again when the next period begins', () => {
  expect(new Date(renewsAt('day', at)).toISOString()).toBe('2028-01-01T00:00:00.000Z')
  expect(new Date(renewsAt('month', at)).toISOString()).toBe('2028-01-01T00:00:00.000Z')
  expect(new Date(renewsAt('month', Date.parse('2028-02-01T00:00:00Z'))).toISOString()).toBe('2028-03-01T00:00:00.000Z')
})

test('what stays spent is between nothing and all of it, and never less than the fee’s share', () => {
  const amounts = fc.integer({ min: 1, max: 10_000_000_000 })
  fc.assert(
    fc.property(amounts, amounts, fc.nat(10_000_000_000), (spent, total, fee) => {
      const kept = keptAfterCancelling(spent, euro(fee), euro(total))
      expect(kept).toBeGreaterThanOrEqual(0)
      expect(kept).toBeLessThanOrEqual(spent)
      if (fee <= total) expect(BigInt(kept) * BigInt(total)).toBeGreaterThanOrEqual(BigInt(spent) * BigInt(fee))
    }),
  )
  expect(keptAfterCancelling(500, undefined, euro(500))).toBe(0)
  expect(keptAfterCancelling(500, euro(500), euro(500))).toBe(500)
})
