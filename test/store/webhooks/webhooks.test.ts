import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { moveToAccount } from '../../../src/accounts/store/guests.ts'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { RETRY_FOR_MS, WEBHOOK_EVENTS, WEBHOOKS_MAX, type WebhookEvent } from '../../../src/domain/webhook.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { createDeliverWebhooks, type DeliveryReport } from '../../../src/webhooks/deliver-webhooks.ts'
import { webhookPayload } from '../../../src/webhooks/present.ts'
import { createWebhookDeliveryStore } from '../../../src/webhooks/store/deliveries.ts'
import { createWebhookLog } from '../../../src/webhooks/store/log.ts'
import { createWebhookQueue, createWebhookStore } from '../../../src/webhooks/store/webhooks.ts'
import { createWebhookSender } from '../../../src/webhooks/webhook-sender.ts'
import { aBooking, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
import { ok, startReceiver, verify } from '../../support/http/webhook-receiver.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'webhooks')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

onBothDatabases('webhooks', (open) => {
  let serial = 0
  let accountId: string
  let clock: ReturnType<typeof manualClock>
  let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined
  beforeEach(async () => {
    serial += 1
    accountId = `acc_${serial}`
    // Starts now, because the public library compares the signature's time with the system clock.
    clock = manualClock(Date.now())
    await open().write(async (tx) => {
      await tx.deleteFrom('webhook_attempts').execute()
      await tx.deleteFrom('webhook_deliveries').execute()
      await tx.deleteFrom('webhooks').execute()
      await tx.deleteFrom('tasks').execute()
    })
  })
  afterEach(async () => {
    await receiver?.stop()
    receiver = undefined
  })

  const webhooks = () => createWebhookStore(open(), keyring)
  const at = (id: string, owner = accountId) => ({ accountId: owner, id, now: clock.now() })
  const deliveries = () => createWebhookDeliveryStore(open(), keyring)
  const log = () => createWebhookLog(open(), keyring)
  const bookings = () => createBookingStore(open(), keyring, createWebhookQueue(webhookPayload))

  async function register(url = 'https://example.com/hooks', events: readonly WebhookEvent[] = WEBHOOK_EVENTS) {
    serial += 1
    const order = { id: `whk_${serial}`, url, events, description: 'mine' }
    const added = await webhooks().add(accountId, order, WEBHOOKS_MAX, clock.now())
    if (added === undefined) throw new Error('no room for another webhook')
    return { ...added.webhook, secret: added.secret }
  }

  /** Creates a pending booking and moves it through these states. */
  async function book(...states: BookingState[]) {
    serial += 1
    const bookingId = `bkg_${serial}`
    const now = clock.now()
    const booking = aBooking({ bookingId, accountId, reference: `REF${serial}`, createdAt: now, updatedAt: now })
    const keys = { offerId: `off_${serial}`, idempotencyKey: `key_${serial}`, fingerprint: 'f' }
    await bookings().create(booking, keys, now, 0, BY_ACCOUNT)
    let from: BookingState = 'pending'
    for (const to of states) {
      await bookings().move(bookingId, from, to, {
        at: clock.now(),
        by: BY_ACCOUNT,
        dueAt: null,
        vendorReference: 'V-1',
      })
      from = to
    }
    return bookingId
  }

  const claim = (more: { most?: number } = {}) =>
    deliveries().claimDue({
      now: clock.now(),
      leaseMs: 30_000,
      most: 16,
      mostPerWebhook: 16,
      mostPerAccount: 16,
      ...more,
    })

  function job(allowPrivateTargets = true) {
    const reports: DeliveryReport[] = []
    const bugs: unknown[] = []
    const sender = createWebhookSender({ allowPrivateTargets, timeoutMs: 500 })
    const { runAll: run } = createDeliverWebhooks({
      deliveries: deliveries(),
      log: log(),
      sender,
      clock,
      isDraining: () => false,
      random: () => 0.5,
      onReport: (report) => reports.push(report),
      onBug: (error) => bugs.push(error),
    })
    return { run, reports, bugs, results: () => reports.map(({ result }) => result), close: sender.close }
  }

  test('the event of a booking made by a guest who signs in meanwhile goes to the webhook of the account', async () => {
    const webhook = await register()
    const account = accountId
    accountId = `gst_${serial}`
    const bookingId = await book('submitting')
    const known = (await bookings().any(bookingId)) ?? expect.fail('no booking')
    await open().write((tx) => moveToAccount(tx, accountId, account, clock.now()))
    await bookings().move(bookingId, 'submitting', 'confirmed', { at: clock.now(), by: BY_ACCOUNT, dueAt: null, known })
    expect(await claim()).toMatchObject([{ webhookId: webhook.id, bookingId }])
  })

  describe('registering', () => {
    test('concurrent registrations create no more than the allowed number of webhooks', async () => {
      for (let n = 0; n < 5; n += 1) {
        accountId = `acc_${serial}_race_${n}`
        await register()
        const tries = await Promise.allSettled(Array.from({ length: WEBHOOKS_MAX + 5 }, () => register()))
        expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(WEBHOOKS_MAX - 1)
        expect(await webhooks().list(accountId, clock.now())).toHaveLength(WEBHOOKS_MAX)
      }
    })

    test('address and secret of a webhook are encrypted in the database', async () => {
      const { secret } = await register('https://example.com/hooks?token=canary')
      const rows = JSON.stringify(await open().read.selectFrom('webhooks').selectAll().execute())
      expect(rows).not.toContain('canary')
      expect(rows).not.toContain(secret.slice(6, 20))
      expect(rows).not.toContain('mine')
    })

    test('a webhook that cannot be decrypted is shown as disabled and its events are given up', async () => {
      await register()
      await book('submitting', 'confirmed')
      const other = deriveKeyring([{ id: 'k2', key: Buffer.alloc(32, 4) }], 'webhooks')
      const [webhook] = await createWebhookStore(open(), other).list(accountId, clock.now())
      expect(webhook).toMatchObject({ status: 'disabled', url: '' })
      const results: string[] = []
      const { runAll: run } = createDeliverWebhooks({
        deliveries: createWebhookDeliveryStore(open(), other),
        log: log(),
        sender: { send: async () => ({ status: 200 }) },
        clock,
        isDraining: () => false,
        onReport: ({ result }) => results.push(result),
        onBug: (error) => {
          throw error
        },
      })
      await run()
      expect(results).toEqual(['given_up'])
      expect(await run()).toBe(0)
    })

    test('only the owner can see or remove a webhook, and its pending deliveries are removed with it', async () => {
      const { id } = await register()
      await book('submitting', 'confirmed')
      expect(await webhooks().list('acc_other', clock.now())).toEqual([])
      expect(await webhooks().remove(at(id, 'acc_other'))).toBe(false)
      expect(await webhooks().remove(at(id))).toBe(true)
      expect(await webhooks().remove(at(id))).toBe(false)
      expect(await open().read.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
    })
  })

  describe('queueing', () => {
    test('an event is queued only for the webhooks of the account that subscribe to it', async () => {
      const all = await register()
      const some = await register('https://example.com/b', ['booking.cancelled'])
      accountId = `${accountId}_other`
      await register()
      accountId = accountId.replace('_other', '')
      await book('submitting', 'in_doubt', 'confirmed')
      await book('submitting', 'confirmed', 'cancelling', 'cancelled')
      const rows = await open().read.selectFrom('webhook_deliveries').selectAll().orderBy('sequence').execute()
      const listTypes = (id: string) =>
        rows.filter((row) => row.webhook_id === id).map((row) => JSON.parse(row.payload).type as string)
      expect(listTypes(all.id).sort()).toEqual([
        'booking.cancelled',
        'booking.confirmed',
        'booking.confirmed',
        'booking.in_doubt',
      ])
      expect(listTypes(some.id)).toEqual(['booking.cancelled'])
      expect(rows).toHaveLength(5)
    })

    test('a move that is rolled back queues no event', async () => {
      await register()
      const queue = createWebhookQueue(webhookPayload)
      const failing = createBookingStore(open(), keyring, async (tx, booking, event) => {
        await queue(tx, booking, event)
        if (event.to === 'confirmed') throw new Error('power cut')
      })
      const bookingId = await book('submitting')
      const move = failing.move(bookingId, 'submitting', 'confirmed', { at: clock.now(), by: BY_ACCOUNT, dueAt: null })
      await expect(move).rejects.toThrow('power cut')
      expect(await claim()).toEqual([])
      const stored = await open().read.selectFrom('events').select('type').where('booking_id', '=', bookingId).execute()
      expect(stored).toEqual([])
    })

    test('the payload of an event describes the booking without personal data', async () => {
      await register()
      const bookingId = await book('submitting', 'confirmed')
      const [delivery] = await claim()
      expect(JSON.parse(delivery?.payload ?? '')).toEqual({
        type: 'booking.confirmed',
        timestamp: new Date(clock.now()).toISOString(),
        data: {
          booking_id: bookingId,
          status: 'confirmed',
          client_reference: null,
          vendor_id: 'scripted',
          vendor_reference: 'V-1',
          check_in: '2027-03-01',
          check_out: '2027-03-03',
          total_price: 249.9,
          currency: 'EUR',
          sequence: 3,
          simulated: false,
          actor: { kind: 'account', id: 'acc_1' },
          booking: expect.objectContaining({ booking_id: bookingId, status: 'confirmed', vendor_reference: 'V-1' }),
        },
      })
      expect(delivery?.payload).not.toMatch(/guests|contact|special_requests|"net"/)
    })
  })

  describe('claiming', () => {
    test('a later event of a booking waits for the earlier one, events of other bookings do not', async () => {
      await register()
      const first = await book('submitting', 'in_doubt', 'confirmed')
      const second = await book('submitting', 'confirmed')
      const claimed = await claim()
      expect(claimed.map(({ bookingId, sequence }) => `${bookingId} ${sequence}`).sort()).toEqual(
        [`${first} 3`, `${second} 3`].sort(),
      )
      expect(await claim()).toEqual([])
      const head = claimed.find(({ bookingId }) => bookingId === first)
      if (head === undefined) throw new Error('not claimed')

      await deliveries().postpone(head, clock.now() + HOUR, clock.now())
      expect(await claim()).toEqual([])
      const waiting = await log().ofBooking(first, 10)
      expect(waiting.map(({ dueAt }) => dueAt)).toEqual([clock.now() + HOUR, clock.now() + HOUR])
      clock.advance(HOUR)
      const again = (await claim()).find(({ bookingId }) => bookingId === first)
      expect(again).toMatchObject({ sequence: 3, attempts: 2 })
      if (again === undefined) return
      await deliveries().giveUp(again, clock.now())
      expect(await claim()).toMatchObject([{ bookingId: first, sequence: 4 }])
    })

    test('another process takes over a delivery after its lease has expired, and the first one can no longer postpone it', async () => {
      await register()
      await book('submitting', 'confirmed')
      const [lost] = await claim()
      if (lost === undefined) throw new Error('not claimed')
      clock.advance(29_999)
      expect(await claim()).toEqual([])
      clock.advance(1)
      expect(await claim()).toMatchObject([{ attempts: 2 }])
      await deliveries().postpone(lost, clock.now(), clock.now())
      await deliveries().giveUp(lost, clock.now())
      expect(await claim()).toEqual([])
      clock.advance(30_000)
      expect(await claim()).toMatchObject([{ attempts: 3 }])
      // A late success is still recorded.
      await deliveries().delivered(lost)
      clock.advance(30_000)
      expect(await claim()).toEqual([])
    })

    test('a webhook that keeps failing is paused for all its deliveries until one succeeds', async () => {
      const webhook = await register()
      for (let n = 0; n < 5; n += 1) await book('submitting', 'confirmed')
      for (const delivery of await claim()) await deliveries().postpone(delivery, clock.now(), clock.now())
      expect(await claim()).toEqual([])
      expect(await webhooks().list(accountId, clock.now())).toMatchObject([{ id: webhook.id, status: 'failing' }])
      clock.advance(MINUTE)
      const [first] = await claim({ most: 1 })
      if (first === undefined) throw new Error('not claimed')
      await deliveries().delivered(first)
      expect(await webhooks().list(accountId, clock.now())).toMatchObject([{ status: 'active' }])
      expect(await claim()).toHaveLength(4)
    })

    test('old events are deleted once they are delivered or their webhook is disabled, never while they are due', async () => {
      const owner = accountId
      await register()
      await book('submitting', 'confirmed')
      for (const delivery of await claim()) await deliveries().delivered(delivery)
      accountId = `${accountId}_gone`
      await register()
      await book('submitting', 'confirmed')
      const [last] = await claim()
      expect(await deliveries().disable(last ?? expect.fail('not claimed'), clock.now())).toBe(true)
      accountId = owner
      const due = await book('submitting', 'confirmed')
      expect(await deliveries().deleteOld(clock.now())).toBe(0)
      clock.advance(1)
      expect(await deliveries().deleteOld(clock.now())).toBe(2)
      expect(await claim()).toMatchObject([{ bookingId: due }])
    })
  })

  describe('delivering', () => {
    test('a receiver can verify events with the public library and recognise a repeat by its id', async () => {
      receiver = await startReceiver((response, nth) => (nth === 1 ? void response.writeHead(500).end() : ok(response)))
      const { secret } = await register(`${receiver.url}?x=1`)
      const bookingId = await book('submitting', 'confirmed')
      const { run, results, close } = job()
      expect(await run()).toBe(1)
      expect(await run()).toBe(0)
      clock.advance(4_999)
      expect(await run()).toBe(0)
      clock.advance(1)
      expect(await run()).toBe(1)
      expect(results()).toEqual(['retry', 'delivered'])
      const [first, second] = receiver.received
      if (first === undefined || second === undefined) throw new Error('not received')
      expect(verify(secret, first)).toMatchObject({ type: 'booking.confirmed', data: { booking_id: bookingId } })
      expect(verify(secret, second)).toEqual(first.body)
      expect(() => verify(secret, { ...first, text: first.text.replace('249.9', '1.0') })).toThrow()
      expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
      expect(second.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp'])
      expect(first.path).toBe('/hooks?x=1')
      expect(first.headers['content-type']).toBe('application/json')
      await close()
    })

    test('events of one booking arrive in order even if the first one is retried', async () => {
      receiver = await startReceiver((response, nth) => (nth <= 2 ? void response.writeHead(503).end() : ok(response)))
      await register(receiver.url)
      await book('submitting', 'in_doubt', 'confirmed', 'cancelling', 'cancelled')
      const { run, close } = job()
      for (let n = 0; n < 6; n += 1) {
        await run()
        clock.advance(MINUTE)
      }
      expect(receiver.received.map(({ body }) => body.data.sequence)).toEqual([3, 3, 3, 4, 6])
      await close()
    })

    test('a 410 disables the webhook, and nothing more is sent or queued', async () => {
      receiver = await startReceiver((response) => void response.writeHead(410).end())
      await register(receiver.url)
      await book('submitting', 'in_doubt', 'confirmed')
      const { run, results, close } = job()
      await run()
      expect(results()).toEqual(['disabled'])
      await book('submitting', 'confirmed')
      clock.advance(RETRY_FOR_MS)
      expect(await run()).toBe(0)
      expect(receiver.received).toHaveLength(1)
      expect(await webhooks().list(accountId, clock.now())).toMatchObject([{ status: 'disabled' }])
      await close()
    })

    test('a 410 from an earlier address of the webhook is a failed attempt, and the new address gets the event', async () => {
      const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
      receiver = await startReceiver((response, nth) => (nth === 1 ? resolve(response) : ok(response)))
      const { id } = await register(`${receiver.url}?old`)
      await book('submitting', 'confirmed')
      const { run, results, close } = job()
      const running = run()
      const late = await asked
      await webhooks().update(at(id), { url: `${receiver.url}?new` })
      late.writeHead(410).end()
      await running
      clock.advance(MINUTE)
      await run()
      expect(results()).toEqual(['retry', 'delivered'])
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks?old', '/hooks?new'])
      expect(await webhooks().list(accountId, clock.now())).toMatchObject([{ status: 'active' }])
      await close()
    })

    test('an event is given up after 24 hours of failures', async () => {
      receiver = await startReceiver((response) => void response.writeHead(500).end())
      await register(receiver.url)
      const startedAt = clock.now()
      await book('submitting', 'in_doubt')
      const { run, reports, close } = job()
      while (reports.at(-1)?.result !== 'given_up') {
        await run()
        clock.advance(5 * MINUTE)
        if (clock.now() - startedAt > 2 * RETRY_FOR_MS) throw new Error('never given up')
      }
      expect(clock.now() - startedAt).toBeLessThanOrEqual(RETRY_FOR_MS)
      expect(clock.now() - startedAt).toBeGreaterThan(RETRY_FOR_MS - 4 * HOUR)
      expect(reports.length).toBeGreaterThan(10)
      await close()
    })

    test('redirects, timeouts and broken connections are failures that do not affect other webhooks', async () => {
      const good = await startReceiver()
      const bad = await startReceiver((response, nth) => {
        if (nth === 1) response.writeHead(302, { location: good.url }).end()
        else if (nth === 2) response.socket?.destroy()
        else if (nth > 3) ok(response)
      })
      await register(bad.url)
      for (let n = 0; n < 3; n += 1) await book('submitting', 'confirmed')
      await register(good.url)
      await book('submitting', 'confirmed')
      const { run, reports, bugs, close } = job()
      await run()
      const failed = reports.filter(({ result }) => result === 'retry').map(({ status, why }) => status ?? why)
      expect(failed.map(String).sort()).toEqual(['302', 'timeout', 'unreachable'])
      expect(good.received).toHaveLength(1)
      expect(bugs).toEqual([])
      clock.advance(HOUR)
      await run()
      expect(bad.received).toHaveLength(7)
      await Promise.all([close(), good.stop(), bad.stop()])
    })

    test('a 200 with an endless body is a success, and only a small part of it is read', async () => {
      let written = 0
      receiver = await startReceiver((response) => {
        response.writeHead(200)
        const pump = () => {
          while (!response.destroyed && written < 50_000_000 && response.write(Buffer.alloc(65_536))) written += 65_536
          if (!response.destroyed) response.once('drain', pump)
        }
        response.on('error', () => undefined)
        pump()
      })
      await register(receiver.url)
      await book('submitting', 'confirmed')
      const { run, results, close } = job()
      await run()
      expect(results()).toEqual(['delivered'])
      expect(written).toBeLessThan(20_000_000)
      await close()
    })

    test('if private targets are forbidden, an earlier loopback webhook receives nothing', async () => {
      receiver = await startReceiver()
      await register(receiver.url)
      await book('submitting', 'confirmed')
      const { run, reports, close } = job(false)
      await run()
      expect(reports).toMatchObject([{ result: 'retry', why: 'refused' }])
      expect(receiver.connections()).toBe(0)
      await close()
    })
  })
})
