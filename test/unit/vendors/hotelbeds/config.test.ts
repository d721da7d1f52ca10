import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { HotelbedsConfig, loadTls, readOrigins } from '../../../../src/vendors/hotelbeds/index.ts'

test('the test environment needs only key and secret', async () => {
  const config = Value.Parse(HotelbedsConfig, Value.Default(HotelbedsConfig, { apiKey: 'k', secret: 's' }))
  expect(config).toEqual({
    apiKey: 'k',
    secret: 's',
    bookingOrigin: 'https://api.test.hotelbeds.com',
    contentOrigin: 'https://api.test.hotelbeds.com',
    photoBase: 'https://photos.hotelbeds.com/giata/',
    pricing: 'net',
    commentLookups: true,
    contentPageSize: 500,
  })
  expect(Object.keys(readOrigins(config))).toEqual(['booking', 'content'])
  expect(await loadTls(config)).toBeUndefined()
})

test('an origin with a path is invalid', () => {
  expect(Value.Check(HotelbedsConfig, { apiKey: 'k', secret: 's', bookingOrigin: 'https://x/hotel-api' })).toBe(false)
})
