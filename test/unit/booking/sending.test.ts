import { afterEach, expect, test } from 'vitest'
import type { BookingStore } from '../../../src/booking/store/bookings.ts'
import { AppError } from '../../../src/domain/errors.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { anOffer, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { type BookingParts, describeOutcome, openBookingParts } from '../../support/booking/booking-parts.ts'

let opened: BookingParts | undefined
afterEach(() => opened?.close())
async function open(...options: Parameters<typeof openBookingParts>): Promise<BookingParts> {
  opened = await openBookingParts(...options)
  return opened
}

const INFO = sealBookingInfo(anOffer())
const DYING = new Error('killed')
const absent: Vendor['find'] = async () => undefined

const readRow = ({ database }: BookingParts) =>
  database.read.selectFrom('bookings').selectAll().orderBy('created_at', 'desc').executeTakeFirstOrThrow()

/** A store whose process dies in the first call of `at`, before or after the database has done it. */
const dyingAt =
  (at: 'create' | 'markSending', when: 'before' | 'after') =>
  (sound: BookingStore): BookingStore => {
    let isDead = false
    const call = sound[at] as (...args: unknown[]) => Promise<unknown>
    return {
      ...sound,
      async [at](...args: unknown[]) {
        if (isDead) return call(...args)
        isDead = true
        if (when === 'after') await call(...args)
        throw DYING
      },
    }
  }

test('the mark of sending is on disk before the request leaves', async () => {
  const marks: (number | null)[] = []
  const parts: BookingParts = await open({
    vendor: {
      async book() {
        marks.push((await readRow(parts)).sending_at)
        return { state: 'confirmed', vendorReference: 'V1' }
      },
    },
  })
  await parts.bookStay(INFO)
  expect(marks).toEqual([parts.clock.now()])
})

test('a booking whose process died before the mark is rejected at once without asking the vendor, and can be repeated', async () => {
  const parts = await open({
    vendor: { find: absent },
    capabilities: { absenceIsFinal: false },
    store: dyingAt('create', 'after'),
  })
  await expect(parts.bookStay(INFO, 'key')).rejects.toBe(DYING)
  parts.clock.advance(4_000)
  await parts.settle()
  expect(await readRow(parts)).toMatchObject({ state: 'rejected' })
  expect(parts.calls).toEqual(['priceCheck'])
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('201')
})

test('a repeated request that was answered with 202 gets the outcome of the same booking', async () => {
  const parts = await open({ vendor: { find: absent }, store: dyingAt('create', 'after') })
  await expect(parts.bookStay(INFO, 'key')).rejects.toBe(DYING)
  parts.clock.advance(4_000)
  const waiting = await parts.bookStay(INFO, 'key')
  await parts.settle()
  const final = await parts.bookStay(INFO, 'key')
  expect([waiting.status, final.status, final.bookingId]).toEqual([202, 409, waiting.bookingId])
})

test('a repeated request that was not sent has the same reference', async () => {
  const references: string[] = []
  let fails = true
  const parts = await open({
    vendor: {
      async book({ reference }) {
        references.push(reference)
        if (fails) throw new VendorError('scripted', 'throttled', 'none', { retryAfterMs: 60_000 })
        return { state: 'confirmed', vendorReference: 'V1' }
      },
    },
  })
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('503')
  fails = false
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('201')
  expect(new Set(references).size).toBe(1)
})

test('a booking whose process died after the mark may have been sent, and is looked up', async () => {
  const parts = await open({
    vendor: { find: absent },
    patienceMs: 10,
    store: (sound) => ({
      ...sound,
      async markSending(...args) {
        await sound.markSending(...args)
        return new Promise(() => undefined)
      },
    }),
  })
  expect(await describeOutcome(parts.bookStay(INFO))).toBe('202')
  await expect.poll(async () => (await readRow(parts)).sending_at).toBeGreaterThan(0)
  parts.clock.advance(4_000)
  await parts.settle()
  expect(await readRow(parts)).toMatchObject({ state: 'in_doubt' })
  expect(parts.calls).toEqual(['priceCheck', 'find'])
})

test('a booking of the version before, which has no mark, is looked up', async () => {
  const parts = await open({ vendor: { find: absent }, store: dyingAt('create', 'after') })
  await expect(parts.bookStay(INFO)).rejects.toBe(DYING)
  await parts.database.write((tx) => tx.updateTable('bookings').set({ sending_at: null }).execute())
  parts.clock.advance(4_000)
  await parts.settle()
  expect(await readRow(parts)).toMatchObject({ state: 'in_doubt' })
  expect(parts.calls).toEqual(['priceCheck', 'find'])
})

test('a booking that the version before put in doubt is rejected without a lookup if its mark is missing', async () => {
  const parts = await open({ vendor: { find: absent }, store: dyingAt('create', 'after') })
  await expect(parts.bookStay(INFO)).rejects.toBe(DYING)
  await parts.database.write((tx) => tx.updateTable('bookings').set({ state: 'in_doubt' }).execute())
  parts.clock.advance(4_000)
  await parts.settle()
  expect(await readRow(parts)).toMatchObject({ state: 'rejected' })
  expect(parts.calls).toEqual(['priceCheck'])
})

test('a booking that the settle job has rejected before it was sent can be repeated', async () => {
  let isSlow = true
  const parts: BookingParts = await open({
    vendor: { find: absent },
    store: (sound) => ({
      ...sound,
      async markSending(...args) {
        if (isSlow) parts.clock.advance(4_000)
        if (isSlow) await parts.settle()
        isSlow = false
        return sound.markSending(...args)
      },
    }),
  })
  const first = await parts.bookStay(INFO, 'key')
  expect(await readRow(parts)).toMatchObject({ state: 'rejected', answer_status: null })
  expect([first.status, JSON.parse(first.body).code]).toEqual([503, 'overloaded'])
  expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('201')
})

test('a booking that another process has taken over is not sent', async () => {
  const parts: BookingParts = await open({
    store: (sound) => ({
      ...sound,
      async markSending(...args) {
        await parts.database.write((tx) => tx.updateTable('bookings').set({ state: 'in_doubt' }).execute())
        return sound.markSending(...args)
      },
    }),
  })
  expect(await describeOutcome(parts.bookStay(INFO))).toBe('503')
  expect(parts.calls).toEqual(['priceCheck'])
  expect(await readRow(parts)).toMatchObject({ state: 'rejected' })
})

test.each(['before', 'after'] as const)(
  'a booking whose mark failed in an outage, %s it was stored, is rejected once the database is back',
  async (when) => {
    let outages = 2
    const unavailable = () => new AppError('store_unavailable', 'The database is away.')
    const parts = await open({
      vendor: { find: absent },
      capabilities: { absenceIsFinal: false },
      patienceMs: 10,
      store: (sound) => ({
        ...sound,
        async markSending(...args) {
          if (when === 'after') await sound.markSending(...args)
          throw unavailable()
        },
        async move(...args) {
          if (outages-- > 0) throw unavailable()
          return sound.move(...args)
        },
      }),
    })
    expect(await describeOutcome(parts.bookStay(INFO, 'key'))).toBe('202')
    await expect.poll(async () => (await readRow(parts)).state, { timeout: 5_000 }).toBe('rejected')
    expect(parts.calls).toEqual(['priceCheck'])
  },
)
