import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { randomId } from '../../../packages/client/src/random-id.ts'
import { createBookingQueue } from '../../../src/booking/booking-queue.ts'
import { containsCardNumber } from '../../../src/booking/guests/card-numbers.ts'
import { ERRORS, type ErrorCode } from '../../../src/domain/error-table.ts'
import { toProblem as problemDocument } from '../../../src/http/problem.ts'
import { EMAIL } from '../../../src/lib/text/email.ts'
import { ApiProblem, SignInDeclined } from '../../../web/src/api/problem.ts'
import {
  buildBookBody,
  type Checkout,
  checkGuests,
  findEarlierBooking,
  interpretFailure,
  readCheckout,
  saveCheckout,
  saveLastGuest,
} from '../../../web/src/checkout/checkout.ts'
import { readFacts, type SearchFacts, writeFacts } from '../../../web/src/search/search-facts.ts'
import { createTabStorage } from '../../support/web/tab-storage.ts'

/** Problem with the effect of its code. */
const problem = (code: ErrorCode, more: object = {}) =>
  new ApiProblem(ERRORS[code].status, { code, effect: ERRORS[code].effect, ...more })
const bodyWith = (id: string) =>
  buildBookBody({ id, room: {}, guests: [], contact: { email: '', phone: '', requests: '' } } as unknown as Checkout)

test('the form refuses names that the service refuses, and normalises the spaces of a phone number', () => {
  const contact = { email: 'ana@example.com', phone: '+351\u00a0910 000 000', requests: '' }
  const guest = (given: string) => ({ given, family: 'Costa' })
  for (const given of ['A&B', '(x)', '<b>', 'a'.repeat(61)])
    expect([...checkGuests([guest(given)], contact)]).toEqual([['given-0', 'not_a_name']])
  expect(checkGuests([guest('Ana')], contact).size).toBe(0)
  const body = buildBookBody({ id: 'web_a', room: {}, guests: [guest('Ana')], contact } as unknown as Checkout)
  expect(body.contact?.phone).toBe('+351 910 000 000')
})

test('invisible marks of copied names and numbers are removed, and required joiners are kept', () => {
  const guests = [{ given: '\u202bمحمد\u202c', family: '\u2067علی\u200cرضا\u2069' }]
  const contact = { email: '\u200eana@example.com', phone: '\u202a+49 30 123456\u202c', requests: '' }
  expect(checkGuests(guests, contact).size).toBe(0)
  const body = buildBookBody({ id: 'web_a', room: {}, guests, contact } as unknown as Checkout)
  expect(body.guests).toMatchObject([{ given_name: 'محمد', family_name: 'علی\u200cرضا', phone: '+49 30 123456' }])
  expect(body.contact).toEqual({ email: 'ana@example.com', phone: '+49 30 123456' })
  expect([...checkGuests([{ given: '\u200f', family: 'x' }], contact)]).toEqual([['given-0', 'missing']])
})

test.each([
  'ana@example.com',
  'ana@example.c',
  'ana@example',
  'a(b)@example.com',
  '"a"@example.com',
  'ana@ex ample.com',
])('the form and the service agree on whether “%s” is an e-mail', (email) => {
  const faults = checkGuests([{ given: 'Ana', family: 'Costa' }], { email, phone: '+351 910 000', requests: '' })
  expect(faults.has('email')).toBe(!EMAIL.test(email))
})

test('the reference of a checkout never looks like a card number', () => {
  const ids = Array.from({ length: 1_000 }, () => randomId('web'))
  expect(new Set(ids).size).toBe(ids.length)
  // Checkouts of earlier versions have a UUID; this one begins like a card number.
  for (const id of [...ids, '41111111-1111-4008-8000-000000000000']) {
    const reference = bodyWith(id).client_reference ?? ''
    expect(containsCardNumber(reference), reference).toBe(false)
    expect(reference.length).toBeLessThanOrEqual(64)
  }
})

