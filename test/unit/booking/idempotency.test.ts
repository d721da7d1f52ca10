import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SealedOffer } from '../../../src/domain/sealed-offer.ts'
import { computeFingerprint } from '../../../src/lib/crypto/fingerprint.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { aBooking, anOffer, BY_ACCOUNT, START, sealBookingInfo } from '../../support/booking/an-offer.ts'

import { ADA, BOB, type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'
import { readBody } from '../../support/booking/read-body.ts'

type Request = { readonly body: unknown; readonly key?: string; readonly account?: typeof ADA }
type Pair = {
  readonly name: string
  /** Indexes of new offers: two of Ada's, one of Bob's. */
  readonly first: (offers: Offers) => Request
  readonly second: (offers: Offers, first: Request) => Request
  readonly expected: string
  /** Number of bookings at the vendor after both requests. */
  readonly bookings: number
}
type Info = Record<string, string>
type Offers = { readonly one: Info; readonly other: Info; readonly bobs: Info; readonly oneOffer: SealedOffer }

const GUEST = { given_name: 'Grace', family_name: 'Hopper', email: 'grace@example.com', phone: '+1 212 555 0100' }
const parsed = (text: string): unknown => JSON.parse(text)
const reversed = (body: unknown) => Object.fromEntries(Object.entries(body as object).reverse())

const ones = ({ one }: Offers): Request => ({ body: one })
const keyed = ({ one }: Offers): Request => ({ body: one, key: 'k' })
const withGuest = ({ one }: Offers): Request => ({ body: { ...one, guests: [GUEST] }, key: 'k' })
const asBob = ({ bobs }: Offers): Request => ({ body: bobs, key: 'k', account: BOB })
const again = (_: Offers, first: Request) => first
const changed =
  (more: object) =>
  (_: Offers, { body, key }: Request): Request => ({ body: { ...(body as object), ...more }, ...(key && { key }) })

const same: Pick<Pair, 'expected' | 'bookings'> = { expected: '201 replayed', bookings: 1 }
const mismatch: Pick<Pair, 'expected' | 'bookings'> = { expected: 'idempotency_mismatch', bookings: 1 }
const used: Pick<Pair, 'expected' | 'bookings'> = { expected: 'offer_used', bookings: 1 }
const separate: Pick<Pair, 'expected' | 'bookings'> = { expected: '201', bookings: 2 }

const PAIRS: readonly Pair[] = [
  { name: 'the same again, with a key', first: keyed, second: again, ...same },
  { name: 'the same again, without a key', first: ones, second: again, ...same },
  { name: 'the same with its guests', first: withGuest, second: again, ...same },
  {
    name: 'the members in another order',
    first: withGuest,
    second: (_, { body, key }) => ({ body: reversed(body), key: key ?? '' }),
    ...same,
  },
  {
    name: 'the members of a guest in another order',
    first: withGuest,
    second: ({ one }) => ({ body: { guests: [reversed(GUEST)], ...one }, key: 'k' }),
    ...same,
  },
  {
    name: 'other white space',
    first: keyed,
    second: (_, { body }) => ({ body: parsed(JSON.stringify(body, null, 4)), key: 'k' }),
    ...same,
  },
  {
    name: 'escapes instead of letters',
    first: ({ one }) => ({ body: { ...one, special_requests: 'é' }, key: 'k' }),
    second: ({ one }) => ({ body: { ...one, special_requests: parsed('"\\u00e9"') }, key: 'k' }),
    ...same,
  },
  {
    name: 'a number spelt otherwise',
    first: ({ one }) => ({ body: { ...one, accept_price_up_to: parsed('300') }, key: 'k' }),
    second: ({ one }) => ({ body: { ...one, accept_price_up_to: parsed('3.00e2') }, key: 'k' }),
    ...same,
  },
  { name: 'a guest more', first: keyed, second: changed({ guests: [GUEST] }), ...mismatch },
  { name: 'a guest less', first: withGuest, second: keyed, ...mismatch },
  {
    name: 'a letter of a name changed',
    first: withGuest,
    second: changed({ guests: [{ ...GUEST, family_name: 'Hoper' }] }),
    ...mismatch,
  },
  {
    name: 'the case of a name changed',
    first: withGuest,
    second: changed({ guests: [{ ...GUEST, family_name: 'HOPPER' }] }),
    ...mismatch,
  },
  { name: 'a special request more', first: keyed, second: changed({ special_requests: 'Quiet' }), ...mismatch },
  { name: 'an empty special request', first: keyed, second: changed({ special_requests: '' }), ...mismatch },
  { name: 'another reference of the client', first: keyed, second: changed({ client_reference: 'B' }), ...mismatch },
  { name: 'another highest price', first: keyed, second: changed({ accept_price_up_to: 999 }), ...mismatch },
  { name: 'another contact', first: keyed, second: changed({ contact: { email: 'x@example.com' } }), ...mismatch },
  { name: 'another body without a key', first: ones, second: changed({ special_requests: 'Quiet' }), ...mismatch },
  {
    name: 'the same key for another offer',
    first: keyed,
    second: ({ other }) => ({ body: other, key: 'k' }),
    ...mismatch,
  },
  {
    name: 'the same offer under another key',
    first: keyed,
    second: ({ one }) => ({ body: one, key: 'l' }),
    ...used,
  },
  {
    name: 'the same offer under another key with another body',
    first: keyed,
    second: ({ one }) => ({ body: { ...one, special_requests: 'Quiet' }, key: 'l' }),
    ...used,
  },
  { name: 'the same offer, now without its key', first: keyed, second: ones, ...used },
  { name: 'the same offer, now with a key', first: ones, second: keyed, ...used },
  {
    name: 'the same offer sealed once more',
    first: ones,
    second: ({ oneOffer }) => ({ body: sealBookingInfo(oneOffer) }),
    ...mismatch,
  },
  {
    name: 'another offer under another key',
    first: keyed,
    second: ({ other }) => ({ body: other, key: 'l' }),
    ...separate,
  },
  { name: 'another offer, both without keys', first: ones, second: ({ other }) => ({ body: other }), ...separate },
  { name: 'the same key of another account', first: keyed, second: asBob, ...separate },
  { name: 'a key in another case', first: keyed, second: ({ other }) => ({ body: other, key: 'K' }), ...separate },
  {
    name: 'a key with a blank behind it',
    first: keyed,
    second: ({ other }) => ({ body: other, key: 'k ' }),
    ...separate,
  },
  { name: 'an empty key is a key', first: keyed, second: ({ other }) => ({ body: other, key: '' }), ...separate },
  {
    name: 'the offer of somebody else',
    first: keyed,
    second: ({ one }) => ({ body: one, key: 'k', account: BOB }),
    expected: 'offer_invalid',
    bookings: 1,
  },
  {
    name: 'the key that is the offer of the other',
    first: ones,
    second: ({ other, oneOffer }) => ({ body: other, key: oneOffer.offerId }),
    ...mismatch,
  },
  {
    name: 'a body that is none',
    first: keyed,
    second: () => ({ body: [], key: 'k' }),
    expected: 'invalid_request',
    bookings: 1,
  },
  {
    name: 'an invalid field under a used key',
    first: keyed,
    second: changed({ guests: 'nobody' }),
    expected: 'invalid_request',
    bookings: 1,
  },
]

let parts: BookingParts
beforeAll(async () => {
  parts = await openBookingParts()
})
afterAll(() => parts.close())

let count = 0
function freshOffers(): Offers {
  count += 1
  const offer = (name: string, account = ADA) => anOffer({ offerId: `off_${name}_${count}`, accountId: account.id })
  const oneOffer = offer('one')
  return {
    oneOffer,
    one: sealBookingInfo(oneOffer),
    other: sealBookingInfo(offer('other')),
    bobs: sealBookingInfo(offer('bobs', BOB)),
  }
}
const booked = () => parts.calls.filter((call) => call === 'book').length

/** Keys of one pair must not clash with those of another. */
const send = ({ body, key, account }: Request) =>
  parts.bookStay(body, key === undefined || key.startsWith('off_') ? key : `${count} ${key}`, account)

test.each(PAIRS)('$name: $expected', async ({ first, second, expected, bookings }) => {
  const offers = freshOffers()
  const before = booked()
  const request = first(offers)
  const answer = await send(request)
  expect(answer).toMatchObject({ status: 201, replayed: false })

  const other = second(offers, request)
  expect(await describeOutcome(send(other))).toBe(expected)
  expect(booked() - before).toBe(bookings)
  // The first request still gets its first answer.
  expect(await send(request)).toEqual({ ...answer, replayed: true })
})

test('two hundred concurrent requests make one booking, and each gets the same answer or is asked to wait', async () => {
  const offers = freshOffers()
  const before = booked()
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => describeOutcome(send(keyed(offers)))))
  expect(booked() - before).toBe(1)
  expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(1)
  expect(new Set(outcomes)).toEqual(new Set(['201', 'request_in_progress']))
})

