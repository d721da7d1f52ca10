import { beforeEach, describe, expect, test } from 'vitest'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { WEBHOOK_EVENTS, WEBHOOKS_MAX } from '../../../src/domain/webhook.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { webhookPayload } from '../../../src/webhooks/present.ts'
import { type Claim, createWebhookDeliveryStore } from '../../../src/webhooks/store/deliveries.ts'
import { createFailingWebhookStore } from '../../../src/webhooks/store/failing.ts'
import { createWebhookQueue, createWebhookStore } from '../../../src/webhooks/store/webhooks.ts'
import { aBooking, BY } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'webhooks')
const HOUR = 3_600_000
const STATES: readonly BookingState[] = ['pending', 'submitting', 'confirmed']

onBothDatabases('webhooks and their accounts', (open) => {
  let serial = 0
  let clock: ReturnType<typeof manualClock>
  beforeEach(async () => {
    clock = manualClock()
    await open().write(async (tx) => {
      for (const table of ['webhook_deliveries', 'webhooks', 'accounts'] as const) await tx.deleteFrom(table).execute()
    })
  })

  const accounts = () => createAccountStore(open())
  const deliveries = () => createWebhookDeliveryStore(open(), keyring)
  const failing = () => createFailingWebhookStore(open()).list(clock.now(), 10)

  async function register(accountId: string): Promise<string> {
    serial += 1
    const id = `whk_${serial}`
    const order = { id, url: 'https://example.com/hooks', events: WEBHOOK_EVENTS, description: '' }
    await createWebhookStore(open(), keyring).add(accountId, order, WEBHOOKS_MAX, clock.now())
    return id
  }

  /** A booking that has just become confirmed. */
  async function book(accountId: string): Promise<string> {
    serial += 1
    const bookingId = `bkg_${serial}`
    const now = clock.now()
    const booking = aBooking({ bookingId, accountId, reference: `REF${serial}`, createdAt: now, updatedAt: now })
    const bookings = createBookingStore(open(), keyring, createWebhookQueue(webhookPayload))
    await bookings.create(booking, { offerId: bookingId, idempotencyKey: bookingId, fingerprint: 'f' }, now, 0, BY)
    for (const [n, to] of STATES.slice(1).entries())
      await bookings.move(bookingId, STATES[n] ?? to, to, { at: now, by: BY, dueAt: null })
    return bookingId
  }

  const claim = (more: Partial<Claim> = {}) =>
    deliveries().claimDue({
      now: clock.now(),
      leaseMs: 30_000,
      most: 16,
      mostPerWebhook: 4,
      mostPerAccount: 6,
      busy: new Map(),
      busyAccounts: new Map(),
      ...more,
    })

  describe('an account with many webhooks and a backlog', () => {
    /** 10 webhooks with 5 events each, all older than the one event of the other account. */
    async function backlog(): Promise<void> {
      for (let n = 0; n < 10; n += 1) await register('acc_many')
      for (let n = 0; n < 5; n += 1) await book('acc_many')
      clock.turn(1)
      await register('acc_other')
      await book('acc_other')
    }

    test('gets no more than its share of one claim', async () => {
      await backlog()
      const claimed = await claim()
      expect(claimed.map(({ accountId }) => accountId)).toEqual(Array(6).fill('acc_many'))
    })

    test('is passed over while it has its share under way, and takes only what is left of it', async () => {
      await backlog()
      const whileFull = await claim({ most: 2, busyAccounts: new Map([['acc_many', 6]]) })
      expect(whileFull.map(({ accountId }) => accountId)).toEqual(['acc_other'])
      expect(await claim({ busyAccounts: new Map([['acc_many', 4]]) })).toHaveLength(2)
    })
  })

  describe('a disabled account', () => {
    const email = 'ada@example.com'
    const enable = () => accounts().setPassword(email, 'new', clock.now())
    beforeEach(async () => {
      const account = { id: 'acc_ada', email, name: 'Ada', passwordHash: 'x', role: 'client' } as const
      await accounts().add({ ...account, createdAt: clock.now(), disabledAt: undefined })
    })

    test('gets no events that happen meanwhile, and gets those that happen after it was enabled again', async () => {
      await register('acc_ada')
      await accounts().disable(email, clock.now())
      await book('acc_ada')
      expect(await open().read.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
      await enable()
      expect(await claim()).toEqual([])
      const bookingId = await book('acc_ada')
      expect(await claim()).toMatchObject([{ bookingId, accountId: 'acc_ada' }])
    })

    test('is sent nothing of what was on its way, which goes on once it is enabled again', async () => {
      await register('acc_ada')
      const bookingId = await book('acc_ada')
      await accounts().disable(email, clock.now())
      expect(await claim()).toEqual([])
      clock.turn(HOUR)
      expect(await claim()).toEqual([])
      await enable()
      expect(await claim()).toMatchObject([{ bookingId, attempts: 1 }])
    })

    test('has no failing webhooks, although an event that was tried before waits', async () => {
      const webhookId = await register('acc_ada')
      await book('acc_ada')
      for (const delivery of await claim()) await deliveries().postpone(delivery, clock.now() + HOUR, clock.now())
      clock.turn(2 * HOUR)
      expect(await failing()).toMatchObject([{ webhookId }])
      await accounts().disable(email, clock.now())
      expect(await failing()).toEqual([])
    })

    test('has its waiting events deleted with the old ones, and not before', async () => {
      await register('acc_ada')
      await book('acc_ada')
      await accounts().disable(email, clock.now())
      expect(await deliveries().deleteOld(clock.now())).toBe(0)
      clock.turn(1)
      expect(await deliveries().deleteOld(clock.now())).toBe(1)
    })
  })

  test('an owner that is in no table of accounts, as guests are not, gets every event', async () => {
    await register('gst_1')
    const bookingId = await book('gst_1')
    expect(await claim()).toMatchObject([{ bookingId, accountId: 'gst_1' }])
  })
})
