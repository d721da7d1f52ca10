import { afterEach, expect, test } from 'vitest'
import { createReconcile } from '../../../src/booking/reconcile/reconcile.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import type { ListedBooking, Receipt, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { ADA, BOB, type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'
import { oneWorld } from '../../support/booking/one-world.ts'

type Held = { readonly reference: string; readonly vendorReference: string; state: Receipt['state'] }

let opened: BookingParts | undefined
afterEach(() => opened?.close())

const BY = { actor: { kind: 'operator', id: 'acc_op' } } as const
const STAY = { checkIn: '2027-03-01', checkOut: '2027-03-03' }
const TOTAL = { minor: 12_345, currency: 'EUR' }

const toListed = ({ reference, vendorReference, state }: Held): ListedBooking => {
  return { reference, vendorReference, state, propertyName: 'Hotel Adlon', ...STAY }
}

/** A vendor without a duplicate rule that keeps every booking; with `hasList` it can list them. */
async function openWithLedger({ hasList = true } = {}) {
  const held: Held[] = []
  const add = (reference: string): Receipt => {
    const booking: Held = { reference, vendorReference: `V${held.length + 1}`, state: 'confirmed' }
    held.push(booking)
    return { state: 'confirmed', vendorReference: booking.vendorReference }
  }
  const receiptOf = (booking: Held | undefined): Receipt | undefined =>
    booking && {
      ...{ state: booking.state, vendorReference: booking.vendorReference, dates: STAY, total: TOTAL },
      property: { vendorPropertyId: '77', name: 'Hotel Adlon' },
    }
  const parts = await openBookingParts({
    vendor: {
      book: async ({ reference }) => add(reference),
      find: async ({ reference, vendorReference }) =>
        receiptOf(
          held.find((one) => (vendorReference ? one.vendorReference === vendorReference : one.reference === reference)),
        ),
      async cancel({ vendorReference }) {
        const booking = held.find((one) => one.vendorReference === vendorReference)
        if (booking !== undefined) booking.state = 'cancelled'
        return { state: 'cancelled', vendorReference: vendorReference ?? '' }
      },
    },
  })
  opened = parts
  const vendor: Vendor = {
    ...parts.vendor,
    ...(hasList && {
      async *listBookings() {
        yield held.map(toListed)
      },
    }),
  }
  const reconcile = createReconcile({
    ...{ bookings: parts.store, worlds: oneWorld(vendor), history: parts.history, clock: parts.clock, ids: randomIds },
    findPropertyId: async ({ vendorPropertyId }) => (vendorPropertyId === '77' ? 'prp_7' : undefined),
    zoneAt: () => undefined,
    accountExists: async (id) => [ADA.id, BOB.id].includes(id),
  })
  const from = addDays(dateIn('UTC', parts.clock.now()), -1)
  const order = (action: 'adopt' | 'cancel' | 'review', reference: string, accountId?: string) =>
    reconcile.carryOut({ ...{ from, action, reference, accountId }, vendorId: vendor.id, by: BY })
  return { parts, held, vendor, reconcile, from, order }
}

/** Removes everything that was stored, as an asynchronous failover does. */
async function loseAll({ database, history, clock }: BookingParts): Promise<void> {
  await database.write(async (tx) => {
    for (const table of ['booking_events', 'tasks', 'bookings'] as const) await tx.deleteFrom(table).execute()
  })
  await history.markBehind()
  clock.advance(2_000)
}

const INFO = sealBookingInfo(anOffer())

test('a booking that the database lost is adopted for its account, which ends the look-ups before sending', async () => {
  const { parts, held, reconcile, from, order } = await openWithLedger()
  await parts.bookStay(INFO, 'key')
  await loseAll(parts)
  const [lost] = held
  const { differences, isBehind } = await reconcile.report(from)
  expect(isBehind).toBe(true)
  expect(differences).toMatchObject([{ proposal: 'adopt', reference: lost?.reference, ours: undefined }])
  await order('adopt', lost?.reference ?? '', BOB.id)
  const [adopted] = await parts.store.recent(['confirmed'], 9)
  expect(adopted).toMatchObject({
    ...{ accountId: BOB.id, vendorReference: 'V1', stay: STAY },
    property: { name: 'Hotel Adlon', vendorPropertyId: '77', propertyId: 'prp_7' },
    price: { total: TOTAL },
  })
  expect(await reconcile.report(from)).toMatchObject({ differences: [], isBehind: false })
  expect((await parts.history.read()).isBehind).toBe(false)
})

test('a client that repeats the request gets the adopted booking, whichever account the operator chose', async () => {
  const { parts, held, order } = await openWithLedger()
  await parts.bookStay(INFO, 'key')
  await loseAll(parts)
  await order('adopt', held[0]?.reference ?? '', BOB.id)
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toMatch(/^20[01]/)
  expect(held).toHaveLength(1)
  expect(await parts.store.recent(['confirmed'], 9)).toMatchObject([{ accountId: ADA.id, vendorReference: 'V1' }])
})

