import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { AppError } from '../../../src/domain/errors.ts'
import {
  EARLIER_SECRET_MS,
  RETRY_FOR_MS,
  WEBHOOK_EVENTS,
  WEBHOOKS_MAX,
  type Webhook,
} from '../../../src/domain/webhook.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import { runOnSql } from '../../../src/lists/sql/run.ts'
import { createDeliverWebhooks } from '../../../src/webhooks/deliver-webhooks.ts'
import { DELIVERY_LIST } from '../../../src/webhooks/manage-deliveries.ts'
import { testPayload, webhookPayload } from '../../../src/webhooks/present.ts'
import { createWebhookDeliveryStore } from '../../../src/webhooks/store/deliveries.ts'
import { createWebhookLog } from '../../../src/webhooks/store/log.ts'
import { createWebhookQueue, createWebhookStore } from '../../../src/webhooks/store/webhooks.ts'
import { createWebhookSender } from '../../../src/webhooks/webhook-sender.ts'
import { aBooking, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
import { ok, startReceiver, verify } from '../../support/http/webhook-receiver.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'webhooks')
const cursors = createCursorCodec(Buffer.alloc(32, 1))
const HOUR = 3_600_000
const sender = createWebhookSender({ allowPrivateTargets: true, timeoutMs: 500 })

onBothDatabases('the webhook log', (open) => {
  let serial = 0
  const accountId = 'acc_log'
  let clock: ReturnType<typeof manualClock>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let answer: Parameters<typeof startReceiver>[0]
  beforeEach(async () => {
    // Starts now, because the public library compares the signature's time with the system clock.
    clock = manualClock(Date.now())
    answer = ok
    receiver = await startReceiver((response, nth) => answer?.(response, nth))
    await open().write(async (tx) => {
      for (const table of ['tasks', 'webhook_attempts', 'webhook_deliveries', 'webhooks'] as const)
        await tx.deleteFrom(table).execute()
    })
  })
  afterEach(() => receiver.stop())

  const webhooks = () => createWebhookStore(open(), keyring)
  const at = (id: string, owner = accountId) => ({ accountId: owner, id, now: clock.now() })
  const deliveries = () => createWebhookDeliveryStore(open(), keyring)
  const log = () => createWebhookLog(open(), keyring)

  async function register() {
    serial += 1
    const order = { id: `whk_${serial}`, url: receiver.url, events: WEBHOOK_EVENTS, description: '' }
    const added = await webhooks().add(accountId, order, WEBHOOKS_MAX, clock.now())
    if (added === undefined) throw new Error('no room for another webhook')
    return { ...added.webhook, secret: added.secret }
  }

  /** Creates a confirmed booking and returns the id of its event. */
  async function book(): Promise<string> {
    serial += 1
    const bookingId = `bkg_log${serial}`
    const now = clock.now()
    const booking = aBooking({ bookingId, accountId, reference: `LOG${serial}`, createdAt: now, updatedAt: now })
    const bookings = createBookingStore(open(), keyring, createWebhookQueue(webhookPayload))
    await bookings.create(
      booking,
      { offerId: bookingId, idempotencyKey: bookingId, fingerprint: 'f' },
      now,
      0,
      BY_ACCOUNT,
    )
    const steps: readonly [BookingState, BookingState][] = [
      ['pending', 'submitting'],
      ['submitting', 'confirmed'],
    ]
    for (const [from, to] of steps) await bookings.move(bookingId, from, to, { at: now, by: BY_ACCOUNT, dueAt: null })
    return `evt_log${serial}_3`
  }

  const { runAll: deliver } = createDeliverWebhooks({
    // Opened for each call, because the suite runs on two databases.
    deliveries: new Proxy({} as ReturnType<typeof deliveries>, {
      get: (_none, name) => Reflect.get(deliveries(), name),
    }),
    log: { note: (...all) => log().note(...all) },
    sender,
    clock: { now: () => clock.now() },
    isDraining: () => false,
    random: () => 0.5,
    onBug: (error) => {
      throw error
    },
  })

  const page = async (webhookId: string, params: Record<string, unknown> = {}) => {
    const parsed = parseListQuery(DELIVERY_LIST, params, { cursors, scope: 'test' })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
    const found = await runOnSql(parsed.plan, log().listing(webhookId))
    return { meta: found.meta, data: await log().records(found.data) }
  }

  describe('the log', () => {
    test('every webhook attempt is logged with time, status and the start of the answer, which is encrypted', async () => {
      const { id } = await register()
      const delivery = await book()
      answer = (response) => void response.writeHead(500).end(`canary ${'x'.repeat(5_000)}`)
      await deliver()
      clock.advance(5_000)
      answer = ok
      await deliver()
      const record = await log().get(id, delivery)
      expect(record).toMatchObject({
        id: delivery,
        status: 'delivered',
        dueAt: undefined,
        attempts: [
          { attempt: 1, at: clock.now() - 5_000, status: 500, error: undefined },
          { attempt: 2, at: clock.now(), status: 204, answer: '' },
        ],
      })
      expect(record?.attempts[0]?.answer).toMatch(/^canary x+$/)
      expect(record?.attempts[0]?.answer.length).toBeLessThanOrEqual(1_000)
      expect(JSON.stringify(await open().read.selectFrom('webhook_attempts').selectAll().execute())).not.toContain(
        'canary',
      )
    })

    test('a webhook attempt without an answer is logged with the reason', async () => {
      const { id } = await register()
      const delivery = await book()
      answer = (response) => void response.socket?.destroy()
      await deliver()
      expect((await log().get(id, delivery))?.attempts).toMatchObject([{ status: undefined, error: 'unreachable' }])
    })

    test('the deliveries of a webhook are ordered, filtered and paged by the database', async () => {
      const { id } = await register()
      await register()
      const made: string[] = []
      for (let n = 0; n < 4; n += 1) {
        made.push(await book())
        clock.advance(1_000)
      }
      await deliver()
      made.push(await book())
      const ids = async (params?: Record<string, unknown>) => (await page(id, params)).data.map((record) => record.id)
      expect(await ids()).toEqual(made.toReversed())
      const filter = (field: string, value: string) => ({ filters: [{ field, op: '==', value }] })
      expect(await ids(filter('status', 'pending'))).toEqual([made[4]])
      expect(await ids(filter('id', made[1] ?? ''))).toEqual([made[1]])
      expect(await ids(filter('booking_id', `bkg_${made[2]?.slice(4, -2)}`))).toEqual([made[2]])
      const first = await page(id, { first: '3' })
      expect(first.data.map((record) => record.id)).toEqual(made.slice(2).toReversed())
      expect(await ids({ first: '3', after: first.meta.end_cursor })).toEqual(made.slice(0, 2).toReversed())
      expect(await log().get('whk_other', made[0] ?? '')).toBeUndefined()
      expect(await log().get(id, 'evt_; drop table_1')).toBeUndefined()
    })

    test('deleting a delivery or a webhook deletes its attempts', async () => {
      const { id } = await register()
      await book()
      await deliver()
      const attempts = () => open().read.selectFrom('webhook_attempts').selectAll().execute()
      expect(await attempts()).toHaveLength(1)
      clock.advance(1)
      await deliveries().deleteOld(clock.now())
      expect(await attempts()).toEqual([])
      await book()
      await deliver()
      expect(await webhooks().remove(at(id))).toBe(true)
      expect(await attempts()).toEqual([])
    })
  })

  describe('sending again', () => {
    test('replaying a delivery that was given up keeps its id and allows a day of retries again', async () => {
      const { id, secret } = await register()
      const delivery = await book()
      answer = (response) => void response.writeHead(500).end()
      await deliver()
      clock.advance(RETRY_FOR_MS)
      await deliver()
      expect(await log().get(id, delivery)).toMatchObject({ status: 'failed' })

      expect(await log().replay(id, delivery, clock.now())).toBe(true)
      await deliver()
      // The delay of a first failure, not that of the last one.
      const retry = await log().get(id, delivery)
      expect(retry).toMatchObject({ status: 'pending', dueAt: clock.now() + 5_000 })
      clock.advance(5_000)
      answer = ok
      await deliver()
      expect(await log().get(id, delivery)).toMatchObject({
        status: 'delivered',
        attempts: [{}, {}, {}, { status: 204 }],
      })
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery]))
      expect(verify(secret, receiver.received[0] ?? never())).toEqual(receiver.received.at(-1)?.body)
    })

    test('a delivered event can be replayed at once, even if its webhook is paused', async () => {
      const { id } = await register()
      const delivery = await book()
      await deliver()
      await open().write(async (tx) => {
        await tx
          .updateTable('webhooks')
          .set({ paused_until: clock.now() + HOUR, failures: 9 })
          .execute()
      })
      expect(await log().replay(id, delivery, clock.now())).toBe(true)
      expect(await deliver()).toBe(1)
      expect(receiver.received).toHaveLength(2)
    })

    test('a replay of an unknown delivery or of a deleted webhook is refused', async () => {
      const [removed, other] = [await register(), await register()]
      await book()
      await webhooks().remove(at(removed.id))
      expect(await log().replay(removed.id, 'evt_log1_3', clock.now())).toBe(false)
      expect(await log().replay(other.id, 'evt_nothing_3', clock.now())).toBe(false)
    })
  })

  test('a test event for a webhook that was deleted meanwhile is not queued', async () => {
    expect(await log().addTest('whk_gone', 'one', '{}', clock.now())).toBeUndefined()
    const deliveries = open().read.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', 'whk_gone')
    expect(await deliveries.execute()).toEqual([])
  })

  test('a test event is signed and sent once to any webhook', async () => {
    const { id, secret } = await register()
    answer = (response, nth) => (nth === 1 ? void response.writeHead(503).end() : ok(response))
    const failed = (await log().addTest(id, 'one', testPayload(id, clock.now()), clock.now())) ?? never()
    await deliver()
    expect(await log().get(id, failed)).toMatchObject({
      status: 'failed',
      bookingId: undefined,
      attempts: [{ status: 503 }],
    })
    await log().addTest(id, 'two', testPayload(id, clock.now()), clock.now())
    await deliver()
    expect(verify(secret, receiver.received[1] ?? never())).toEqual({
      type: 'webhook.test',
      timestamp: new Date(clock.now()).toISOString(),
      data: { webhook_id: id },
    })
  })

  describe('changing a webhook', () => {
    test('after a rotation deliveries are signed with both secrets for a day, then with the new one only', async () => {
      const { id, secret: old } = await register()
      const rotated = await webhooks().rotateSecret(at(id))
      if (typeof rotated !== 'object') throw new Error('not rotated')
      expect(rotated.webhook.earlierSecretUntil).toBe(clock.now() + EARLIER_SECRET_MS)
      await book()
      await deliver()
      const [both] = receiver.received
      for (const secret of [old, rotated.secret]) expect(() => verify(secret, both ?? never())).not.toThrow()

      clock.advance(EARLIER_SECRET_MS)
      expect(await webhooks().get(accountId, id, clock.now())).toMatchObject({ earlierSecretUntil: undefined })
      await book()
      await deliver()
      const late = receiver.received.at(-1) ?? never()
      expect(String(late.headers['webhook-signature']).split(' ')).toHaveLength(1)
    })

    test('concurrent changes of a webhook are all kept, and a second rotation keeps both earlier secrets', async () => {
      const { id, secret } = await register()
      const [first, second] = await Promise.all([
        webhooks().rotateSecret(at(id)),
        webhooks().rotateSecret(at(id)),
        webhooks().update(at(id), { description: 'changed' }),
      ])
      expect(await webhooks().get(accountId, id, clock.now())).toMatchObject({ description: 'changed' })
      await book()
      await deliver()
      for (const rotated of [first, second])
        expect(() =>
          verify(typeof rotated === 'object' ? rotated.secret : '', receiver.received[0] ?? never()),
        ).not.toThrow()
      expect(() => verify(secret, receiver.received[0] ?? never())).not.toThrow()
    })

    test('pending deliveries go to the new address and wait while the webhook is disabled', async () => {
      const { id } = await register()
      const moved = await startReceiver()
      await book()
      await webhooks().update(at(id), { url: moved.url, enabled: false })
      expect(await deliver()).toBe(0)
      expect(await webhooks().update(at(id), { enabled: true })).toMatchObject({ status: 'active' })
      expect(await deliver()).toBe(1)
      expect([receiver.received.length, moved.received.length]).toEqual([0, 1])
      await moved.stop()
    })

    test('of two concurrent changes that name the same version one is made and the other refused', async () => {
      const { id } = await register()
      const seen = await webhooks().get(accountId, id, clock.now())
      const precondition = (stored: Webhook) => {
        if (!isDeepStrictEqual(stored, seen)) throw new AppError('precondition_failed', 'changed')
      }
      const change = (description: string) => webhooks().update({ ...at(id), precondition }, { description })
      const outcomes = await Promise.allSettled([change('one'), change('other')])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const removed = webhooks().remove({ ...at(id), precondition })
      await expect(removed).rejects.toMatchObject({ code: 'precondition_failed' })
      expect(await webhooks().get(accountId, id, clock.now())).toBeDefined()
    })

    test('a webhook of another account is not found, and one that cannot be decrypted is not changed', async () => {
      const { id } = await register()
      expect(await webhooks().update(at(id, 'acc_other'), { enabled: false })).toBeUndefined()
      expect(await webhooks().rotateSecret(at(id, 'acc_other'))).toBeUndefined()
      const other = deriveKeyring([{ id: 'k2', key: Buffer.alloc(32, 4) }], 'webhooks')
      const unreadable = createWebhookStore(open(), other)
      expect(await unreadable.update(at(id), { enabled: false })).toBe('unreadable')
    })
  })
})

function never(): never {
  throw new Error('nothing was received')
}
