import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { encodeCancel, encodeDetail, encodePriceCheck } from '../../../../src/vendors/hotelbeds/encode.ts'
import { holdOffAfter, readFailure } from '../../../../src/vendors/hotelbeds/failure.ts'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import {
  applicationError as application,
  expiredKey,
  gatewayErrorBody,
  unknownBookingError,
} from '../../../support/vendors/hotelbeds.ts'
import { KEY, SECRET } from './scripted.ts'

const book: Call = {
  class: 'book',
  operation: 'book',
  method: 'POST',
  path: '/hotel-api/1.0/bookings',
  ifLost: 'unknown',
}
const read = encodeDetail('1-1')
const failed = (call: Call, status: number, body?: unknown, more = {}) =>
  readFailure(call, { status, headers: {}, body, ...more }, [SECRET, KEY])
const product = (reason: string) => application('PRODUCT_ERROR', `ProductException(BOOKING_CONFIRM, ${reason})`)

test.each([
  [401, gatewayErrorBody('Request signature verification failed'), 'credentials'],
  [403, gatewayErrorBody('Access to this API has been disallowed'), 'credentials'],
  [403, gatewayErrorBody('Quota exceeded'), 'throttled'],
  [400, application('INVALID_REQUEST', 'The request does not follow the document'), 'refused'],
  [400, application('INVALID_DATA', 'Invalid data. Destination search is not open to this account'), 'refused'],
  [400, expiredKey(), 'expired'],
  [404, unknownBookingError(), 'not_found'],
])('%i %j proves that nothing was done: %s', (status, body, fault) => {
  expect(failed(book, status, body)).toMatchObject({ fault, effect: 'none' })
})

test.each([
  ['Insufficient allotment', 'sold_out'],
  ['Price has increased', 'price_changed'],
  [
    'Price has changed: Unable to book as the price difference exceeds the allowed tolerance - Current tolerance: 2%',
    'price_changed',
  ],
  ['Stop sales', 'sold_out'],
  ['Release violated', 'sold_out'],
  ['Contract closed', 'sold_out'],
  ['Minimum stay violated', 'sold_out'],
  ['Not enough space for all passengers', 'refused'],
])('the product error "%s" on a booking is a refusal: %s', (reason, fault) => {
  expect(failed(book, 500, product(reason))).toMatchObject({ fault, effect: 'none' })
})

test('a configuration error proves that nothing was booked', () => {
  const body = application('CONFIGURATION_ERROR', 'The apikey is not associated with a valid client')
  expect(failed(book, 500, body)).toMatchObject({ fault: 'credentials', effect: 'none' })
})

test.each([
  [500, application('SYSTEM_ERROR', 'Internal server error')],
  [500, application('PRODUCT_ERROR', 'Booking confirmation error 123-456789')],
  [410, application('INVALID_DATA', 'error repeated: Booking confirmation error 123-456789')],
  [503, application('SERVICE_OVERLOAD', 'later')],
  [500, undefined],
  [502, undefined],
  [504, undefined],
  [400, undefined],
  [404, undefined],
  [409, undefined],
  [410, undefined],
  [500, { error: { code: 'constructor', message: 'x' } }],
  [500, { error: 'Internal error' }],
])('%i %o on a booking leaves the outcome unknown', (status, body) => {
  expect(failed(book, status, body)).toMatchObject({ fault: 'unavailable', effect: 'unknown' })
  expect(failed(read, status, body)?.effect).toBe('none')
})

test('a product error in a price check means sold out only if its message says so', () => {
  const check = encodePriceCheck(['a'])
  expect(failed(check, 500, product('Hotel not Available'))).toMatchObject({ fault: 'sold_out', effect: 'none' })
  for (const words of ['something new', 'Supplier response timed out']) {
    expect(failed(check, 500, product(words))).toMatchObject({ fault: 'unavailable', effect: 'none' })
  }
})

test('any product error on a booking means that it was not made', () => {
  expect(failed(book, 500, product('something new'))).toMatchObject({ fault: 'refused', effect: 'none' })
})

test('a repeated failure is classified by the first message', () => {
  expect(failed(book, 410, application('INVALID_DATA', 'error repeated: Insufficient allotment'))).toMatchObject({
    fault: 'sold_out',
    effect: 'none',
  })
})

test('gateway errors that are not JSON are classified', () => {
  expect(failed(read, 403, undefined, { text: '<h1>Developer Over Qps</h1>' })).toMatchObject({ fault: 'throttled' })
  expect(failed(read, 403, undefined, { text: '<h1>Developer Inactive</h1>' })).toMatchObject({ fault: 'credentials' })
  const headers = { 'x-mashery-error-code': 'ERR_403_DEVELOPER_OVER_RATE' }
  expect(failed(read, 403, undefined, { headers })).toMatchObject({ fault: 'throttled' })
})

test("a hotel's refusal to cancel is final", () => {
  for (const message of ['Cannot cancel a booking after the check-in', 'The hotel does not allow cancellations']) {
    expect(failed(encodeCancel('1-1'), 500, application('PRODUCT_ERROR', message))).toMatchObject({
      fault: 'refused',
      effect: 'none',
    })
  }
})

test('an error inside a 200 is an error', () => {
  expect(failed(read, 200, application('SYSTEM_ERROR', 'x'))?.fault).toBe('unavailable')
  expect(failed(read, 200, { booking: {} })).toBeUndefined()
})

test('a throttled response contains the time to wait', () => {
  const reply = { status: 429, headers: { 'retry-after': '7' }, body: undefined }
  expect(readFailure(read, reply, [])).toMatchObject({ fault: 'throttled', retryAfterMs: 7000 })
  expect(holdOffAfter(reply, 1000)).toBe(8000)
  expect(holdOffAfter({ status: 403, headers: {}, body: { error: 'Quota exceeded' } }, 0)).toBe(900_000)
  expect(
    holdOffAfter({ status: 403, headers: {}, body: gatewayErrorBody('Access to this API has been disallowed') }, 0),
  ).toBe(0)
  expect(holdOffAfter({ status: 200, headers: {}, body: {} }, 0)).toBe(0)
})

test('too many calls per second pause for seconds, a spent quota for minutes', () => {
  const old = (text: string, headers = {}) => holdOffAfter({ status: 403, headers, body: undefined, text }, 0)
  expect(old('<h1>Developer Over Qps</h1>')).toBe(2_000)
  expect(old('', { 'x-mashery-error-code': 'ERR_403_DEVELOPER_OVER_QPS' })).toBe(2_000)
  expect(old('<h1>Developer Over Rate</h1>')).toBe(900_000)
  expect(old('', { 'x-mashery-error-code': 'ERR_403_DEVELOPER_OVER_RATE' })).toBe(900_000)
  expect(old('<h1>Developer Inactive</h1>')).toBe(0)
})

test("key and secret in a vendor's error message are removed", () => {
  const error = failed(read, 401, { error: `Key ${KEY} with ${SECRET} unknown ${'x'.repeat(9999)}` })
  expect(inspect(error)).not.toContain(KEY)
  expect(inspect(error)).not.toContain(SECRET)
  expect(error?.message.length).toBeLessThan(300)
})
