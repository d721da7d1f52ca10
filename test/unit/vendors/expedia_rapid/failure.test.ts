import { describe, expect, test } from 'vitest'
import { holdOff, readFailure } from '../../../../src/vendors/expedia_rapid/failure.ts'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import { error, invalid, unauthenticated } from '../../../support/vendors/expedia_rapid.ts'
import { NOW } from './scripted.ts'

const read: Call = { class: 'search', operation: 'availability', method: 'GET', path: '/v3/x', ifLost: 'none' }
const book: Call = { class: 'book', operation: 'book', method: 'POST', path: '/v3/x', ifLost: 'unknown' }
const cancel: Call = { class: 'manage', operation: 'cancel', method: 'DELETE', path: '/v3/x', ifLost: 'unknown' }

const verdict = (call: Call, status: number, body?: unknown, headers: Record<string, string> = {}) => {
  const failure = readFailure(call, { status, headers, body }, NOW)
  return failure && [failure.fault, failure.effect]
}
describe('booking', () => {
  test.each([
    [400, invalid('address.country_code.invalid', 'phone.invalid'), 'refused', 'none'],
    [400, invalid('payments.billing_contact.required'), 'refused', 'none'],
    [400, invalid('payments.invalid'), 'refused', 'none'],
    [400, invalid('tax_registration_number.required'), 'refused', 'none'],
    [400, invalid('email.invalid', 'something.new'), 'refused', 'none'],
    [400, invalid('__proto__'), 'refused', 'none'],
    [400, invalid('link.invalid'), 'expired', 'none'],
    [400, invalid('duplicate_itinerary'), 'duplicate', 'unknown'],
    [400, invalid('affiliate_reference_id.duplicate'), 'duplicate', 'unknown'],
    [410, error('rooms_unavailable'), 'sold_out', 'unknown'],
    [401, unauthenticated(NOW / 1000), 'credentials', 'none'],
    [403, error('request_forbidden'), 'credentials', 'none'],
    [426, error('request_unsecured'), 'credentials', 'none'],
    [429, error('too_many_requests'), 'throttled', 'none'],
    [500, error('unknown_internal_error'), 'unavailable', 'unknown'],
    [503, error('service_unavailable'), 'unavailable', 'unknown'],
    [500, error('create.system_failure'), 'unavailable', 'unknown'],
  ])('a booking answered with %i %j is %s with effect %s', (status, body, fault, effect) => {
    expect(verdict(book, status, body)).toEqual([fault, effect])
  })

  test('a price mismatch on a booking is not a final refusal', () => {
    expect(verdict(book, 409, { type: 'price_mismatch', message: '' })).toEqual(['price_changed', 'unknown'])
  })

  test.each([502, 504, 500, 503])('a %i on a booking proves nothing, whatever its body says', (status) => {
    expect(verdict(book, status)).toEqual(['unavailable', 'unknown'])
    expect(verdict(book, status, { type: 'rooms_unavailable' })).toEqual(['unavailable', 'unknown'])
  })

  test.each([
    [400, undefined],
    [400, { type: 'invalid_input' }],
    [400, invalid('email.invalid', '')],
    [400, error('something.new')],
    [400, error('something.new', 'email.invalid')],
    [409, invalid('something.new')],
    [422, invalid('something.new')],
    [404, error('resource_not_found')],
    [409, {}],
    [410, 'gone'],
    [302, undefined],
    [418, []],
  ])('an undocumented response to a booking has an unknown effect: %i %j', (status, body) => {
    expect(verdict(book, status, body)?.[1]).toBe('unknown')
  })

  test('a duplicate among other reasons means that the booking exists', () => {
    expect(verdict(book, 400, invalid('email.invalid', 'duplicate_itinerary'))).toEqual(['duplicate', 'unknown'])
  })
})

describe('reading', () => {
  test.each([
    [400, invalid('checkin.invalid_date_format', 'number_of_occupancies.invalid_above_maximum'), 'refused'],
    [400, invalid('property_id.above_maximum'), 'refused'],
    [400, invalid('link.invalid'), 'expired'],
    [404, error('resource_not_found'), 'not_found'],
    [410, error('link.expired'), 'expired'],
    [500, error('unknown_internal_error'), 'unavailable'],
  ])('a read answered with %i %j is %s without an effect', (status, body, fault) => {
    expect(verdict(read, status, body)).toEqual([fault, 'none'])
  })
})

describe('cancelling', () => {
  test.each([
    [400, invalid('link.invalid'), 'expired', 'none'],
    [404, error('resource_not_found'), 'not_found', 'none'],
    [400, error('cancel.post_checkout'), 'refused', 'none'],
    [400, invalid('given_name.invalid', 'customer_ip.required'), 'refused', 'none'],
    [400, invalid('something.new'), 'refused', 'unknown'],
    [503, error('service_unavailable'), 'unavailable', 'unknown'],
  ])('a cancellation answered with %i %j is %s with effect %s', (status, body, fault, effect) => {
    expect(verdict(cancel, status, body)).toEqual([fault, effect])
  })
})

describe('rate limits', () => {
  const limited = (headers: Record<string, string>) =>
    readFailure(read, { status: 429, headers, body: error('too_many_requests') }, NOW)?.retryAfterMs

  test("the minute's reset header sets the time to wait, at most a minute", () => {
    expect(limited({ 'rate-limit-minute-reset': String(NOW + 7_000) })).toBe(7_000)
    expect(limited({ 'rate-limit-minute-reset': String(NOW + 9e9) })).toBe(60_000)
    expect(limited({ 'retry-after': '3' })).toBe(3_000)
    expect(limited({})).toBe(5_000)
    expect(limited({ 'rate-limit-minute-reset': 'soon' })).toBe(5_000)
  })

  test('a used-up minute pauses calls before the vendor refuses them', () => {
    const reset = { 'rate-limit-minute-reset': String(NOW + 2_000) }
    expect(holdOff({ status: 200, headers: { ...reset, 'rate-limit-minute-remaining': '0' }, body: [] }, NOW)).toBe(
      NOW + 2_000,
    )
    expect(holdOff({ status: 200, headers: { ...reset, 'rate-limit-minute-remaining': '40' }, body: [] }, NOW)).toBe(0)
    expect(holdOff({ status: 429, headers: reset, body: {} }, NOW)).toBe(NOW + 2_000)
  })
})

test('clock skew is reported as the cause of a refused signature', () => {
  const failure = readFailure(read, { status: 401, headers: {}, body: unauthenticated(NOW / 1000 - 400) }, NOW)
  expect(failure?.message).toContain('our clock differs')
})

test('success is not a failure', () => {
  expect([200, 201, 202, 204, 206].map((status) => verdict(book, status))).toEqual(Array(5).fill(undefined))
})