test('a repeated request gets its first answer long after the offer has expired', async () => {
  const short = sealBookingInfo(anOffer({ offerId: 'off_short', expiresAt: parts.clock.now() + 1_000 }))
  const answer = await parts.bookStay(short)
  parts.clock.advance(400 * 86_400_000)
  expect(await parts.bookStay(short)).toEqual({ ...answer, replayed: true })
  const late = sealBookingInfo(anOffer({ offerId: 'off_late', expiresAt: START + 1_000 }))
  expect(await describeOutcome(parts.bookStay(late))).toBe('offer_expired')
})

test('a repeated request gets its first answer even if its offer can no longer be opened, and another body is a mismatch', async () => {
  const retired = deriveKeyring([{ id: 'k0', key: Buffer.alloc(32, 6) }], 'offers')
  const info = sealBookingInfo(anOffer({ offerId: 'off_retired' }), retired)
  const booking = aBooking({ bookingId: 'bkg_retired', reference: 'REF0000000000RETIRED', state: 'submitting' })
  const keys = { offerId: 'off_retired', idempotencyKey: 'retired', fingerprint: readBody(info).fingerprint }
  await parts.store.create(booking, keys, START, START, BY_ACCOUNT)
  const first = { status: 201, body: '{"data":"first"}' }
  await parts.store.move('bkg_retired', 'submitting', 'confirmed', {
    at: START,
    by: BY_ACCOUNT,
    dueAt: null,
    presentAnswer: () => first,
  })
  expect(await parts.bookStay(info, 'retired')).toEqual({ ...first, bookingId: 'bkg_retired', replayed: true })
  const other = { ...info, special_requests: 'Quiet' }
  expect(await describeOutcome(parts.bookStay(other, 'retired'))).toBe('idempotency_mismatch')
  expect(await describeOutcome(parts.bookStay(info, 'unknown'))).toBe('offer_invalid')
})