test('if the storage of a tab is full, earlier searches and checkouts are evicted, except those with an unknown outcome', () => {
  vi.stubGlobal('sessionStorage', createTabStorage(5_000))
  onTestFinished(() => void vi.unstubAllGlobals())
  const checkout = (id: string, sent?: object) =>
    ({ id, sent, property: { name: 'x'.repeat(1_000) } }) as unknown as Checkout
  writeFacts({ search_id: 's', warnings: ['x'.repeat(1_000)] } as unknown as SearchFacts)
  saveCheckout(checkout('unknown', { guests: [] }))
  for (const id of ['a', 'b', 'c', 'd', 'e']) saveCheckout(checkout(id))
  expect(readCheckout('e')?.id).toBe('e')
  expect(readCheckout('unknown')?.sent).toEqual({ guests: [] })
  expect(readCheckout('a')).toBeUndefined()
  expect(readFacts('s')).toBeUndefined()
  saveLastGuest({ given: 'x'.repeat(3_500), family: 'Costa' }, { email: '', phone: '', requests: '' })
  expect(readCheckout('e')).toBeUndefined()
})

describe('a request to book that failed', () => {
  test.each([
    ['the guest did not sign in', new SignInDeclined(), 'form'],
    ['the session has ended', problem('unauthenticated'), 'refused'],
    ['guests must sign in', problem('sign_in_needed'), 'refused'],
    ['too many requests', problem('rate_limited'), 'refused'],
  ])(
    'a refused request to book has no effect, but an earlier one with a lost answer stays unsure: %s',
    (_, error, phase) => {
      expect(interpretFailure(error, false).phase).toBe(phase)
      expect(interpretFailure(error, true).phase).toBe('unsure')
    },
  )

  test.each(['vendors_failed', 'vendor_timeout', 'overloaded'] as const)(
    '%s is a refusal if no earlier request is open, whatever its detail says',
    (code) => {
      for (const detail of ['The database cannot be reached.', 'Nothing was booked; try again.']) {
        expect(interpretFailure(problem(code, { detail }), false).phase).toBe('refused')
        expect(interpretFailure(problem(code, { detail }), true).phase).toBe('unsure')
        expect(interpretFailure(problem(code, { detail, booking_id: 'b' }), true).phase).toBe('refused')
      }
    },
  )

  test('a full vendor queue is a refusal, because nothing was sent', async () => {
    const line = createBookingQueue({ running: 0, waitingPerAccount: 0, waiting: 0, waitMs: 0 })
    const full: Error = await line.enter('account', 'vendor').then(
      () => new Error('let in'),
      (error) => error,
    )
    const { body } = problemDocument(full, 'req_1')
    expect(interpretFailure(new ApiProblem(503, body), false).phase).toBe('refused')
  })

  test.each([
    ['no answer', new ApiProblem(0, { code: 'unreachable' })],
    ['a proxy’s error', new ApiProblem(502, {})],
    ['a 503 of a proxy, whatever it says', new ApiProblem(503, { code: 'overloaded', detail: 'Nothing was booked.' })],
    ['a bug of the service', problem('internal')],
    ['a lost database', problem('store_unavailable', { detail: 'Nothing was booked.' })],
    ['the first request still running', problem('request_in_progress')],
    ['anything unforeseen', new TypeError('?')],
  ])('the outcome of a request to book stays unsure after %s', (_, error) => {
    expect(interpretFailure(error, false).phase).toBe('unsure')
    expect(interpretFailure(error, true).phase).toBe('unsure')
  })

  test('the problem of a used offer refers to its booking', () => {
    expect(findEarlierBooking(problem('offer_used', { booking_id: 'b-1', booking_status: 'confirmed' }))).toBe('b-1')
    expect(findEarlierBooking(problem('offer_used'))).toBeUndefined()
    expect(findEarlierBooking(problem('idempotency_mismatch', { booking_id: 'b-1' }))).toBeUndefined()
    expect(findEarlierBooking(new TypeError('?'))).toBeUndefined()
  })
})
