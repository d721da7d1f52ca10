import { expect, test } from 'vitest'
import { type BookingStore, createBookingStore } from '../../../src/booking/store/bookings.ts'
import { readingRetryMs } from '../../../src/domain/booking/reading-schedule.ts'
import { countOverdue } from '../../../src/store/tasks.ts'
import { aBooking, BY_ACCOUNT, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const MINUTE = 60_000
const LEASE = MINUTE
const QUOTA = { perMinute: 60_000, most: 8 }
let count = 0

async function confirmed(store: BookingStore, vendorId: string, quantity: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < quantity; made += 1) {
    count += 1
    const bookingId = `bkg_${count}`
    const booking = aBooking({ bookingId, reference: `READ${count}`, vendorId, state: 'submitting' })
    const keys = { offerId: `read_${count}`, idempotencyKey: `read_${count}`, fingerprint: 'f' }
    await store.create(booking, keys, START, 0, BY_ACCOUNT)
    await store.move(bookingId, 'submitting', 'confirmed', { at: START, by: BY_ACCOUNT, dueAt: null })
    ids.push(bookingId)
  }
  return ids
}

onBothDatabases('readings', (open) => {
  const openStore = () => createBookingStore(open(), storeKeys)

  test('overdue readings are counted with their age, and readings that keep failing are counted separately', async () => {
    const store = openStore()
    await confirmed(store, 'v_late', 2)
    const due = START + 13 * MINUTE
    const overdue = async (now: number) => {
      const all = await countOverdue(open().read, now)
      const { kind: _, ...read } = all.find(({ kind }) => kind === 'read') ?? expect.fail('no figures')
      return read
    }
    const none = { overdue: 0, overdueSince: undefined, failing: 0, failingSince: undefined }
    expect(await overdue(START + 9 * MINUTE)).toEqual(none)
    const late = await overdue(due + 60 * MINUTE)
    expect(late.overdue).toBe(2)
    expect(late.overdueSince).toBeGreaterThanOrEqual(START + 10 * MINUTE)
    expect(late.overdueSince).toBeLessThanOrEqual(START + 12 * MINUTE)
    let now = due
    for (let failures = 0; failures < 6; failures += 1) {
      const claims = await store.claimReadings(now, LEASE, QUOTA)
      const dueAt = now + readingRetryMs(failures)
      for (const claim of claims) await store.postponeReading(claim, dueAt)
      now = dueAt
    }
    const failing = await overdue(now - 1)
    expect(failing, 'none is due, but both have failed').toEqual({
      ...none,
      failing: 2,
      failingSince: late.overdueSince,
    })
    for (const claim of await store.claimReadings(now, LEASE, QUOTA)) await store.postponeReading(claim, null)
    expect(await overdue(now), 'the guests have left').toEqual(none)
  })

  test('a failed reading does not postpone another one requested meanwhile', async () => {
    const [id = ''] = await confirmed(openStore(), 'v_told', 1)
    const due = START + 13 * MINUTE
    const claim = async (now: number) => (await openStore().claimReadings(now, LEASE, QUOTA)).find(isOurs)
    const isOurs = ({ booking }: { booking: { bookingId: string } }) => booking.bookingId === id
    const begun = (await claim(due)) ?? expect.fail('not due')
    expect(await openStore().promptReadings('v_told', [begun.booking.reference], due + 1_000)).toBe(1)
    await openStore().postponeReading(begun, due + 60 * MINUTE)
    const again = (await claim(due + 2_000)) ?? expect.fail('put off')
    expect(again.failures).toBe(1)
    await openStore().postponeReading(again, due + 60 * MINUTE)
    expect(await claim(due + 59 * MINUTE)).toBeUndefined()
    await openStore().postponeReading((await claim(due + 60 * MINUTE)) ?? expect.fail('not due'), null)
    expect(await claim(due + 90 * MINUTE)).toBeUndefined()
  })

  test('all processes share the quota of each vendor and spread its readings evenly', async () => {
    await confirmed(openStore(), 'v_quota', 30)
    await confirmed(openStore(), 'v_other', 2)
    const begin = START + 20 * MINUTE
    const taken: number[] = []
    let others = 0
    for (let second = 0; second < 4 * 60; second += 5) {
      const rounds = [0, 1, 2].map(() =>
        openStore().claimReadings(begin + second * 1_000, 9 * MINUTE, { perMinute: 6, most: 8 }),
      )
      for (const { booking } of (await Promise.all(rounds)).flat()) {
        if (booking.vendorId === 'v_quota') taken.push(second)
        if (booking.vendorId === 'v_other') others += 1
      }
    }
    expect(others).toBe(2)
    // Four at once, then one every ten seconds.
    expect(taken.length).toBeGreaterThanOrEqual(26)
    expect(taken.length).toBeLessThanOrEqual(4 + 24)
    expect(taken.filter((second) => second >= 60 && second < 120)).toHaveLength(6)
  })

  test('a hold takes the lease from a running reading, and no reading starts before the hold ends', async () => {
    const store = openStore()
    await confirmed(store, 'v_held', 1)
    const now = START + 13 * MINUTE
    const claim = async (time: number) =>
      (await store.claimReadings(time, LEASE, QUOTA)).find(({ booking }) => booking.vendorId === 'v_held')
    const held = (await claim(now)) ?? expect.fail('nothing to read')
    // A hold that ends with the lease, to the millisecond, is still distinct from it.
    await store.holdReading(held.booking.bookingId, held.task.lease_until)
    expect(await store.finishReading(held, { at: now, outcome: 'same' })).toBeUndefined()
    await store.postponeReading(held, null)
    expect(await claim(held.task.lease_until)).toBeUndefined()
    const again = (await claim(held.task.lease_until + 1)) ?? expect.fail('it is still due')
    expect(await store.finishReading(again, { at: now, outcome: 'same' })).toBeDefined()
    await store.holdReading(held.booking.bookingId, now + MINUTE)
    expect(await claim(now)).toBeUndefined()
  })

  test('readings in progress reduce only the claims of their own vendor', async () => {
    const store = openStore()
    await confirmed(store, 'v_busy', 9)
    await confirmed(store, 'v_idle', 1)
    const busy = Array.from({ length: 7 }, () => 'v_busy')
    const claims = await store.claimReadings(START + 13 * MINUTE, LEASE, { ...QUOTA, busy })
    const ours = claims.map(({ booking }) => booking.vendorId).filter((id) => id === 'v_busy' || id === 'v_idle')
    expect(ours.toSorted()).toEqual(['v_busy', 'v_idle'])
  })

  test('a reading is stored encrypted, with the data from the vendor', async () => {
    const store = openStore()
    const [id = ''] = await confirmed(store, 'v_sealed', 1)
    const now = START + 13 * MINUTE
    const claims = await store.claimReadings(now, LEASE, QUOTA)
    const held = claims.find(({ booking }) => booking.bookingId === id)
    const said = {
      state: 'confirmed',
      vendorReference: 'V1',
      guests: [{ givenName: 'Grace', familyName: 'Hopper' }],
    } as const
    if (held) await store.finishReading(held, { at: now, outcome: 'same', said })
    expect(await store.readings(id)).toEqual([{ at: now, outcome: 'same', said }])
    const [row] = await open().read.selectFrom('booking_readings').selectAll().where('booking_id', '=', id).execute()
    expect(row?.said).not.toContain('Hopper')
  })
})
