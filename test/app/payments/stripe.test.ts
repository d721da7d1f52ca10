import { expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import { SANDBOX_KEYS } from '../../../sandbox/stripe/api.ts'
import { readConfig } from '../../../src/config.ts'
import { testApp } from '../../support/app/app.ts'
import { aPlace } from '../../support/sandbox/places.ts'

test('the sandbox brings a stand-in of the provider, and the page gets its form', async () => {
  const sandbox = await startSandbox({ places: [aPlace('Nice')], pictureBase: 'http://127.0.0.1:1/pictures' })
  const { environment, payments } = sandbox
  const app = await testApp({}, { vendorEnvironment: Promise.resolve({ ...environment, ...payments.environment }) })
  try {
    const page = await app.call({ url: '/page-config.json' })
    expect(page.json().payments).toEqual({
      provider: 'stripe',
      publishable_key: SANDBOX_KEYS.publishable,
      form: `${payments.origin}/form`,
    })
    const policy = String((await app.call({ url: '/' })).headers['content-security-policy'])
    expect(policy).toContain(`frame-src ${payments.origin}`)
    expect(policy).not.toContain('stripe.com')
  } finally {
    await app.close()
    await sandbox.close()
  }
})

test('a test key with a live vendor stops the start', async () => {
  const { payments } = readConfig({
    NODE_ENV: 'test',
    SERAI_PAYMENTS: 'stripe',
    SERAI_STRIPE_SECRET_KEY: 'sk_test_1',
    SERAI_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  })
  const live = {
    SERAI_LITEAPI_ENVIRONMENT: 'live',
    SERAI_LITEAPI_API_KEY: 'k',
    SERAI_LITEAPI_BUSINESS_PHONE: '+4930000000',
  }
  await expect(testApp({ payments }, { vendorEnvironment: Promise.resolve(live) })).rejects.toThrow('given away')
})

test('without a provider the page has no card form, and the operations answer 404', async () => {
  const app = await testApp()
  try {
    expect((await app.call({ url: '/page-config.json' })).json()).not.toHaveProperty('payments')
    const token = await app.signIn()
    for (const [method, url] of [
      ['POST', '/api/payments'],
      ['GET', '/api/payments/pay_1'],
      ['POST', '/api/payments/pay_1/release'],
      ['POST', '/api/payments/providers/stripe/notifications'],
    ] as const) {
      const answer = await app.as(token, { method, url, ...(method === 'POST' && { payload: {} }) })
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'payment_not_found'])
    }
  } finally {
    await app.close()
  }
})
