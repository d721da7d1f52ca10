import { expect, test } from 'vitest'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createGuestStore } from '../../../src/accounts/store/guests.ts'
import { createPageSessionStore } from '../../../src/accounts/store/page-sessions.ts'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import { aBooking, BY_ACCOUNT, storeKeys } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const account = (id: string) => ({
  id,
  email: `${id}@example.com`,
  name: 'Ana',
  role: 'client' as const,
  passwordHash: 'hash',
  createdAt: 1,
  disabledAt: undefined,
})
const session = (hash: string, ownerId: string, isGuest = false) => ({
  hash,
  ownerId,
  isGuest,
  createdAt: 10,
  expiresAt: 100,
})

onBothDatabases('sessions of the page', (open) => {
  test('a page session is valid until it expires, ends, or its account is disabled', async () => {
    const sessions = createPageSessionStore(open())
    const accounts = createAccountStore(open())
    await accounts.add(account('acc_s1'))
    await sessions.begin(session('s1', 'acc_s1'))
    await sessions.begin(session('s2', 'acc_s1'))
    await sessions.begin(session('g1', 'gst_s1', true))
    expect(await sessions.owner('s1', 99)).toMatchObject({ ownerId: 'acc_s1', isGuest: false, name: 'Ana' })
    expect(await sessions.owner('g1', 99)).toMatchObject({ ownerId: 'gst_s1', isGuest: true, email: '' })
    expect(await sessions.owner('s1', 100)).toBeUndefined()
    await sessions.end('s1')
    expect(await sessions.owner('s1', 50)).toBeUndefined()
    await accounts.disable('acc_s1@example.com', 60)
    expect(await sessions.owner('s2', 70)).toBeUndefined()
    await accounts.setPassword('acc_s1@example.com', 'new', 70)
    expect(await sessions.owner('s2', 70)).toBeUndefined()
  })

  test('expired page sessions are deleted, including those of guests', async () => {
    const sessions = createPageSessionStore(open())
    await sessions.begin(session('g2', 'gst_s2', true))
    await sessions.deleteExpired(101)
    expect(await sessions.owner('g2', 50)).toBeUndefined()
  })

  test('signing in with an outdated password starts no session and leaves the guest session unchanged', async () => {
    const [sessions, guests] = [createPageSessionStore(open()), createGuestStore(open())]
    await createAccountStore(open()).add(account('acc_s9'))
    const before = { hash: 'g9', guestId: 'gst_s9' }
    await sessions.begin(session('g9', 'gst_s9', true))
    expect(await sessions.begin({ ...session('s9', 'acc_s9'), passwordHash: 'an earlier hash' }, before)).toBe(false)
    expect(await sessions.owner('s9', 50)).toBeUndefined()
    expect(await sessions.owner('g9', 50)).toMatchObject({ ownerId: 'gst_s9' })
    expect(await guests.accountOf('gst_s9')).toBeUndefined()
    expect(await sessions.begin({ ...session('s9', 'acc_s9'), passwordHash: 'hash' }, before)).toBe(true)
    expect(await sessions.owner('s9', 50)).toMatchObject({ ownerId: 'acc_s9' })
  })

  test('a guest belongs to the first account it signs in to', async () => {
    const [sessions, guests] = [createPageSessionStore(open()), createGuestStore(open())]
    await sessions.begin(session('s3', 'acc_s3'), { hash: 'g3', guestId: 'gst_s3' })
    await sessions.begin(session('s4', 'acc_s4'), { hash: 'g3', guestId: 'gst_s3' })
    expect(await guests.accountOf('gst_s3')).toBe('acc_s3')
    await guests.deleteOld(11)
    expect(await guests.accountOf('gst_s3')).toBeUndefined()
  })

  test('bookings move with the guest, even late ones and those whose idempotency key the account has used as well', async () => {
    const database = open()
    const bookings = createBookingStore(database, storeKeys)
    const [sessions, guests] = [createPageSessionStore(database), createGuestStore(database)]
    const add = (accountId: string, name: string, idempotencyKey: string) => {
      const keys = { offerId: `off_${name}`, idempotencyKey, fingerprint: name }
      const booking = aBooking({ bookingId: `bkg_${name}`, reference: `REF_${name}`, accountId })
      return bookings.create(booking, keys, 1, 0, BY_ACCOUNT)
    }
    await add('acc_s5', 'a', 'same')
    await add('gst_s5', 'b', 'same')
    await add('gst_s5', 'c', 'other')
    await sessions.begin(session('s5', 'acc_s5'), { hash: 'g5', guestId: 'gst_s5' })
    const listOfferIds = async (accountId: string) =>
      (await database.read.selectFrom('bookings').select('offer_id').where('account_id', '=', accountId).execute())
        .map(({ offer_id }) => offer_id)
        .sort()
    expect(await listOfferIds('acc_s5')).toEqual(['off_a', 'off_b', 'off_c'])
    await add('gst_s5', 'd', 'late')
    await guests.moveLateBookings(10)
    expect(await listOfferIds('acc_s5')).toEqual(['off_a', 'off_b', 'off_c', 'off_d'])
    expect(await listOfferIds('gst_s5')).toEqual([])
    const { bookingId } = (await bookings.earlier('acc_s5', 'same', 'off_none', 1))?.booking ?? {}
    expect(bookingId, 'the key still means the booking of the account').toBe('bkg_a')
  })
})
