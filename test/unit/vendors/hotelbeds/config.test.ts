import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { canBook, validateConfig } from '../../../../src/vendors/hotelbeds/config.ts'
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
    excludePackages: true,
    propertiesPerCall: 250,
    commentLookups: true,
    contentPageSize: 500,
  })
  expect(Object.keys(readOrigins(config))).toEqual(['booking', 'content'])
  expect(await loadTls(config)).toBeUndefined()
})

test('an origin with a path is invalid', () => {
  expect(Value.Check(HotelbedsConfig, { apiKey: 'k', secret: 's', bookingOrigin: 'https://x/hotel-api' })).toBe(false)
})

const base = Value.Parse(HotelbedsConfig, Value.Default(HotelbedsConfig, { apiKey: 'k', secret: 's' }))

test.each(['https://api-mtls.test.hotelbeds.com', 'https://api-mtls.hotelbeds.com'])(
  '%s is accepted with a client certificate only',
  (bookingOrigin) => {
    expect(validateConfig({ ...base, bookingOrigin })).toContain('SERAI_HOTELBEDS_CERTIFICATE_PATH')
    expect(validateConfig({ ...base, bookingOrigin, certificatePath: 'c.pem' })).toBeUndefined()
  },
)

test('bookings are possible at the vendor only with its host for mutual TLS', () => {
  const certificatePath = 'c.pem'
  expect(canBook(base)).toBe(false)
  expect(canBook({ ...base, certificatePath })).toBe(false)
  expect(canBook({ ...base, certificatePath, bookingOrigin: 'https://api-mtls.hotelbeds.com' })).toBe(true)
  expect(canBook({ ...base, bookingOrigin: 'http://127.0.0.1:1' })).toBe(true)
})