test('a key used in the simulation is free for a real booking, and each repeats its own answer', async () => {
  const expiresAt = parts.clock.now() + 3_600_000
  const [trial, offer] = [true, false].map((simulated) =>
    sealBookingInfo(anOffer({ offerId: `off_${simulated}`, simulated, expiresAt })),
  )
  const tried = await parts.bookStay(trial, 'order-1001')
  const real = await parts.bookStay(offer, 'order-1001')
  expect(real).toMatchObject({ status: 201, replayed: false })
  expect(real.bookingId).not.toBe(tried.bookingId)
  expect(await parts.bookStay(trial, 'order-1001')).toEqual({ ...tried, replayed: true })
  expect(await parts.bookStay(offer, 'order-1001')).toEqual({ ...real, replayed: true })
})

test('a refused request leaves its key free', async () => {
  const dear = await openBookingParts({ vendor: { priceCheck: async () => ({ status: 'sold_out' }) } })
  const info = sealBookingInfo(anOffer())
  expect(await describeOutcome(dear.bookStay(info, 'k'))).toBe('sold_out')
  expect(await dear.store.earlier(ADA.id, 'k', 'off_1', START)).toBeUndefined()
  await dear.close()
})

test('fingerprints differ exactly if the bodies differ', () => {
  expect(computeFingerprint({ a: 1, b: [1, { c: null }] })).toBe(computeFingerprint({ b: [1, { c: null }], a: 1 }))
  const bodies = [{}, [], '', null, 0, { a: 1 }, { a: '1' }, { a: [1] }, { a: { 0: 1 } }, { a: null }, { 'a":1,"b': 1 }]
  expect(new Set(bodies.map(computeFingerprint)).size).toBe(bodies.length)
})
