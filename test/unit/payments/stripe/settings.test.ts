import { expect, test } from 'vitest'
import {
  isLiveKey,
  type StripeSettings,
  validateStripeSettings,
} from '../../../../src/payments/providers/stripe/settings.ts'

const TEST: StripeSettings = {
  secretKey: 'rk_test_abc',
  publishableKey: 'pk_test_abc',
  webhookSecrets: ['whsec_abc'],
}
const LIVE: StripeSettings = { ...TEST, secretKey: 'sk_live_abc', publishableKey: 'pk_live_abc' }
const validate = (more: Partial<StripeSettings>, base = TEST) => validateStripeSettings({ ...base, ...more })

test('keys of one mode, one or two webhook secrets, or none, and a stand-in on this machine are valid', () => {
  expect(validate({})).toEqual([])
  expect(validate({}, LIVE)).toEqual([])
  expect(validate({ webhookSecrets: [] })).toEqual([])
  expect(validate({ webhookSecrets: ['whsec_a', 'whsec_b'] })).toEqual([])
  expect(validate({ origin: 'http://127.0.0.1:12111' })).toEqual([])
})

test('the mode is in the secret key', () => {
  expect(isLiveKey(TEST)).toBe(false)
  expect(isLiveKey(LIVE)).toBe(true)
})

test.each<[string, Partial<StripeSettings>, RegExp]>([
  ['a publishable key as secret key', { secretKey: 'pk_test_abc' }, /^SERAI_STRIPE_SECRET_KEY must be a secret key/],
  ['an empty secret key', { secretKey: '' }, /^SERAI_STRIPE_SECRET_KEY must be/],
  ['a secret key for browsers', { publishableKey: 'sk_test_abc' }, /^SERAI_STRIPE_PUBLISHABLE_KEY must be/],
  ['keys of two modes', { publishableKey: 'pk_live_abc' }, /is a test key and SERAI_STRIPE_PUBLISHABLE_KEY a live key/],
  ['an empty webhook secret', { webhookSecrets: [''] }, /^SERAI_STRIPE_WEBHOOK_SECRETS must be/],
  ['a key as webhook secret', { webhookSecrets: ['sk_test_abc'] }, /^SERAI_STRIPE_WEBHOOK_SECRETS must be/],
  ['three webhook secrets', { webhookSecrets: ['whsec_a', 'whsec_b', 'whsec_c'] }, /^SERAI_STRIPE_WEBHOOK_SECRETS/],
  ['an origin with a path', { origin: 'http://127.0.0.1:1/v1' }, /^SERAI_STRIPE_ORIGIN must be scheme/],
  ['an origin that is not here', { origin: 'https://stripe.example' }, /^SERAI_STRIPE_ORIGIN may only name a stand-in/],
])('%s is refused', (_name, more, message) => {
  expect(validate(more)).toEqual([expect.stringMatching(message)])
})

test('a live key is never sent to a stand-in', () => {
  expect(validate({ origin: 'http://127.0.0.1:12111' }, LIVE)).toEqual([
    'SERAI_STRIPE_ORIGIN cannot be used with a live key. Remove it, or use a test key.',
  ])
})

test('no message repeats a value', () => {
  const secrets = { secretKey: 'hidden-1', publishableKey: 'hidden-2', webhookSecrets: ['hidden-3'] }
  expect(validate(secrets).join(' ')).not.toContain('hidden')
})
