import { beforeEach, describe, expect, test } from 'vitest'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { WEBHOOK_EVENTS, WEBHOOKS_MAX } from '../../../src/domain/webhook.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { webhookPayload } from '../../../src/webhooks/present.ts'
import {
  createWebhookDeliveryStore,
  type Delivery,
  type WebhookDeliveryStore,
} from '../../../src/webhooks/store/deliveries.ts'
import { createFailingWebhookStore } from '../../../src/webhooks/store/failing.ts'
import { createWebhookQueue, createWebhookStore } from '../../../src/webhooks/store/webhooks.ts'
import { aBooking, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
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
      for (const table of ['tasks', 'webhook_deliveries', 'webhooks', 'accounts'] as const)
        await tx.deleteFrom(table).execute()
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

  /** Creates a confirmed booking. */
  async function book(accountId: string): Promise<string> {
    serial += 1
    const bookingId = `bkg_${serial}`
    const now = clock.now()
    const booking = aBooking({ bookingId, accountId, reference: `REF${serial}`, createdAt: now, updatedAt: now })
    const bookings = createBookingStore(open(), keyring, createWebhookQueue(webhookPayload))
    await bookings.create(
      booking,
      { offerId: bookingId, idempotencyKey: bookingId, fingerprint: 'f' },
      now,
      0,
      BY_ACCOUNT,
    )
    for (const [n, to] of STATES.slice(1).entries())
      await bookings.move(bookingId, STATES[n] ?? to, to, { at: now, by: BY_ACCOUNT, dueAt: null })
    return bookingId
  }

  const claim = (most = 16, running: Parameters<WebhookDeliveryStore['claimDue']>[0]['running'] = []) =>
    deliveries().claimDue({
      now: clock.now(),
      leaseMs: 30_000,
      most,
      mostPerWebhook: 4,
      mostPerAccount: 6,
      running,
    })

  describe('an account with many webhooks and a backlog', () => {
    /** 10 webhooks with 5 events each, all older than the one event of the other account. */
    async function backlog(): Promise<void> {
      for (let n = 0; n < 10; n += 1) await register('acc_many')
      for (let n = 0; n < 5; n += 1) await book('acc_many')
      clock.advance(1)
      await register('acc_other')
      await book('acc_other')
    }

    const listAccounts = (claimed: readonly Delivery[]) => claimed.map(({ task }) => task.key.split(' ')[0])

    test('an account with a backlog gets no more than its share of deliveries at a time', async () => {
      await backlog()
      const claimed = await claim()
      expect(listAccounts(claimed)).toEqual(Array(6).fill('acc_many'))
      expect(await claim(2, claimed.slice(0, 5))).toHaveLength(1)
      expect(listAccounts(await claim(2, claimed))).toEqual(['acc_other'])
    })
  })

  describe('a disabled account', () => {
    const email = 'ada@example.com'
    const enable = () => accounts().setPassword(email, 'new', clock.now())
    beforeEach(async () => {
      const account = { id: 'acc_ada', email, name: 'Ada', passwordHash: 'x', role: 'client' } as const
      await accounts().add({ ...account, createdAt: clock.now(), disabledAt: undefined })
    })

    test('a disabled account gets no webhook events until it is enabled again', async () => {
      await register('acc_ada')
      await accounts().disable(email, clock.now())
      await book('acc_ada')
      expect(await open().read.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
      await enable()
      expect(await claim()).toEqual([])
      const bookingId = await book('acc_ada')
      expect(await claim()).toMatchObject([{ bookingId }])
    })

    test('pending deliveries of a disabled account wait until it is enabled again', async () => {
      await register('acc_ada')
      const bookingId = await book('acc_ada')
      await accounts().disable(email, clock.now())
      expect(await claim()).toEqual([])
      clock.advance(HOUR)
      expect(await claim()).toEqual([])
      await enable()
      expect(await claim()).toMatchObject([{ bookingId, attempts: 1 }])
    })

    test('a disabled account has no failing webhooks, even with retried events', async () => {
      const webhookId = await register('acc_ada')
      await book('acc_ada')
      for (const delivery of await claim()) await deliveries().postpone(delivery, clock.now() + HOUR, clock.now())
      clock.advance(2 * HOUR)
      expect(await failing()).toMatchObject([{ webhookId }])
      await accounts().disable(email, clock.now())
      expect(await failing()).toEqual([])
    })

    test('pending events of a disabled account are deleted only after their retention', async () => {
      await register('acc_ada')
      await book('acc_ada')
      await accounts().disable(email, clock.now())
      expect(await deliveries().deleteOld(clock.now())).toBe(0)
      clock.advance(1)
      expect(await deliveries().deleteOld(clock.now())).toBe(1)
    })
  })

  test('an owner without an account, such as a guest, gets every webhook event', async () => {
    await register('gst_1')
    const bookingId = await book('gst_1')
    expect(await claim()).toMatchObject([{ bookingId }])
  })
})
