import { expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { createReadNumbers } from '../../../src/operator/statements/read-numbers.ts'
import { createNumbersStore } from '../../../src/operator/store/numbers.ts'
import { createVendorHealthStore } from '../../../src/operator/store/vendor-health.ts'
import { createCountVendors } from '../../../src/operator/vendors/count-vendors.ts'
import { aBooking, aPrice, BY_ACCOUNT, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const NOON = Date.parse('2027-01-15T12:00:00Z')
const DAY = 86_400_000
const RATES = { date: '2027-01-01', rates: { EUR: 1 } }

onBothDatabases('figures of the start page', (open) => {
  test('bookings, searches, doubts and errors are counted by day and vendor, without simulated bookings', async () => {
    const database = open()
    const clock = manualClock(NOON)
    const bookings = createBookingStore(database, storeKeys)
    const counter = createCountVendors({ store: createVendorHealthStore(database), clock, process: 'node' })
    const call = { vendor: 'numbers', operation: 'find', fault: undefined, ms: 10 }
    for (const status of [200, 200, 500]) counter.onCall({ ...call, status })
    counter.onSearch('acc_1', ['numbers'])
    counter.onSearch('gst_1', ['numbers'])
    await counter.write([])
    let serial = 0
    const add = async (daysAgo: number, simulated: boolean, inDoubt: boolean) => {
      serial += 1
      const createdAt = NOON - daysAgo * DAY
      const bookingId = `bkg_numbers_${serial}`
      const more = { bookingId, reference: `NUM${serial}`, vendorId: 'numbers', createdAt, simulated }
      const booking = aBooking({ ...more, state: 'submitting', price: aPrice(10_000) })
      const keys = { offerId: `off_${bookingId}`, idempotencyKey: bookingId, fingerprint: 'f' }
      await bookings.create(booking, keys, createdAt, createdAt, BY_ACCOUNT)
      const facts = { at: createdAt, by: BY_ACCOUNT, dueAt: null }
      if (inDoubt) await bookings.move(bookingId, 'submitting', 'in_doubt', facts)
      await bookings.move(bookingId, inDoubt ? 'in_doubt' : 'submitting', 'confirmed', facts)
    }
    await add(0, false, false)
    await add(0, true, true)
    await add(7, false, true)
    await add(20, false, false)
    const read = createReadNumbers({ store: createNumbersStore(database), clock, rates: () => RATES })
    const { from, asOf, days } = await read()
    expect([from, asOf]).toEqual(['2027-01-01', NOON])
    const own = days.filter(({ vendorId }) => vendorId === 'numbers')
    expect(own).toEqual([
      {
        ...{ day: '2027-01-08', vendorId: 'numbers', bookings: 1, value: 10_000, margin: 0 },
        ...{ searches: 0, doubts: 1, calls: 0, errors: 0 },
      },
      {
        ...{ day: '2027-01-15', vendorId: 'numbers', bookings: 1, value: 10_000, margin: 0 },
        ...{ searches: 2, doubts: 0, calls: 3, errors: 1 },
      },
    ])
    await add(0, false, false)
    expect((await read()).days.filter(({ vendorId }) => vendorId === 'numbers')).toEqual(own)
    clock.advance(5 * 60_000)
    expect(
      (await read()).days.find(({ day, vendorId }) => day === '2027-01-15' && vendorId === 'numbers'),
    ).toMatchObject({
      bookings: 2,
    })
  })
})
