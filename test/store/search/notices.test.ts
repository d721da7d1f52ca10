import { expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { createRateRemarks } from '../../../src/catalogue/properties/rate-remarks.ts'
import { createRateRemarksStore } from '../../../src/catalogue/store/rate-remarks.ts'
import type { Notice } from '../../../src/domain/offer.ts'
import { hashNotice } from '../../../src/domain/property/notices.ts'
import { createNoticeTexts } from '../../../src/search/store/notice-texts.ts'
import type { RemarksQuery, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { aBooking, BY_ACCOUNT, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const DAY_MS = 86_400_000
const notice = (text: string): Notice => ({ kind: 'fees', title: 'Fees', text, requiredAt: ['detail', 'voucher'] })
const context = { signal: new AbortController().signal, requestId: 'req' }

onBothDatabases('notices', (open) => {
  test('notice texts stored by one process are read by another in the requested order', async () => {
    const database = open()
    const clock = manualClock(START)
    const all = [notice('Cash only.'), notice('Καλώς ήρθατε 🙂'), { ...notice('See there.'), url: 'https://x.example' }]
    await createNoticeTexts(database, clock).keep(all)
    const keys = all.map(hashNotice).reverse()
    expect(await createNoticeTexts(database, clock).read(keys)).toEqual([...all].reverse())
    expect(await createNoticeTexts(database, clock).read([...keys, 'never kept'])).toBeUndefined()
  })

  test('texts that are read from the database do not displace cached ones of the same offer', async () => {
    const database = open()
    const clock = manualClock(START)
    const cached = notice('Bring your own towels.')
    const long = ['a', 'b', 'c', 'd'].map((letter) => notice(letter.repeat(2 ** 20)))
    const texts = createNoticeTexts(database, clock)
    await texts.keep([cached])
    await createNoticeTexts(database, clock).keep(long)
    expect(await texts.read([cached, ...long].map(hashNotice))).toEqual([cached, ...long])
  })

  test('a notice text is rewritten after a day and deleted two days after its last use', async () => {
    const database = open()
    const clock = manualClock(START)
    await database.write((tx) => tx.deleteFrom('notice_texts').execute())
    const texts = createNoticeTexts(database, clock)
    const expiries = async () =>
      (await database.read.selectFrom('notice_texts').selectAll().execute()).map((row) => Number(row.expires_at))
    await texts.keep([notice('Cash only.')])
    clock.advance(DAY_MS / 2)
    await texts.keep([notice('Cash only.')])
    expect(await expiries()).toEqual([START + 2 * DAY_MS])
    clock.advance(DAY_MS)
    await texts.keep([notice('Cash only.')])
    expect(await expiries()).toEqual([START + 3.5 * DAY_MS])
    expect(await texts.deleteExpired()).toBe(0)
    clock.advance(2.1 * DAY_MS)
    expect(await texts.deleteExpired()).toBe(1)
    expect(await expiries()).toEqual([])
  })

  test('later confirmation numbers are merged with the earlier ones, with one event per change', async () => {
    const database = open()
    const events: unknown[] = []
    const bookings = createBookingStore(database, storeKeys, async (_, booking, event) => {
      if (event.kind === 'confirmation_number') events.push([event.sequence, booking.confirmation])
    })
    const keys = { offerId: 'off_1', idempotencyKey: 'k', fingerprint: 'f' }
    await bookings.create(aBooking({ state: 'submitting' }), keys, START, START, BY_ACCOUNT)
    const first = { vendor: 'V1', rooms: [{ vendor: 'V1-1' }, { vendor: 'V1-2' }] }
    await bookings.move('bkg_1', 'submitting', 'confirmed', {
      at: START,
      by: BY_ACCOUNT,
      dueAt: null,
      vendorReference: 'V1',
      confirmation: first,
      notices: [notice('At the desk.')],
    })
    expect(await bookings.get('acc_1', 'bkg_1')).toMatchObject({
      confirmation: first,
      notices: [{ text: 'At the desk.' }],
    })
    expect(await bookings.noteNumbers('bkg_1', first, START + 1, BY_ACCOUNT)).toBeUndefined()
    const later = { vendor: 'V1', property: 'H9', rooms: [{}, { property: 'H9' }] }
    const all = { vendor: 'V1', property: 'H9', rooms: [{ vendor: 'V1-1' }, { vendor: 'V1-2', property: 'H9' }] }
    expect(await bookings.noteNumbers('bkg_1', later, START + 2, BY_ACCOUNT)).toMatchObject({ confirmation: all })
    expect(await bookings.noteNumbers('bkg_1', later, START + 3, BY_ACCOUNT)).toBeUndefined()
    expect((await bookings.get('acc_1', 'bkg_1'))?.confirmation).toEqual(all)
    expect(events).toEqual([[4, all]])
    expect((await bookings.events('bkg_1')).at(-1)).toMatchObject({ kind: 'confirmation_number', to: 'confirmed' })
  })

  test('confirmation numbers of an unconfirmed booking are not stored', async () => {
    const bookings = createBookingStore(open(), storeKeys)
    const keys = { offerId: 'off_2', idempotencyKey: 'k2', fingerprint: 'f' }
    const unconfirmed = aBooking({ state: 'submitting', bookingId: 'bkg_2', reference: 'REF00000000000000002' })
    await bookings.create(unconfirmed, keys, START, START, BY_ACCOUNT)
    expect(await bookings.noteNumbers('bkg_2', { vendor: 'V1', rooms: [] }, START, BY_ACCOUNT)).toBeUndefined()
  })

  test('rate remarks for the arrival day come from the local copy, and missing ones are fetched for the next request', async () => {
    const database = open()
    const asked: RemarksQuery[] = []
    let isDown = true
    const vendor = {
      id: 'alpha',
      async *remarks(query: RemarksQuery) {
        asked.push(query)
        if (query.kind === 'feed') {
          const summer = { ref: '1|2|3', from: '2027-01-01', until: '2027-06-30', text: 'In summer: pool closed.' }
          const winter = { ref: '1|2|3', from: '2027-07-01', text: 'In winter: no heating.' }
          if (query.cursor === undefined) yield { remarks: [summer, winter], cursor: '2' }
          yield { remarks: [{ ref: '9|9|9', text: 'Bring a towel.' }], cursor: undefined }
        } else if (isDown) throw new VendorError('alpha', 'unavailable', 'none')
        else {
          const remarks = query.refs.filter((ref) => ref === 'known').map((ref) => ({ ref, text: 'Adults only.' }))
          yield { remarks, cursor: undefined }
        }
      },
    } as unknown as Vendor
    const remarks = createRateRemarks({
      store: createRateRemarksStore(database),
      vendors: [vendor],
      clock: manualClock(START),
      onBug: (error) => expect(error).toBeUndefined(),
    })
    const texts = async (ref: string, day: string) =>
      (await remarks.read('alpha', [ref], day)).get(ref)?.map(({ text }) => text)
    expect(await remarks.sync(vendor, context, async () => false)).toBe(false)
    expect(await remarks.sync(vendor, context, async () => false)).toBe(true)
    expect(asked).toMatchObject([{ kind: 'feed' }, { kind: 'feed', cursor: '2' }])
    expect(await texts('9|9|9', '2027-06-30')).toEqual(['Bring a towel.'])
    expect(await texts('1|2|3', '2027-06-30')).toEqual(['In summer: pool closed.'])
    expect(await texts('1|2|3', '2027-07-01')).toEqual(['In winter: no heating.'])
    expect(asked).toHaveLength(2)

    expect(await texts('known', '2027-06-30')).toEqual([])
    await expect.poll(() => asked.length).toBe(3)
    isDown = false
    await expect
      .poll(async () => [await texts('known', '2027-06-30'), await texts('unknown', '2027-06-30')])
      .toEqual([['Adults only.'], []])
    const before = asked.length
    await remarks.stop()
    await texts('unknown', '2027-06-30')
    expect(asked).toHaveLength(before)
  })
})
