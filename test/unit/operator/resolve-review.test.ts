import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { byOperator } from '../../../src/domain/actor.ts'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import type { Comparison } from '../../../src/domain/booking/discrepancy.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { createAttention } from '../../../src/operator/attention/attention.ts'
import { bookingSources } from '../../../src/operator/attention/booking-attention.ts'
import { type ResolveOrder, resolveReview } from '../../../src/operator/resolve-review.ts'
import { createAttentionMarkStore } from '../../../src/operator/store/attention-marks.ts'
import { createAttentionBookingStore } from '../../../src/operator/store/bookings.ts'
import type { Database } from '../../../src/store/database.ts'
import { aBooking, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'bookings')
const ID = 'bkg_1'
let clock: ReturnType<typeof manualClock>
let database: Database
beforeEach(async () => {
  clock = manualClock()
  database = await openMigrated()
})
afterEach(() => database.close())

const bookings = () => createBookingStore(database, keyring)
const attention = () =>
  createAttention({
    sources: bookingSources(createAttentionBookingStore(database, keyring)),
    marks: createAttentionMarkStore(database),
    clock,
  })

async function book(states: readonly BookingState[]): Promise<void> {
  const booking = aBooking({ bookingId: ID, reference: 'REF1', createdAt: clock.now() })
  const keys = { offerId: 'off_1', idempotencyKey: 'key_1', fingerprint: 'f' }
  await bookings().create(booking, keys, clock.now(), 0, BY_ACCOUNT)
  let from: BookingState = 'pending'
  for (const to of states) {
    await bookings().move(ID, from, to, { at: clock.now(), by: BY_ACCOUNT, dueAt: clock.now(), reason: 'timeout' })
    from = to
  }
}

const IN_DOUBT = ['submitting', 'in_doubt'] as const
const NEEDS_REVIEW = [...IN_DOUBT, 'needs_review'] as const

async function resolve(order: Partial<ResolveOrder>) {
  const booking = (await bookings().any(ID)) ?? expect.fail('not stored')
  const deps = {
    bookings: bookings(),
    attention: attention(),
    clock,
    present: ({ state }: { state: BookingState }) => ({ status: 201, body: JSON.stringify({ status: state }) }),
  }
  const usual = { to: 'rejected', by: byOperator('ops'), reason: '', vendorReference: '', rooms: undefined } as const
  return resolveReview(deps, booking, { ...usual, ...order })
}

test('a review ends with the operator’s decision and their reason in the history', async () => {
  await book(NEEDS_REVIEW)
  const order = { to: 'confirmed', vendorReference: 'HB-9', reason: 'asked by phone' } as const
  expect(await resolve(order)).toMatchObject({ state: 'confirmed' })
  expect(await bookings().any(ID)).toMatchObject({ state: 'confirmed', vendorReference: 'HB-9' })
  expect((await bookings().events(ID)).at(-1)).toMatchObject({ to: 'confirmed', reason: 'operator: asked by phone' })
  expect(await resolve(order)).toBe('not_in_review')
})

test('resolving a review also settles its discrepancies', async () => {
  await book(IN_DOUBT)
  const at = clock.now()
  const compared = {
    agrees: [],
    differs: [{ code: 'rooms_differ', since: at, booked: 2, vendorSays: 1 }],
  } satisfies Comparison
  await bookings().move(ID, 'in_doubt', 'needs_review', { at, by: BY_ACCOUNT, dueAt: null, compared })
  clock.advance(60_000)
  await resolve({ to: 'confirmed', vendorReference: 'HB-9', reason: 'one room is enough' })
  expect((await bookings().any(ID))?.discrepancies).toHaveLength(1)
  const again = attention().markDone(`discrepancy.${ID}.rooms_differ`, BY_ACCOUNT.actor, 'again')
  await expect(again, 'it is no longer listed').rejects.toThrow('The entry no longer exists')
})

test('without an earlier response, the resolved state becomes the first response', async () => {
  await book(NEEDS_REVIEW)
  await resolve({ to: 'rejected' })
  const earlier = await bookings().earlier('acc_1', 'key_1', 'off_1', clock.now())
  expect(earlier?.answer?.body).toBe('{"status":"rejected"}')
  expect((await bookings().events(ID)).at(-1)?.reason).toBe('operator: resolved manually')
})

test.each(['submitting', 'in_doubt', 'confirmed'] as const)('a %s booking cannot be resolved', async (state) => {
  await book(state === 'submitting' ? ['submitting'] : ['submitting', state])
  expect(await resolve({ to: 'rejected' })).toBe('not_in_review')
  expect(await bookings().any(ID)).toMatchObject({ state })
})

test('a booking cannot be resolved as confirmed without the vendor’s reference', async () => {
  await book(NEEDS_REVIEW)
  expect(await resolve({ to: 'confirmed' })).toBe('reference_missing')
  expect(await bookings().any(ID)).toMatchObject({ state: 'needs_review' })
})
