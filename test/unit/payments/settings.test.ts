import { expect, test } from 'vitest'
import { findMixedModes, type PaymentSettings, readPaymentSettings } from '../../../src/payments/settings.ts'

const keys = (mode: 'test' | 'live', more: Partial<PaymentSettings['stripe']> = {}): PaymentSettings => ({
  provider: 'stripe',
  stripe: { secretKey: `sk_${mode}_1`, publishableKey: `pk_${mode}_1`, webhookSecrets: ['whsec_1'], ...more },
})
const vendor = (environment: 'sandbox' | 'test' | 'live') => ({ id: 'vendor_a', environment })

test('payments are off unless a provider is chosen', () => {
  expect(readPaymentSettings({})).toBeUndefined()
  expect(readPaymentSettings({ SERAI_PAYMENTS: 'off' })).toBe('off')
})

test('keys of different modes are refused, and no value is repeated', () => {
  const settings = readPaymentSettings({
    SERAI_PAYMENTS: 'stripe',
    SERAI_STRIPE_SECRET_KEY: 'sk_live_canary',
    SERAI_STRIPE_PUBLISHABLE_KEY: 'pk_test_canary',
    SERAI_STRIPE_WEBHOOK_SECRETS: 'whsec_1, whsec_2',
  })
  expect(settings).toMatchObject({ error: expect.stringContaining('is a live key') })
  expect(JSON.stringify(settings)).not.toContain('canary')
})

test.each([
  ['a test key with a live vendor', keys('test'), 'production', vendor('live'), 'given away'],
  ['a live key with a test vendor', keys('live'), 'production', vendor('test'), 'do not exist'],
  ['a live key with the sandbox', keys('live'), 'production', vendor('sandbox'), 'do not exist'],
  ['a live key in development', keys('live'), 'development', vendor('live'), 'outside production'],
  [
    'no webhook secret in production',
    keys('live', { webhookSecrets: [] }),
    'production',
    vendor('live'),
    'WEBHOOK_SECRETS',
  ],
  ['a stand-in in production', keys('test', { origin: 'http://127.0.0.1:1' }), 'production', vendor('test'), 'ORIGIN'],
] as const)('%s stops the start', (_name, settings, mode, connected, expected) => {
  expect(findMixedModes(settings, mode, [connected])).toContain(expected)
})

test.each([
  ['live', 'production', 'live'],
  ['test', 'production', 'test'],
  ['test', 'development', 'sandbox'],
] as const)('a %s key in %s with a %s vendor starts', (key, mode, environment) => {
  expect(findMixedModes(keys(key), mode, [vendor(environment)])).toBeUndefined()
})
