import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { convertSummary } from '../../../web/src/search/convert-summary.ts'

const RATES = { EUR: 1, GBP: 0.86, JPY: 160.5 }
const property = {
  total_price: 100,
  public_price: 110.5,
  currency: 'EUR',
  converted: false,
  free_cancellation: { total_price: 120, until: null },
} as unknown as Summary

test('all amounts of a card are converted and rounded to the currency, and the card says so', () => {
  expect(convertSummary(property, 'GBP', RATES)).toEqual({
    total_price: 86,
    public_price: 95.03,
    currency: 'GBP',
    converted: true,
    free_cancellation: { total_price: 103.2, until: null },
  })
  expect(convertSummary(property, 'JPY', RATES)).toMatchObject({ total_price: 16_050, public_price: 17_735 })
})

test('a card in the same currency stays as it is, and without a rate nothing is converted', () => {
  expect(convertSummary(property, 'EUR', RATES)).toBe(property)
  expect(convertSummary(property, 'XTS', RATES)).toBeUndefined()
})
