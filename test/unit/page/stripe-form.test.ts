import { expect, test } from 'vitest'
import { toMajor } from '../../../src/domain/money/money.ts'
import { toStripeAmount } from '../../../src/payments/providers/stripe/amounts.ts'
import { readError, toFormAmount } from '../../../web/src/payment/stripe-form.ts'

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

test('the form and the service charge the same amount in every currency that the service accepts', () => {
  const currencies = ['EUR', 'JPY', 'ISK', 'UGX', 'MGA', 'KWD', 'BHD', 'HUF', 'CLP', 'USD']
  for (const currency of currencies) {
    const money = { minor: 120_000, currency }
    expect(toFormAmount({ amount: toMajor(money), currency }), currency).toEqual(toStripeAmount(money))
  }
})
