import { expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { createVendorHealthStore } from '../../../src/operator/store/vendor-health.ts'
import { createCountVendors } from '../../../src/operator/vendors/count-vendors.ts'
import { aBooking, BY_ACCOUNT, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const NOON = Date.parse('2027-01-15T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

onBothDatabases('figures of vendors', (open) => {
  const store = () => createVendorHealthStore(open())
  const aProcess = (name: string, clock = manualClock(NOON)) =>
    createCountVendors({ store: store(), clock, process: name })
  const answered = (vendor: string, ms: number) =>
    ({ vendor, operation: 'availability', status: 200, fault: undefined, ms }) as const

  test('the figures of several processes add up, even if they write at the same time', async () => {
    const processes = Array.from({ length: 4 }, (_, i) => aProcess(`node ${i}`))
    for (let round = 0; round < 5; round += 1) {
      for (const counter of processes) {
        for (const ms of [10, 30, 300, 3_000]) counter.onCall(answered('sums', ms))
        counter.onSearch('acc_1', ['sums', 'sums-2'])
        counter.onSearch('gst_1', ['sums'])
        counter.onSearch('gst_2', ['sums'])
      }
      await Promise.all(processes.map((counter) => counter.write([])))
    }
    const mine = <T extends { vendor_id: string }>(rows: readonly T[]) =>
      rows.filter(({ vendor_id }) => vendor_id === 'sums')
    for (const rows of [await store().calls(5, NOON), await store().calls(60, NOON)])
      expect(
        mine(rows)
          .map(({ up_to_ms, calls }) => [up_to_ms, calls])
          .sort((a, b) => Number(a[0]) - Number(b[0])),
      ).toEqual([
        [25, 20],
        [50, 20],
        [500, 20],
        [4_000, 20],
      ])
    expect(mine(await store().callTotals(60, NOON)).reduce((sum, { calls }) => sum + calls, 0)).toBe(80)
    const searches = (await store().searches('2027-01-15')).filter(({ vendorId }) => vendorId.startsWith('sums'))
    expect(searches.map(({ vendorId, accountId, count }) => `${vendorId} ${accountId} ${count}`).sort()).toEqual([
      'sums acc_1 20',
      'sums guests 40',
      'sums-2 acc_1 20',
    ])
  })

  test('a call is counted in its five minutes and its hour, even if several spans are written at once', async () => {
    const clock = manualClock(NOON)
    const counter = aProcess('spans', clock)
    for (const minutes of [0, 5, 55]) {
      clock.advance(minutes * MINUTE)
      counter.onCall(answered('spans', 10))
    }
    await counter.write([])
    const listSpans = async (minutes: 5 | 60) =>
      (await store().calls(minutes, NOON))
        .filter(({ vendor_id }) => vendor_id === 'spans')
        .map(({ began_at, calls }) => [(began_at - NOON) / MINUTE, calls])
        .sort((a, b) => Number(a[0]) - Number(b[0]))
    expect(await listSpans(5)).toEqual([
      [0, 1],
      [5, 1],
      [60, 1],
    ])
    expect(await listSpans(60)).toEqual([
      [0, 2],
      [60, 1],
    ])
  })

  test('figures that could not be written are added to the next write', async () => {
    const real = store()
    let isDown = true
    const failingStore = {
      add: (...figures: Parameters<typeof real.add>) =>
        isDown ? Promise.reject(new Error('away')) : real.add(...figures),
    }
    const counter = createCountVendors({ store: failingStore, clock: manualClock(NOON), process: 'away' })
    counter.onCall(answered('away', 10))
    counter.onSearch('acc_1', ['away'])
    await expect(counter.write([])).rejects.toThrow('away')
    counter.onCall(answered('away', 10))
    isDown = false
    await counter.write([])
    const rows = (await real.calls(5, NOON)).filter(({ vendor_id }) => vendor_id === 'away')
    expect(rows.map(({ calls }) => calls)).toEqual([2])
    const searches = (await real.searches('2027-01-15')).filter(({ vendorId }) => vendorId === 'away')
    expect(searches.map(({ count }) => count)).toEqual([1])
  })

  test('each process reports the state of its breakers, and outdated reports are ignored', async () => {
    const clock = manualClock(NOON)
    const counter = aProcess('node-1 7', clock)
    const state = (name: 'open' | 'half_open' | 'closed') =>
      [{ vendorId: 'brk', callClass: 'search', state: name, underWay: 3, heldUntil: undefined }] as const
    await counter.write(state('open'))
    clock.advance(15_000)
    await counter.write(state('half_open'))
    await aProcess('node-2 7').write(state('closed'))
    const rows = async (seenSince: number) =>
      (await store().breakers(seenSince))
        .filter(({ vendor_id }) => vendor_id === 'brk')
        .map(({ process, state: is, since, under_way }) => [process, is, since, under_way])
        .sort()
    expect(await rows(NOON)).toEqual([
      ['node-1 7', 'half_open', NOON, 3],
      ['node-2 7', 'closed', NOON, 3],
    ])
    expect(await rows(NOON + 10_000)).toEqual([['node-1 7', 'half_open', NOON, 3]])
  })

  test('bookings are counted by vendor and account, except rejected and simulated ones', async () => {
    const bookings = createBookingStore(open(), storeKeys)
    const add = async (name: string, more: Parameters<typeof aBooking>[0], state = 'confirmed') => {
      const booking = aBooking({
        bookingId: `bkg_${name}`,
        reference: `REF${name}`,
        vendorId: 'cnt',
        createdAt: NOON,
        ...more,
      })
      await bookings.create(
        booking,
        { offerId: `off_${name}`, idempotencyKey: name, fingerprint: name },
        1,
        0,
        BY_ACCOUNT,
      )
      await open().write((tx) =>
        tx
          .updateTable('bookings')
          .set({ state: state as 'confirmed' })
          .where('booking_id', '=', `bkg_${name}`)
          .execute(),
      )
    }
    await add('h1', { accountId: 'acc_h' })
    await add('h2', { accountId: 'acc_h' }, 'cancelled')
    await add('h3', { accountId: 'acc_h' }, 'rejected')
    await add('h4', { accountId: 'acc_h', simulated: true })
    await add('h5', { accountId: 'acc_h', createdAt: NOON - 1 })
    const found = (await store().bookings(NOON)).filter(({ vendorId }) => vendorId === 'cnt')
    expect(found).toEqual([{ vendorId: 'cnt', accountId: 'acc_h', count: 2 }])
  })

  test('old figures are deleted, each kind by its own age', async () => {
    const clock = manualClock(NOON)
    const counter = aProcess('old', clock)
    counter.onCall(answered('old', 10))
    counter.onSearch('acc_1', ['old'])
    await counter.write([{ vendorId: 'old', callClass: 'book', state: 'closed', underWay: 0, heldUntil: undefined }])
    await store().deleteOld({ slots: NOON + HOUR, hours: NOON, breakers: NOON, day: '2027-01-15' })
    const left = async () => ({
      slots: (await store().calls(5, 0)).filter(({ vendor_id }) => vendor_id === 'old').length,
      hours: (await store().calls(60, 0)).filter(({ vendor_id }) => vendor_id === 'old').length,
      breakers: (await store().breakers(0)).filter(({ vendor_id }) => vendor_id === 'old').length,
      searches: (await store().searches('')).filter(({ vendorId }) => vendorId === 'old').length,
    })
    expect(await left()).toEqual({ slots: 0, hours: 1, breakers: 1, searches: 1 })
    await store().deleteOld({ slots: 0, hours: NOON + HOUR, breakers: NOON + HOUR, day: '2027-01-16' })
    expect(await left()).toEqual({ slots: 0, hours: 0, breakers: 0, searches: 0 })
  })
})
