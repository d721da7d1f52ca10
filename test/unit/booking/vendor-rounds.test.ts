import { afterEach, beforeEach, expect, test } from 'vitest'
import { bookingAnswer } from '../../../src/booking/present/booking.ts'
import { createReadWorker } from '../../../src/booking/settle/read-bookings.ts'
import { createSettleWorker } from '../../../src/booking/settle/settle-bookings.ts'
import type { Booking } from '../../../src/domain/booking/booking.ts'
import type { Worker } from '../../../src/lib/async/worker.ts'
import type { Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { aBooking, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
import { type BookingParts, openBookingParts } from '../../support/booking/booking-parts.ts'
import { oneWorld } from '../../support/booking/one-world.ts'

const MINUTE = 60_000

let parts: BookingParts
/** Pending lookups at the vendor that hangs; the test ends them. */
let hanging: PromiseWithResolvers<void>[]
let workers: Worker[]
beforeEach(async () => {
  parts = await openBookingParts()
  hanging = []
  workers = []
})
afterEach(() => parts.close())

function createDeps() {
  const { store: bookings, clock, history, vendor } = parts
  const find: Vendor['find'] = async () => {
    const look = Promise.withResolvers<void>()
    hanging.push(look)
    await look.promise
    throw new VendorError('hangs', 'timeout', 'unknown')
  }
  const { real } = oneWorld(vendor)
  const world = { ...real, vendors: [{ ...vendor, id: 'hangs', find }, vendor] }
  const worlds = { real: world, select: () => world }
  const onBug = (error: unknown) => void parts.bugs.push(error)
  return { bookings, clock, history, worlds, present: bookingAnswer, onBug, readingsPerMinute: 6_000 }
}

async function add(vendorId: string, howMany: number, to: 'in_doubt' | 'confirmed' = 'in_doubt'): Promise<string[]> {
  const ids: string[] = []
  const now = parts.clock.now()
  for (let n = 0; n < howMany; n += 1) {
    const bookingId = `bkg_${vendorId}_${n}`
    const sent = { createdAt: now, submittedAt: now, updatedAt: now, state: 'submitting' } as const
    const booking = aBooking({ bookingId, reference: `${vendorId}${n}`, vendorId, ...sent })
    await parts.store.create(
      booking,
      { offerId: bookingId, idempotencyKey: bookingId, fingerprint: 'f' },
      now,
      0,
      BY_ACCOUNT,
    )
    const dueAt = to === 'in_doubt' ? now + n : null
    await parts.store.move(bookingId, 'submitting', to, { at: now, by: BY_ACCOUNT, dueAt })
    ids.push(bookingId)
  }
  return ids
}

const readStates = async (ids: readonly string[]) => {
  const found = await Promise.all(ids.map((id) => parts.store.any(id)))
  return [...new Set(found.map((booking) => booking?.state))]
}

/** Ends the pending lookups without an answer. */
async function endLooks(): Promise<void> {
  for (const { resolve } of hanging.splice(0)) resolve()
  await Promise.all(workers.map((worker) => worker.drain()))
}

/** Runs like the jobs, until only hanging lookups are left. */
async function runAll(worker: Worker): Promise<void> {
  workers.push(worker)
  for (let runs = 0; runs < 500; runs += 1) {
    if ((await worker.run(20)) === 0 && worker.running() === hanging.length) return
    await new Promise((later) => setTimeout(later, 1))
  }
  expect.fail('the job does not come to an end')
}

test('a vendor that hangs uses only its own slots, and bookings of other vendors are settled meanwhile', async () => {
  const slow = await add('hangs', 30)
  parts.clock.advance(1_000)
  const settle = createSettleWorker(createDeps())
  await runAll(settle)
  expect(hanging).toHaveLength(8)
  const fine = await add('scripted', 20)
  parts.clock.advance(1_000)
  await runAll(settle)
  expect(await readStates(fine)).toEqual(['confirmed'])
  expect(hanging).toHaveLength(8)
  expect(await readStates(slow)).toEqual(['in_doubt'])
  expect(settle.running()).toBe(8)
  await endLooks()
  expect(settle.running()).toBe(0)
  parts.clock.advance(1_000)
  await runAll(settle)
  expect(hanging, 'the next ones are asked about').toHaveLength(8)
  await endLooks()
  expect(parts.bugs).toEqual([])
})

test('readings of other vendors continue while one vendor hangs', async () => {
  await add('hangs', 10, 'confirmed')
  const fine = await add('scripted', 20, 'confirmed')
  parts.clock.advance(13 * MINUTE)
  await runAll(createReadWorker(createDeps()))
  for (const id of fine) expect(await parts.store.readings(id)).toHaveLength(1)
  expect(hanging).toHaveLength(8)
  await endLooks()
})

test('a hundred bookings of a vendor that hangs go to review on time, without one lookup each', async () => {
  const late = await add('hangs', 100)
  const settle = createSettleWorker(createDeps())
  parts.clock.advance(1_000)
  await runAll(settle)
  await endLooks()
  parts.clock.advance(33 * MINUTE)
  await runAll(settle)
  expect(await readStates(late)).toEqual(['in_doubt'])
  parts.clock.advance(2 * MINUTE)
  await endLooks()
  await runAll(settle)
  expect(await readStates(late)).toEqual(['needs_review'])
  expect(hanging).toEqual([])
})

test('after a long outage, a vendor that answers is asked before bookings go to review', async () => {
  const ids = await add('scripted', 20)
  parts.clock.advance(90 * MINUTE)
  await runAll(createSettleWorker(createDeps()))
  expect(await readStates(ids)).toEqual(['confirmed'])
})

test('bookings of a vendor that is no longer configured go to review in the end', async () => {
  const ids = await add('gone', 20)
  const settle = createSettleWorker(createDeps())
  for (let minute = 0; minute < 36; minute += 1) {
    parts.clock.advance(MINUTE)
    await runAll(settle)
    if (minute < 33) expect(await readStates(ids)).toEqual(['in_doubt'])
  }
  expect(await readStates(ids)).toEqual(['needs_review'])
})

test('a lookup that fails after its run has ended is reported, and its slot is free again', async () => {
  await add('hangs', 8)
  parts.clock.advance(1_000)
  const lost = new Error('the database is gone')
  const bugs: [unknown, Booking][] = []
  const deps = createDeps()
  const bookings = { ...deps.bookings, postpone: () => Promise.reject(lost) }
  const settle = createSettleWorker({ ...deps, bookings, onBug: (error, booking) => void bugs.push([error, booking]) })
  await runAll(settle)
  await endLooks()
  expect(bugs.filter(([error]) => error === lost).length).toBeGreaterThanOrEqual(8)
  parts.clock.advance(MINUTE)
  await runAll(settle)
  expect(hanging).toHaveLength(8)
  await endLooks()
})
