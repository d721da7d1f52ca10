import { describe, expect, test } from 'vitest'
import type { Call } from '../../../../src/vendors/call.ts'
import { failureOf, holdOff } from '../../../../src/vendors/expedia_rapid/failure.ts'
import { NOW, sample } from './samples.ts'

const read: Call = { class: 'search', operation: 'availability', method: 'GET', path: '/v3/x', ifLost: 'none' }
const book: Call = { class: 'book', operation: 'book', method: 'POST', path: '/v3/x', ifLost: 'unknown' }
const cancel: Call = { class: 'manage', operation: 'cancel', method: 'DELETE', path: '/v3/x', ifLost: 'unknown' }

const verdict = (call: Call, status: number, body?: unknown, headers: Record<string, string> = {}) => {
  const failure = failureOf(call, { status, headers, body }, NOW)
  return failure && [failure.fault, failure.effect]
}
const invalid = (...types: string[]) => ({
  type: 'invalid_input',
  errors: types.map((type) => ({ type, message: '' })),
})

describe('booking', () => {
  test.each([
    [400, 'postItinerary.400.invalid-country-code-example', 'refused', 'none'],
    [400, 'x.postItinerary.400.billing-contact-required', 'refused', 'none'],
    [400, 'x.postItinerary.400.cc-declined', 'refused', 'none'],
    [400, 'x.postItinerary.400.link-invalid', 'expired', 'none'],
    [400, 'postItinerary.400.duplicate-itinerary-example', 'duplicate', 'unknown'],
    [410, 'postItinerary.410', 'sold_out', 'none'],
    [401, 'common-error.401', 'credentials', 'none'],
    [403, 'common-error.403', 'credentials', 'none'],
    [426, 'common-error.426', 'credentials', 'none'],
    [429, 'common-error.429', 'throttled', 'none'],
    [500, 'common-error.500', 'unavailable', 'unknown'],
    [503, 'common-error.503', 'unavailable', 'unknown'],
    [500, 'x.postItinerary.500.create-system-failure', 'unavailable', 'unknown'],
  ])('%i %s is %s, effect %s', (status, name, fault, effect) => {
    expect(verdict(book, status, sample(name))).toEqual([fault, effect])
  })

  test('a price that moved between check and booking', () => {
    expect(verdict(book, 409, { type: 'price_mismatch', message: '' })).toEqual(['price_changed', 'none'])
  })

  test.each([502, 504, 500, 503])('a %i proves nothing, whatever its body says', (status) => {
    expect(verdict(book, status)).toEqual(['unavailable', 'unknown'])
    expect(verdict(book, status, { type: 'rooms_unavailable' })).toEqual(['unavailable', 'unknown'])
  })

  test.each([
    [400, undefined],
    [400, { type: 'invalid_input' }],
    [400, invalid('something.new')],
    [400, invalid('email.invalid', 'something.new')],
    [400, invalid('__proto__')],
    [404, sample('deleteRoom.404')],
    [409, {}],
    [410, 'gone'],
    [302, undefined],
    [418, []],
  ])('an answer that is not on the list leaves doubt: %i %j', (status, body) => {
    expect(verdict(book, status, body)?.[1]).toBe('unknown')
  })

  test('one duplicate among other reasons is still a booking that exists', () => {
    expect(verdict(book, 400, invalid('email.invalid', 'duplicate_itinerary'))).toEqual(['duplicate', 'unknown'])
  })
})

describe('reading', () => {
  test.each([
    [400, 'getAvailability.400', 'refused'],
    [400, 'getPropertyContent.400', 'refused'],
    [400, 'getRegions.400', 'refused'],
    [400, 'getReservation.400', 'refused'],
    [400, 'getReservationByItineraryId.400', 'expired'],
    [400, 'priceCheck.400', 'expired'],
    [404, 'getReservationByItineraryId.404', 'not_found'],
    [404, 'x.getReservation.404.not-found', 'not_found'],
    [410, 'getPropertyContent.410', 'expired'],
    [410, 'getRegions.410', 'expired'],
    [500, 'getRegions.500', 'unavailable'],
  ])('%i %s is %s and never in doubt', (status, name, fault) => {
    expect(verdict(read, status, sample(name))).toEqual([fault, 'none'])
  })
})

describe('cancelling', () => {
  test.each([
    [400, 'deleteRoom.400', 'expired', 'none'],
    [404, 'deleteRoom.404', 'not_found', 'none'],
    [400, 'deleteHeldBooking.400.link-invalid-example', 'expired', 'none'],
    [404, 'deleteHeldBooking.404', 'not_found', 'none'],
    [400, 'x.deleteRoom.400.post-checkout', 'refused', 'none'],
    [503, 'common-error.503', 'unavailable', 'unknown'],
  ])('%i %s is %s, effect %s', (status, name, fault, effect) => {
    expect(verdict(cancel, status, sample(name))).toEqual([fault, effect])
  })
})

describe('rate limits', () => {
  const limited = (headers: Record<string, string>) =>
    failureOf(read, { status: 429, headers, body: sample('common-error.429') }, NOW)?.retryAfterMs

  test("the minute's reset says how long to wait, within a minute", () => {
    expect(limited({ 'rate-limit-minute-reset': String(NOW + 7_000) })).toBe(7_000)
    expect(limited({ 'rate-limit-minute-reset': String(NOW + 9e9) })).toBe(60_000)
    expect(limited({ 'retry-after': '3' })).toBe(3_000)
    expect(limited({})).toBe(5_000)
    expect(limited({ 'rate-limit-minute-reset': 'soon' })).toBe(5_000)
  })

  test('a minute that is used up holds calls off before the vendor has to refuse them', () => {
    const reset = { 'rate-limit-minute-reset': String(NOW + 2_000) }
    expect(holdOff({ status: 200, headers: { ...reset, 'rate-limit-minute-remaining': '0' }, body: [] }, NOW)).toBe(
      NOW + 2_000,
    )
    expect(holdOff({ status: 200, headers: { ...reset, 'rate-limit-minute-remaining': '40' }, body: [] }, NOW)).toBe(0)
    expect(holdOff({ status: 429, headers: reset, body: {} }, NOW)).toBe(NOW + 2_000)
  })
})

test('a wrong clock is named as the cause of a refused signature', () => {
  const failure = failureOf(read, { status: 401, headers: {}, body: sample('common-error.401') }, NOW)
  expect(failure?.message).toContain('our clock differs')
})

test('success is no failure', () => {
  expect([200, 201, 202, 204, 206].map((status) => verdict(book, status))).toEqual(Array(5).fill(undefined))
})
