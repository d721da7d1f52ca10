import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fee, Room } from '../../../web/src/api/shapes.ts'
import {
  type Charge,
  chargeOf,
  classifyLoss,
  dueNow,
  exactTerms,
  listFeeParts,
  priceBeforeTaxes,
  refundAfter,
} from '../../../web/src/offer/charge.ts'

const fee = (label: string, amount: number, paid_at: Fee['paid_at']): Fee => ({
  label,
  label_code: null,
  amount,
  currency: 'EUR',
  paid_at,
})

test('the amounts due now and at the property add up exactly to the total', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.nat(10_000_000), fc.constantFrom(1, 100, 1000), (now, later, unit) => {
      const [dueAtProperty, total] = [later / unit, (now + later) / unit]
      const charge: Charge = { currency: 'EUR', total, taxesFees: dueAtProperty, dueAtProperty, fees: [] }
      expect(Math.round(dueNow(charge) * unit)).toBe(now)
      expect(dueNow(charge)).toBe(now / unit)
      expect(priceBeforeTaxes(charge)).toBe(now / unit)
    }),
  )
})

test('a converted room is charged in the vendor’s amounts, with cancellation fees in the same currency', () => {
  const penalties = [{ from: '2027-01-01T00:00:00+00:00', until: null, amount: 50, currency: 'EUR' }]
  const own = { currency: 'EUR', total: 434.94, taxes_fees: 30.8, due_at_property: 10.8, fees: [], penalties }
  const room = {
    currency: 'GBP',
    total_inclusive: 376.12,
    taxes_fees: 26.6,
    due_at_property: 9.34,
    fees: [fee('City tax', 9.34, 'property')],
    cancel_policy: { cancelation: 'free', penalties: [{ ...penalties[0], amount: 43.2, currency: 'GBP' }] },
    converted_from: own,
  } as unknown as Room
  expect(chargeOf(room)).toEqual({ currency: 'EUR', total: 434.94, taxesFees: 30.8, dueAtProperty: 10.8, fees: [] })
  expect(dueNow(chargeOf(room))).toBe(424.14)
  expect(exactTerms(room).penalties).toEqual(penalties)
  expect(chargeOf({ ...room, converted_from: null })).toMatchObject({ currency: 'GBP', total: 376.12 })
})

test('taxes and fees are itemised only if there is more than one part', () => {
  const whole = { currency: 'EUR', total: 100, taxesFees: 12, dueAtProperty: 0 }
  expect(listFeeParts({ ...whole, fees: [fee('Taxes and fees', 12, 'booking')] })).toEqual([])
  const parts = [fee('Taxes and fees', 9, 'booking'), fee('City tax', 3, 'property')]
  expect(listFeeParts({ ...whole, fees: parts })).toEqual(parts)
  expect(listFeeParts({ ...whole, fees: [fee('City tax', 12, 'property')] })).toHaveLength(1)
})

test('a cancellation fee equal to the amount due now leaves no refund, even if more is due at the property', () => {
  const charge: Charge = { currency: 'EUR', total: 451.83, taxesFees: 35.76, dueAtProperty: 10.8, fees: [] }
  expect(classifyLoss(0, dueNow(charge))).toBe('none')
  expect(classifyLoss(220.5, dueNow(charge))).toBe('part')
  expect(classifyLoss(441.03, dueNow(charge))).toBe('all')
})

test('fee and refund add up to the amount charged when booking, and no refund is negative', () => {
  expect(refundAfter(258.91, 517.8)).toBe(258.89)
  expect(refundAfter(0, 517.8)).toBe(517.8)
  expect(refundAfter(520, 517.8)).toBe(0)
})
