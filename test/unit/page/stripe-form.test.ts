import { expect, test } from 'vitest'
import { readError, toElementsAmount } from '../../../web/src/payment/stripe-form.ts'

const error = (more: object) => readError({ message: 'x', ...more } as Parameters<typeof readError>[0])

test('only an error of the card proves that nothing is reserved', () => {
  expect(error({ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' })).toEqual({
    kind: 'declined',
    code: 'insufficient_funds',
  })
  expect(error({ type: 'invalid_request_error', code: 'payment_intent_authentication_failure' })).toEqual({
    kind: 'declined',
    code: 'payment_intent_authentication_failure',
  })
  for (const type of ['api_connection_error', 'api_error', 'rate_limit_error', 'invalid_request_error'])
    expect(error({ type })).toEqual({ kind: 'unknown' })
})

test('an error about a payment that is already authorised counts as authorised', () => {
  const payment_intent = { status: 'requires_capture' }
  expect(error({ type: 'invalid_request_error', payment_intent })).toEqual({ kind: 'authorised' })
})

test.each([
  ['EUR', 229.9, 22_990],
  ['JPY', 12_000, 12_000],
  ['ISK', 5_000, 500_000],
  ['UGX', 5_000, 500_000],
  ['MGA', 5_000, 5_000],
  ['KWD', 1.23, 1_230],
])('the amount in %s is in the minor units of Stripe', (currency, amount, minor) => {
  expect(toElementsAmount({ amount, currency })).toEqual({ amount: minor, currency: currency.toLowerCase() })
})
