import { afterEach, expect, test } from 'vitest'
import type { Receipt } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'

let opened: BookingParts | undefined
afterEach(() => opened?.close())

/** A vendor without a duplicate rule that keeps every booking. */
async function openWithLedger({ deduplicates = false } = {}) {
  const held: { readonly reference: string; state: Receipt['state'] }[] = []
  const parts = await openBookingParts({
    vendor: {
      async book({ reference }) {
        if (deduplicates && held.some((booking) => booking.reference === reference))
          throw new VendorError('scripted', 'duplicate', 'unknown')
        held.push({ reference, state: 'confirmed' })
        return { state: 'confirmed', vendorReference: `V${held.length}` }
      },
      async find({ reference }) {
        const index = held.findIndex((booking) => booking.reference === reference)
        const found = held[index]
        return found && { state: found.state, vendorReference: `V${index + 1}` }
      },
    },
  })
  opened = parts
  return { parts, held }
}

/** Removes everything that was stored, as an asynchronous failover does. */
async function loseAll({ database, history }: BookingParts, isNoticed = true): Promise<void> {
  await database.write(async (tx) => {
    for (const table of ['booking_events', 'tasks', 'bookings'] as const) await tx.deleteFrom(table).execute()
  })
  if (isNoticed) await history.markBehind()
}

const INFO = sealBookingInfo(anOffer())

test.each([['with a key', 'key'] as const, ['without a key', undefined] as const])(
  'a lost booking that is repeated %s is found at the vendor and adopted',
  async (_, key) => {
    const { parts, held } = await openWithLedger()
    expect(await describeOutcome(parts.bookStay(INFO, key))).toBe('201')
    await loseAll(parts)
    expect(await describeOutcome(parts.bookStay(INFO, key))).toBe('201')
    expect(held).toHaveLength(1)
    expect(await parts.store.recent(['confirmed'], 9)).toMatchObject([{ vendorReference: 'V1' }])
  },
)

test('a lost booking that is repeated after its offer has expired is adopted, not refused', async () => {
  const { parts, held } = await openWithLedger()
  await parts.bookStay(INFO, 'key')
  await loseAll(parts)
  parts.clock.advance(2 * 60 * 60_000)
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('201')
  expect(await describeOutcome(parts.bookStay(INFO, 'other'))).toBe('offer_used')
  expect(held).toHaveLength(1)
})

test('an unnoticed loss meets the duplicate rule of the vendor, and the booking is adopted', async () => {
  const { parts, held } = await openWithLedger({ deduplicates: true })
  await parts.bookStay(INFO, 'key')
  await loseAll(parts, false)
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('202')
  parts.clock.advance(5_000)
  await parts.settle()
  expect(held).toHaveLength(1)
  expect(await parts.store.recent(['confirmed'], 9)).toMatchObject([{ vendorReference: 'V1' }])
})

test('another offer of the lineage may be booked after a cancellation, and a repeat of it is found after a loss', async () => {
  const { parts, held } = await openWithLedger()
  const [first, second] = ['off_1', 'off_2'].map((offerId) => sealBookingInfo(anOffer({ offerId, lineage: 'lin' })))
  const { bookingId } = await parts.bookStay(first)
  await parts.cancel(bookingId)
  for (const booking of held) booking.state = 'cancelled'
  expect(await describeOutcome(parts.bookStay(second))).toBe('201')
  expect(new Set(held.map(({ reference }) => reference)).size).toBe(2)
  await loseAll(parts)
  expect(await describeOutcome(parts.bookStay(second))).toBe('201')
  expect(held).toHaveLength(2)
})

test('nothing is sent while the vendor cannot be asked about an earlier attempt', async () => {
  const { parts, held } = await openWithLedger()
  await loseAll(parts)
  parts.vendor.find = async () => {
    throw new VendorError('scripted', 'unavailable', 'unknown')
  }
  expect(await describeOutcome(parts.bookStay(INFO))).toBe('vendors_failed')
  expect(held).toEqual([])
})

test('no booking is looked up before it is sent once a reconciliation has ended', async () => {
  const { parts } = await openWithLedger()
  await loseAll(parts)
  await parts.history.markReconciled(await parts.history.read())
  await parts.bookStay(INFO)
  expect(parts.calls).not.toContain('find')
})

test('a booking without a mark that is older than the loss is looked up, because the mark may be lost', async () => {
  const { parts } = await openWithLedger()
  await parts.bookStay(INFO)
  await parts.database.write((tx) => tx.updateTable('bookings').set({ state: 'in_doubt', sending_at: 0 }).execute())
  await parts.history.markBehind()
  const [booking] = await parts.store.recent(['in_doubt'], 1)
  if (booking === undefined) throw new Error('no booking')
  expect(
    await parts.store.rejectUnsent(booking, await parts.history.read(), {
      at: 0,
      by: { actor: { kind: 'system', id: 's' } },
      dueAt: null,
    }),
  ).toBeUndefined()
})

test('a booking is not sent if commits were lost since its request began', async () => {
  const parts = await openBookingParts({
    store: (sound) => ({
      ...sound,
      async create(...intent) {
        const isNew = await sound.create(...intent)
        await opened?.history.markBehind()
        return isNew
      },
    }),
  })
  opened = parts
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('503')
  expect(parts.calls).toEqual(['priceCheck'])
})
