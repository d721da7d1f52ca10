import { expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { createErasureStore } from '../../../src/booking/store/erasure.ts'
import type { Booking, BookingState } from '../../../src/domain/booking/booking.ts'
import { aBooking, BY_ACCOUNT, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const ADA = { givenName: 'Ada', familyName: 'Lovelace', email: 'Ada@example.com', phone: '+44 1' }
const persons = { guests: [ADA], contact: { email: '', phone: '' }, specialRequests: 'quiet' }
const NO_PERSONS = { guests: [], contact: { email: '', phone: '' }, specialRequests: '' }
let serial = 0

onBothDatabases('erasing persons', (open) => {
  const bookings = () => createBookingStore(open(), storeKeys)
  const erasures = () => createErasureStore(open(), storeKeys, ({ status }) => ({ status, body: 'without' }))

  async function book(states: readonly BookingState[] = ['confirmed'], more: Partial<Booking> = {}): Promise<string> {
    serial += 1
    const bookingId = `bkg_${serial}`
    const booking = aBooking({ bookingId, reference: `REF${serial}`, state: 'submitting', persons, ...more })
    const keys = { offerId: `off_${serial}`, idempotencyKey: `k${serial}`, fingerprint: 'f' }
    await bookings().create(booking, keys, START, 0, BY_ACCOUNT)
    let from: BookingState = 'submitting'
    for (const to of states) {
      await bookings().move(bookingId, from, to, {
        at: START,
        by: BY_ACCOUNT,
        dueAt: null,
        presentAnswer: () => ({ status: 201, body: 'with Ada' }),
      })
      from = to
    }
    return bookingId
  }

  test('erasing a booking empties its persons, its answer, and its mails', async () => {
    const id = await book()
    const mail = { kind: 'confirmed', created_at: 1, attempts: 0, error: null, content: 'sealed' }
    await open().write(async (tx) => {
      await tx
        .insertInto('mails')
        .values({ ...mail, booking_id: id, sequence: 1, outcome: null })
        .execute()
      await tx
        .insertInto('mails')
        .values({ ...mail, booking_id: id, sequence: 2, outcome: 'sent' })
        .execute()
    })
    expect(await erasures().erase(id, START + 5)).toBe(true)
    expect(await bookings().any(id)).toMatchObject({
      persons: NO_PERSONS,
      personsErasedAt: START + 5,
      updatedAt: START + 5,
    })
    const earlier = await bookings().earlier('acc_1', `k${serial}`, '', START)
    expect(earlier?.answer).toEqual({ status: 201, body: 'without' })
    const query = open().read.selectFrom('mails').select(['content', 'outcome']).where('booking_id', '=', id)
    expect(await query.orderBy('sequence').execute()).toEqual([
      { content: null, outcome: 'erased' },
      { content: null, outcome: 'sent' },
    ])
    expect(await erasures().erase(id, START + 9), 'once').toBe(false)
  })

  test('an erased booking is no longer read at its vendor, who would send the persons again', async () => {
    const id = await book()
    const { reference } = (await bookings().any(id)) ?? expect.fail('no booking')
    const prompt = () => bookings().promptReadings('scripted', [reference], START)
    const claim = () => bookings().claimReadings(START, 60_000, { perMinute: 60_000, most: 8 })
    expect(await prompt()).toBe(1)
    const [begun = expect.fail('no reading')] = await claim()
    await erasures().erase(id, START)
    const said = { state: 'confirmed', vendorReference: 'V1', guests: [ADA] } as const
    expect(await bookings().finishReading(begun, { at: START, outcome: 'same', said })).toBeUndefined()
    expect(await prompt()).toBe(0)
    expect(await claim()).toEqual([])
    expect(await bookings().readings(id)).toEqual([])
  })

  test('of two concurrent erasures one takes effect', async () => {
    const id = await book()
    const both = await Promise.all([erasures().erase(id, START), erasures().erase(id, START)])
    expect(both.sort()).toEqual([false, true])
  })

  test('settled bookings that still name persons are due for erasure once their stay ended before the given day', async () => {
    const dates = { checkIn: '2020-01-01', checkOut: '2020-01-05', occupancies: [{ adults: 2, childrenAges: [] }] }
    const [old, unsettled] = [await book(['confirmed'], { stay: dates }), await book(['needs_review'], { stay: dates })]
    const dueBefore = async (day: string) => (await erasures().due(day, 100)).map(({ bookingId }) => bookingId)
    expect(await dueBefore('2020-01-05')).toEqual([])
    expect(await dueBefore('2020-01-06')).toEqual([old])
    expect(await erasures().byId(unsettled)).toMatchObject({ state: 'needs_review' })
    await erasures().erase(old, START)
    expect(await dueBefore('2020-01-06')).toEqual([])
  })

  test('a guest who was replaced by an amendment is found by e-mail and erased as well', async () => {
    const id = await book()
    const guest = (name: string) => ({ givenName: name, familyName: name, email: `${name}@example.com`, phone: '' })
    for (const name of ['first', 'second', 'third']) {
      const { persons: before } = (await bookings().any(id)) ?? expect.fail('no booking')
      const after = { ...before, guests: [guest(name)] }
      await bookings().amend(id, { before, after }, { at: START, by: BY_ACCOUNT })
    }
    const found = async (email: string) => (await erasures().withEmail(email)).map(({ bookingId }) => bookingId)
    for (const name of ['ada', 'FIRST', 'second', 'third']) expect(await found(`${name}@example.com`)).toContain(id)
    await erasures().erase(id, START)
    expect((await bookings().any(id))?.persons).toEqual(NO_PERSONS)
    expect(await found('first@example.com')).toEqual([])
  })

  test('bookings are found by e-mail across several batches', async () => {
    const other = { ...persons, guests: [{ ...ADA, email: 'other@example.com' }] }
    const first = await book(['confirmed'], {
      persons: { ...other, contact: { email: 'grace@example.com', phone: '' } },
    })
    for (let count = 0; count < 250; count += 1) await book([], { persons: other })
    const last = await book(['confirmed'], {
      persons: { ...persons, guests: [{ ...ADA, email: 'GRACE@example.com' }] },
    })
    const found = (await erasures().withEmail(' Grace@Example.com ')).map(({ bookingId }) => bookingId)
    expect(found.sort()).toEqual([first, last].sort())
  })
})