test('a booking that the database lost can be cancelled at the vendor instead of adopted', async () => {
  const { parts, held, reconcile, from, order } = await openWithLedger()
  await parts.bookStay(INFO, 'key')
  await loseAll(parts)
  await order('cancel', held[0]?.reference ?? '')
  expect(held).toMatchObject([{ state: 'cancelled' }])
  expect(await reconcile.report(from)).toMatchObject({ differences: [], isBehind: false })
})

test.each(['push', 'unshift'] as const)(
  'of two bookings with one reference, the one that is not ours is cancelled (%s)',
  async (add) => {
    const { parts, held, reconcile, from, order } = await openWithLedger()
    await parts.bookStay(INFO, 'key')
    const [first] = held
    held[add]({ reference: first?.reference ?? '', vendorReference: 'V2', state: 'confirmed' })
    const { differences } = await reconcile.report(from)
    expect(differences).toMatchObject([{ proposal: 'cancel', ours: 'confirmed', listed: { vendorReference: 'V2' } }])
    await order('cancel', first?.reference ?? '')
    expect(held.map(({ vendorReference, state }) => `${vendorReference} ${state}`).sort()).toEqual([
      'V1 confirmed',
      'V2 cancelled',
    ])
  },
)

test.each([true, false])(
  'a booking that only the database has confirmed is proposed for review and read again at once (vendor with a list: %s)',
  async (hasList) => {
    const { parts, held, reconcile, from, order } = await openWithLedger({ hasList })
    await parts.bookStay(INFO, 'key')
    for (const booking of held) booking.state = 'cancelled'
    const { differences, vendors } = await reconcile.report(from)
    expect(vendors).toMatchObject([{ status: hasList ? 'listed' : 'no_list', listed: 1 }])
    expect(differences).toMatchObject([{ proposal: 'review', ours: 'confirmed', listed: { state: 'cancelled' } }])
    await order('review', held[0]?.reference ?? '')
    await parts.read()
    expect(await parts.store.recent(['cancelled'], 9)).toHaveLength(1)
    held.length = 0
    expect(await reconcile.report(from)).toMatchObject({ differences: [] })
  },
)

test('nothing is carried out that is no longer true, or for an account that does not exist', async () => {
  const { parts, held, order } = await openWithLedger()
  await parts.bookStay(INFO, 'key')
  const { reference = '' } = held[0] ?? {}
  const failing = [order('adopt', reference, BOB.id), order('cancel', reference), order('review', reference)]
  for (const failure of await Promise.allSettled(failing))
    expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(AppError) })
  await loseAll(parts)
  await expect(order('adopt', reference, 'acc_unknown')).rejects.toThrow('An account with this account_id is required')
  await expect(order('adopt', reference)).rejects.toThrow('An account with this account_id is required')
  expect(await parts.store.recent(['confirmed'], 9)).toEqual([])
})

test('the state of being behind goes on if a vendor does not answer or the period is too short, unless it is ended', async () => {
  const { parts, vendor, reconcile, from } = await openWithLedger()
  await parts.bookStay(INFO, 'key')
  await parts.history.markBehind()
  parts.clock.advance(3 * 86_400_000)
  const tomorrow = addDays(dateIn('UTC', parts.clock.now()), 1)
  expect(await reconcile.report(tomorrow)).toMatchObject({
    isBehind: true,
    differences: [],
    neededFrom: addDays(from, 1),
  })
  Object.assign(vendor, {
    async *listBookings() {
      yield await Promise.reject(new VendorError('scripted', 'unavailable', 'none'))
    },
  })
  expect(await reconcile.report(from)).toMatchObject({ isBehind: true, vendors: [{ status: 'failed' }] })
  expect(await reconcile.report(from, true)).toMatchObject({ isBehind: false })
  expect((await parts.history.read()).isBehind).toBe(false)
})

test('look-ups go on for a day if a vendor has no list, and a repeat meets the lost booking there', async () => {
  const { parts, held, reconcile, from } = await openWithLedger({ hasList: false })
  await parts.bookStay(INFO, 'key')
  await loseAll(parts)
  const { changedAt = 0 } = await parts.history.read()
  expect(await reconcile.report(from)).toMatchObject({
    ...{ isBehind: true, differences: [], repeatsEndAt: changedAt + 86_400_000 },
  })
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toMatch(/^20[01]/)
  expect(held).toHaveLength(1)
  parts.clock.advance(86_400_000)
  expect(await reconcile.report(from)).toMatchObject({ isBehind: false, repeatsEndAt: undefined })
})

test('bookings of other systems with the same vendor account are ignored', async () => {
  const { held, reconcile, from } = await openWithLedger()
  held.push({ reference: 'WEB-2027-000123', vendorReference: 'V9', state: 'confirmed' })
  expect(await reconcile.report(from)).toMatchObject({ differences: [], vendors: [{ listed: 0 }] })
})
