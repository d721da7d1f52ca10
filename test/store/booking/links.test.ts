import { expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { createLinkStore } from '../../../src/booking/store/links.ts'
import { aBooking, BY_ACCOUNT, START, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

onBothDatabases('the store of links to bookings', (open) => {
  test('each revocation increases the version of the booking, and of no other', async () => {
    const bookings = createBookingStore(open(), storeKeys)
    const links = createLinkStore(open(), storeKeys)
    for (const id of ['a', 'b']) {
      const booking = aBooking({ bookingId: `bkg_${id}`, reference: `REF${id}` })
      const keys = { offerId: `off_${id}`, idempotencyKey: `key_${id}`, fingerprint: id }
      expect(await bookings.create(booking, keys, START, 0, BY_ACCOUNT)).toBe(true)
    }
    const accountId = aBooking().accountId
    expect(await links.find('bkg_a')).toEqual({ accountId, version: 0 })
    for (const version of [1, 2]) {
      await links.revoke('bkg_a', START)
      expect(await links.find('bkg_a')).toEqual({ accountId, version })
    }
    expect(await links.find('bkg_b')).toEqual({ accountId, version: 0 })
    expect(await links.find('bkg_c')).toBe(undefined)
    expect((await links.byReference('REFb'))?.bookingId).toBe('bkg_b')
    expect(await links.byReference('REFc')).toBe(undefined)
  })
})
