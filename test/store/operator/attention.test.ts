import { beforeEach, expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { VendorCall } from '../../../src/domain/vendor-call.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { createMailLog } from '../../../src/mail/store/log.ts'
import { createMailQueue, createMailStore } from '../../../src/mail/store/mails.ts'
import { createAttentionMarkStore } from '../../../src/operator/store/attention-marks.ts'
import { createAttentionBookingStore, createOperatorBookingStore } from '../../../src/operator/store/bookings.ts'
import { createVendorCallStore } from '../../../src/operator/store/vendor-calls.ts'
import { createFailingWebhookStore } from '../../../src/webhooks/store/failing.ts'
import { aBooking, BY_ACCOUNT } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'operator')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2027-01-15T12:00:00Z')
const OPERATOR = { kind: 'operator', id: 'acc_1' } as const

const CALL: VendorCall = {
  id: 'vcl_0',
  at: NOW,
  vendorId: 'any',
  class: 'book',
  operation: 'book',
  requestId: 'req_1',
  bookingId: 'bkg_o1',
  method: 'POST',
  path: '/book',
  status: 200,
  fault: undefined,
  tookMs: 12,
  request: '{"a":1}',
  response: undefined,
}

onBothDatabases('stores of the operator console', (open) => {
  let serial = 0
  beforeEach(async () => {
    await open().write(async (tx) => {
      for (const table of [
        'vendor_calls',
        'attention_marks',
        'mails',
        'webhook_deliveries',
        'webhooks',
        'tasks',
      ] as const)
        await tx.deleteFrom(table).execute()
    })
  })
  const bookings = () =>
    createBookingStore(
      open(),
      keyring,
      createMailQueue(keyring, () => 'send'),
    )

  async function book(more: Parameters<typeof aBooking>[0] = {}) {
    serial += 1
    const bookingId = `bkg_o${serial}`
    const booking = aBooking({
      ...{ bookingId, reference: `OREF${serial}`, createdAt: NOW + serial, updatedAt: NOW + serial },
      ...more,
    })
    const keys = { offerId: `ooff_${serial}`, idempotencyKey: `okey_${serial}`, fingerprint: 'f' }
    await bookings().create(booking, keys, NOW, 0, BY_ACCOUNT)
    return booking
  }

  test('vendor calls are found by booking and by request, encrypted at rest, and deleted by age', async () => {
    const calls = createVendorCallStore(open(), keyring)
    const checked = { ...CALL, id: 'vcl_1', at: NOW - 5, bookingId: undefined, operation: 'price_check' }
    const other = { ...CALL, id: 'vcl_2', at: NOW - HOUR, bookingId: 'bkg_other', requestId: 'req_2', fault: 'timeout' }
    await calls.add([CALL, checked, other])
    await calls.add([])
    expect(await calls.ofBooking('bkg_o1', ['req_1'], 10)).toEqual([checked, CALL])
    expect(await calls.ofBooking('bkg_o1', [], 10)).toEqual([CALL])
    expect(await calls.ofRequest('req_2', 10)).toEqual([other])
    const rows = await open().read.selectFrom('vendor_calls').select('request').execute()
    expect(JSON.stringify(rows)).not.toContain('\\"a\\":1')
    expect(await calls.deleteOld(NOW - MINUTE)).toBe(1)
    expect(await calls.ofRequest('req_2', 10)).toEqual([])
  })

  test('an attention entry that is marked again keeps the later mark', async () => {
    const marks = createAttentionMarkStore(open())
    const mark = { entryId: 'discrepancy.bkg_o1.price_differs', since: 5, at: NOW, actor: OPERATOR, reason: 'paid' }
    await marks.set(mark)
    await marks.set({ ...mark, since: 9 })
    expect(await marks.findSince([mark.entryId, 'unknown'])).toEqual(new Map([[mark.entryId, 9]]))
    expect(await marks.findSince([])).toEqual(new Map())
  })

  test('bookings are listed from the newest, in slices without repeats', async () => {
    const store = createOperatorBookingStore(open(), keyring)
    const made = [await book(), await book(), await book()].map(({ bookingId }) => bookingId)
    const first = await store.newest(undefined, 2)
    const second = await store.newest(first.at(-1), 2)
    expect([...first, ...second].map(({ bookingId }) => bookingId).slice(0, 3)).toEqual(made.reverse())
    expect(first[0]?.references).toContain(`OREF${serial}`)
    expect(await store.byReference(`OREF${serial}`)).toEqual([`bkg_o${serial}`])
  })

  test('real bookings in doubt or in review are listed, simulated ones are not', async () => {
    const store = createAttentionBookingStore(open(), keyring)
    const move = async (id: string, to: 'in_doubt' | 'needs_review') => {
      await bookings().move(id, 'pending', 'submitting', { at: NOW, by: BY_ACCOUNT, dueAt: null })
      await bookings().move(id, 'submitting', to, { at: NOW, by: BY_ACCOUNT, dueAt: null, reason: 'no_answer' })
    }
    const [doubt, review, simulated] = [await book(), await book(), await book({ simulated: true })]
    await move(doubt.bookingId, 'in_doubt')
    await move(review.bookingId, 'needs_review')
    await move(simulated.bookingId, 'in_doubt')
    const ids = (found: readonly { bookingId: string }[]) => found.map(({ bookingId }) => bookingId)
    expect(ids((await store.inDoubt(NOW + MINUTE, 10)).map(({ booking }) => booking))).toEqual([doubt.bookingId])
    expect(await store.inDoubt(NOW - 1, 10)).toEqual([])
    expect(ids(await store.inReview(10))).toEqual([review.bookingId])
    expect((await store.lastMoves([review.bookingId])).get(review.bookingId)).toEqual({ at: NOW, reason: 'no_answer' })
  })

  test('a mail that was given up is listed and can be retried or replaced by a newer one', async () => {
    const [mails, log] = [createMailStore(open(), keyring, { keepSent: false }), createMailLog(open(), keyring)]
    const { bookingId } = await book()
    await bookings().move(bookingId, 'pending', 'submitting', { at: NOW, by: BY_ACCOUNT, dueAt: null })
    await bookings().move(bookingId, 'submitting', 'confirmed', {
      at: NOW,
      by: BY_ACCOUNT,
      dueAt: null,
      vendorReference: 'V',
    })
    const fail = async (now: number) => {
      const [claimed] = await mails.claimDue(now, MINUTE, 10)
      if (claimed === undefined) throw new Error('no mail is due')
      await mails.giveUp(claimed, '550')
      return claimed
    }
    const { sequence, content } = await fail(NOW)
    expect(await log.givenUp(10)).toMatchObject([{ bookingId, sequence, kind: 'confirmed', error: '550' }])
    expect(await log.retry(bookingId, sequence, NOW + HOUR)).toBe(true)
    expect(await log.givenUp(10)).toEqual([])
    await fail(NOW + HOUR)
    if (content === undefined || content.kind === 'operator_note') throw new Error('a mail to a guest')
    const again = { ...content, event: { ...content.event, again: NOW + 2 * HOUR } }
    await log.add(again, 'send', NOW + 2 * HOUR)
    const [sent] = await mails.claimDue(NOW + 2 * HOUR, MINUTE, 10)
    expect(sent?.content).toEqual(again)
    expect(await log.ofBooking(bookingId)).toMatchObject([{ sequence, outcome: 'waiting' }])
    expect(await log.retry(bookingId, sequence, NOW), 'only mails that were given up').toBe(false)
  })

  test('a mail that was given up cannot be retried after a later mail', async () => {
    const [mails, log] = [createMailStore(open(), keyring, { keepSent: false }), createMailLog(open(), keyring)]
    const { bookingId } = await book()
    await bookings().move(bookingId, 'pending', 'submitting', { at: NOW, by: BY_ACCOUNT, dueAt: null })
    await bookings().move(bookingId, 'submitting', 'confirmed', {
      at: NOW,
      by: BY_ACCOUNT,
      dueAt: null,
      vendorReference: 'V',
    })
    const [claimed] = await mails.claimDue(NOW, MINUTE, 10)
    await mails.giveUp(claimed ?? expect.fail('no mail is due'), '550')
    await bookings().move(bookingId, 'confirmed', 'cancelled', { at: NOW, by: BY_ACCOUNT, dueAt: null })
    expect(await log.retry(bookingId, claimed?.sequence ?? 0, NOW)).toBe(false)
  })

  test('a webhook is failing if events were given up or retried for an hour, and a replay resends all of them', async () => {
    const store = createFailingWebhookStore(open())
    const webhook = { account_id: 'acc_w', events: '', target: 'x', created_at: NOW, failures: 3, paused_until: NOW }
    const delivery = { payload: '{}', attempts: 4, replayed_at: null, attempts_before: null }
    await open().write(async (tx) => {
      await tx
        .insertInto('webhooks')
        .values({ ...webhook, id: 'whk_dead', disabled_at: null })
        .execute()
      await tx
        .insertInto('webhooks')
        .values({ ...webhook, id: 'whk_off', disabled_at: NOW })
        .execute()
      const rows = [
        {
          webhook_id: 'whk_dead',
          booking_id: 'bkg_1',
          sequence: 3,
          created_at: NOW - 25 * HOUR,
          outcome: 'failed',
        },
        {
          webhook_id: 'whk_dead',
          booking_id: 'bkg_1',
          sequence: 4,
          created_at: NOW - 2 * HOUR,
          outcome: null,
        },
        {
          webhook_id: 'whk_dead',
          booking_id: 'bkg_2',
          sequence: 3,
          created_at: NOW - MINUTE,
          outcome: null,
        },
        { webhook_id: 'whk_dead', booking_id: 'tst_1', sequence: 1, created_at: NOW, outcome: 'failed' },
        { webhook_id: 'whk_off', booking_id: 'bkg_1', sequence: 3, created_at: NOW, outcome: 'failed' },
      ]
      for (const row of rows)
        await tx
          .insertInto('webhook_deliveries')
          .values({ ...delivery, ...row })
          .execute()
    })
    const facts = { webhookId: 'whk_dead', accountId: 'acc_w', since: NOW - 25 * HOUR, latest: NOW - 2 * HOUR }
    expect(await store.list(NOW, 10)).toEqual([{ ...facts, failed: 1, waiting: 1 }])
    expect(await store.any('whk_off')).toEqual({ accountId: 'acc_w', isDisabled: true })
    expect(await store.any('whk_none')).toBeUndefined()
    expect(await store.replay('whk_dead', NOW, 100)).toBe(4)
    expect(await store.list(NOW, 10)).toEqual([])
  })
})
