import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/lib/time/clock.ts'
import { readEnvironment } from '../../../../src/vendors/liteapi/config.ts'
import { createVendors } from '../../../../src/vendors/registry.ts'
import { config } from './scripted.ts'

const ENVIRONMENT = { SERAI_LITEAPI_API_KEY: 'sand_key', SERAI_LITEAPI_BUSINESS_PHONE: '+31201234567' }
const connect = async (more: Record<string, string>) => {
  const set = await createVendors({ ...ENVIRONMENT, ...more }, { clock: systemClock })
  await set.close()
  return set.vendors.map(({ id }) => id)
}

test('LiteAPI connects with a key and a telephone number', async () => {
  expect(await connect({})).toEqual(['liteapi'])
})

test('a sandbox key with bookings on credit is rejected at start, because they would be real', async () => {
  await expect(connect({ SERAI_LITEAPI_PAYMENT: 'CREDIT' })).rejects.toThrow(
    'SERAI_LITEAPI_PAYMENT must be ACC_CREDIT_CARD or WALLET',
  )
  expect(await connect({ SERAI_LITEAPI_PAYMENT: 'CREDIT', SERAI_LITEAPI_API_KEY: 'prod_key' })).toEqual(['liteapi'])
})

test('a card payment and a margin of zero are rejected', async () => {
  await expect(connect({ SERAI_LITEAPI_PAYMENT: 'TRANSACTION_ID' })).rejects.toThrow(
    'one of ACC_CREDIT_CARD, WALLET, CREDIT',
  )
  await expect(connect({ SERAI_LITEAPI_MARGIN_PERCENT: '0' })).rejects.toThrow('from 1 to 100')
})

test.each([
  ['sand_1', undefined, 'sandbox'],
  ['prod_1', undefined, 'live'],
  ['another', undefined, 'live'],
  ['another', 'sandbox', 'sandbox'],
] as const)('the key %s with the environment setting %s selects %s', (apiKey, environment, is) => {
  expect(readEnvironment({ ...config, apiKey, ...(environment && { environment }) })).toBe(is)
})
