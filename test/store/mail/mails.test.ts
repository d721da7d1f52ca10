import { beforeEach, describe, expect, test } from 'vitest'
import { createBookingStore } from '../../../src/booking/store/bookings.ts'
import type { BookingState } from '../../../src/domain/booking/booking.ts'
import { MAIL_RETRY_FOR_MS } from '../../../src/domain/mail.ts'
import type { Board } from '../../../src/domain/offer.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { createDeliverMails, type MailReport } from '../../../src/mail/deliver-mails.ts'
import type { SendResult } from '../../../src/mail/smtp-sender.ts'
import { createMailLog } from '../../../src/mail/store/log.ts'
import { createMailQueue, createMailStore, type MailPurpose } from '../../../src/mail/store/mails.ts'
import { type Mail, writeMail } from '../../../src/mail/write-mail.ts'
import { writeOperatorNote } from '../../../src/mail/write-operator-note.ts'
import { aBooking, aPrice, BY_ACCOUNT, euro } from '../../support/booking/an-offer.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'mail')
const SECOND = 1_000
const VOUCHER = { filename: 'voucher.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') }
const MINUTE = 60 * SECOND
const LEASE = 2 * MINUTE

onBothDatabases('mails', (open) => {
  let serial = 0
  let clock: ReturnType<typeof manualClock>
  let purpose: MailPurpose
  beforeEach(async () => {
    clock = manualClock()
    purpose = 'send'
    await open().write(async (tx) => {
      await tx.deleteFrom('mails').execute()
      await tx.deleteFrom('tasks').execute()
    })
  })

  const mails = (keepSent = false) => createMailStore(open(), keyring, { keepSent })
  const bookings = () =>
    createBookingStore(
      open(),
      keyring,
      createMailQueue(keyring, () => purpose, { tellsOperator: true }),
    )
  const rows = () => open().read.selectFrom('mails').selectAll().orderBy('booking_id').orderBy('sequence').execute()
  const claim = () => mails().claimDue(clock.now(), LEASE, 10)

  async function book(...states: BookingState[]) {
    serial += 1
    const bookingId = `bkg_${String(serial).padStart(4, '0')}`
    const now = clock.now()
    const booking = aBooking({ bookingId, reference: `MREF${serial}`, createdAt: now, updatedAt: now })
    const keys = { offerId: `moff_${serial}`, idempotencyKey: `mkey_${serial}`, fingerprint: 'f' }
    await bookings().create(booking, keys, now, 0, BY_ACCOUNT)
    await move(bookingId, 'pending', ...states)
    return bookingId
  }

  async function move(bookingId: string, ...states: BookingState[]) {
    for (const [index, to] of states.entries()) {
      const from = states[index - 1]
      if (from === undefined) continue
      await bookings().move(bookingId, from, to, {
        at: clock.now(),
        by: BY_ACCOUNT,
        dueAt: null,
        vendorReference: 'V-1',
      })
    }
  }

  /** A reading in which the vendor reports less board. */
  async function readDiscrepancy(bookingId: string) {
    const at = clock.now()
    const { vendorId, reference } = (await bookings().any(bookingId)) ?? expect.fail('no booking')
    await bookings().promptReadings(vendorId, [reference], at)
    const [held] = await bookings().claimReadings(at, LEASE, { perMinute: 6_000, most: 1 })
    const term = (board: Board) => ({ what: 'board', board }) as const
    const found = { booked: term('breakfast'), vendorSays: term('room_only') }
    const compared = { differs: [{ code: 'terms_differ', since: at, ...found } as const], agrees: [] }
    await bookings().finishReading(held ?? expect.fail('nothing to read'), { at, outcome: 'differs', compared })
  }

  /** Delivers through a server with these answers, and records the mails. */
  function delivery(
    answers: (nth: number) => SendResult | Promise<SendResult> = () => ({ result: 'sent' }),
    store = mails(),
  ) {
    const received: Mail[] = []
    const reports: MailReport[] = []
    const bugs: unknown[] = []
    const deliver = createDeliverMails({
      mails: store,
      sender: {
        send: async (mail) => {
          received.push(mail)
          return answers(received.length)
        },
      },
      write: async (content) =>
        content.kind === 'operator_note'
          ? writeOperatorNote(content, 'operator@x.example', 'x.example')
          : writeMail(content, {
              domain: 'x.example',
              isSandbox: false,
              createVoucher: async () => VOUCHER,
              linkTo: async () => undefined,
            }),
      clock,
      random: () => 0.5,
      onReport: (report) => reports.push(report),
      onBug: (error) => bugs.push(error),
    })
    return { received, reports, bugs, deliver }
  }

  describe('writing', () => {
    test('a mail is written in the same transaction as the change that it reports', async () => {
      const bookingId = await book('submitting', 'confirmed')
      expect((await rows()).map(({ kind, booking_id }) => [kind, booking_id])).toEqual([['confirmed', bookingId]])

      const broken = createBookingStore(open(), keyring, async (tx, booking, event) => {
        await createMailQueue(keyring, () => 'send')(tx, booking, event)
        throw new Error('the disk is full')
      })
      const facts = { at: clock.now(), by: BY_ACCOUNT, dueAt: null }
      await expect(broken.move(bookingId, 'confirmed', 'cancelling', facts)).rejects.toThrow('full')
      await move(bookingId, 'confirmed', 'cancelling')
      await expect(broken.move(bookingId, 'cancelling', 'cancelled', facts)).rejects.toThrow('full')
      expect((await rows()).map(({ kind }) => kind)).toEqual(['confirmed'])
    })

    test('the content of mails is encrypted in the database', async () => {
      await book('submitting', 'confirmed')
      const [row] = await rows()
      expect(row?.content).toMatch(/^mal1\.k1\./)
      expect(JSON.stringify(row)).not.toMatch(/lovelace|testa/i)
    })

    test('no mail is written if it has no purpose', async () => {
      purpose = undefined
      await book('submitting', 'confirmed')
      expect(await rows()).toEqual([])
    })

    test('a mail that is only kept is never claimed for sending', async () => {
      purpose = 'keep'
      await book('submitting', 'confirmed')
      expect(await claim()).toEqual([])
      expect((await mails().recent(10)).map(({ outcome, content }) => [outcome, content.kind])).toEqual([
        ['kept', 'confirmed'],
      ])
    })
  })

  describe('claiming', () => {
    test('a slow mail server does not cause a mail to be sent twice', async () => {
      await book('submitting', 'confirmed')
      const slow = Promise.withResolvers<SendResult>()
      const first = delivery(() => slow.promise)
      const running = first.deliver()
      await expect.poll(() => first.received).toHaveLength(1)
      clock.advance(10 * 30 * SECOND)
      const second = delivery()
      await second.deliver()
      expect(second.received).toEqual([])
      slow.resolve({ result: 'sent' })
      await running
      expect(await rows()).toMatchObject([{ outcome: 'sent', attempts: 1 }])
    })

    test('a mail superseded by a later one is not sent', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await move(bookingId, 'confirmed', 'cancelling', 'cancelled')
      const { received, deliver } = delivery()
      await deliver()
      expect(received.map(({ subject }) => subject.split(':')[0])).toEqual(['Cancelled'])
      expect((await rows()).map(({ outcome, content }) => [outcome, content])).toEqual([
        ['superseded', null],
        ['sent', null],
      ])
    })

    test('a discrepancy is mailed once to the guest and once to the operator, and supersedes no earlier mail', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await readDiscrepancy(bookingId)
      await readDiscrepancy(bookingId)
      const { received, deliver } = delivery()
      for (let round = 0; round < 5; round += 1) await deliver()
      expect(received.map(({ to, subject }) => `${to} ${subject.split(':')[0]}`).sort()).toEqual([
        'ada@example.com Confirmed',
        'ada@example.com Difference found',
        'operator@x.example terms_differ',
      ])
    })

    test('a note to the operator shows a discrepancy in selling prices, never in net prices', async () => {
      const price = { booked: euro(10_000), vendorSays: euro(11_000) }
      const discrepancies = [{ code: 'price_differs', since: clock.now(), ...price }] as const
      const sale = { terms: { version: 1 }, net: euro(10_000), price: aPrice(12_500), cancel: undefined }
      const booking = aBooking({ state: 'confirmed', price: aPrice(10_000), sale, discrepancies })
      const event = {
        sequence: 9,
        from: 'confirmed',
        to: 'confirmed',
        at: clock.now(),
        reason: 'price_differs',
      } as const
      const queue = createMailQueue(keyring, () => 'send', { tellsOperator: true })
      await open().write((tx) => queue(tx, booking, { ...event, kind: 'discrepancy', by: BY_ACCOUNT }))
      const { received, deliver } = delivery()
      for (let round = 0; round < 3; round += 1) await deliver()
      expect(received.map(({ to }) => to)).toEqual(['operator@x.example'])
      expect(received[0]?.text).toContain('137.50')
      expect(received[0]?.text).not.toMatch(/100\.00|110\.00/)
    })

    test('after a cancellation a discrepancy is mailed to the operator but not to the guest', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await readDiscrepancy(bookingId)
      await move(bookingId, 'confirmed', 'cancelling', 'cancelled')
      const { received, deliver } = delivery()
      for (let round = 0; round < 5; round += 1) await deliver()
      expect(received.map(({ subject }) => subject.split(':')[0]).sort()).toEqual(['Cancelled', 'terms_differ'])
    })

    test('deferred notes to the operator do not delay mails to the guest', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await readDiscrepancy(bookingId)
      const { received, deliver } = delivery(() => ({ result: 'deferred', code: '451' }))
      await deliver()
      expect(received.map(({ to }) => to).sort()).toEqual(['ada@example.com', 'operator@x.example'])
    })

    test('a later mail waits while the earlier one is being sent', async () => {
      const bookingId = await book('submitting', 'confirmed')
      const [first] = await claim()
      await move(bookingId, 'confirmed', 'cancelling', 'cancelled')
      expect(await claim()).toEqual([])
      await mails().sent(first ?? expect.fail('nothing was claimed'))
      expect((await claim()).map(({ content }) => content?.kind)).toEqual(['cancelled'])
    })
  })

  describe('delivering', () => {
    test('a deferred mail is retried with the same message id and growing delays, and finally given up', async () => {
      const bookingId = await book('submitting', 'confirmed')
      const { received, reports, deliver } = delivery(() => ({ result: 'deferred', code: '451' }))
      const startedAt = clock.now()
      const times: number[] = []
      for (let tries = 0; tries < 60 && reports.at(-1)?.result !== 'given_up'; tries += 1) {
        await deliver()
        times.push(clock.now() - startedAt)
        const [mail] = await createMailLog(open(), keyring).ofBooking(bookingId)
        if (mail?.dueAt) clock.advance(mail.dueAt - clock.now())
      }
      expect(times.slice(0, 4)).toEqual([0, 15 * SECOND, 75 * SECOND, 375 * SECOND])
      expect(times.at(-1)).toBeGreaterThan(MAIL_RETRY_FOR_MS - 3 * 3_600_000)
      expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(1)
      expect((await rows()).map(({ outcome, error }) => [outcome, error])).toEqual([['failed', '451']])
    })

    test('a permanently refused mail is given up at once', async () => {
      await book('submitting', 'confirmed')
      const { received, reports, deliver } = delivery(() => ({ result: 'refused', code: '550' }))
      await deliver()
      clock.advance(MAIL_RETRY_FOR_MS)
      await deliver()
      expect(received).toHaveLength(1)
      expect(reports.map(({ result, code }) => [result, code])).toEqual([['given_up', '550']])
    })

    test('a sent mail is not sent again if the database was unavailable when its outcome was stored', async () => {
      await book('submitting', 'confirmed')
      let failures = 1
      const { received, reports, deliver } = delivery(undefined, {
        ...mails(),
        sent: (mail) => (failures-- > 0 ? Promise.reject(new Error('away')) : mails().sent(mail)),
      })
      await deliver()
      clock.advance(MAIL_RETRY_FOR_MS / 2)
      await deliver()
      expect(received).toHaveLength(1)
      expect(reports.map(({ result }) => result)).toEqual(['sent'])
      expect((await rows()).map(({ outcome, attempts }) => [outcome, attempts])).toEqual([['sent', 1]])
    })

    test('a mail that was given up can be retried after a later note, but not after a later mail', async () => {
      const bookingId = await book('submitting', 'confirmed')
      const log = createMailLog(open(), keyring)
      const givenUp = async () => (await log.givenUp(10)).map(({ kind }) => kind)
      let result: SendResult = { result: 'refused', code: '550' }
      const { received, deliver } = delivery(() => result)
      await deliver()
      result = { result: 'sent' }
      await readDiscrepancy(bookingId)
      for (let round = 0; round < 3; round += 1) await deliver()
      expect(await givenUp()).toEqual(['confirmed'])
      const sequence = (await rows()).find(({ kind }) => kind === 'confirmed')?.sequence ?? expect.fail('no mail')
      expect(await log.retry(bookingId, sequence, clock.now())).toBe(true)
      result = { result: 'refused', code: '550' }
      await deliver()
      expect(received.filter(({ subject }) => subject.startsWith('Confirmed'))).toHaveLength(2)
      await move(bookingId, 'confirmed', 'cancelling', 'cancelled')
      expect(await givenUp()).toEqual([])
      expect(await log.retry(bookingId, sequence, clock.now())).toBe(false)
    })

    test('an unavailable mail server is not tried for every waiting mail', async () => {
      for (let n = 0; n < 9; n += 1) await book('submitting', 'confirmed')
      const { received, deliver } = delivery(() => ({ result: 'unavailable', code: 'ECONNECTION' }))
      expect(await deliver()).toBe(0)
      expect(received.length).toBeLessThan(9)
      expect((await rows()).every(({ outcome }) => outcome === null)).toBe(true)
    })

    test('a mail that cannot be decrypted is given up, and the others are sent', async () => {
      await book('submitting', 'confirmed')
      await open().write((tx) => tx.updateTable('mails').set({ content: 'mal1.lost.AAAA' }).execute())
      await book('submitting', 'confirmed')
      const { reports, deliver } = delivery()
      await deliver()
      expect(reports.map(({ result, code }) => [result, code]).sort()).toEqual([
        ['given_up', 'unreadable'],
        ['sent', undefined],
      ])
    })

    test('an unexpected error in a mail is reported and not retried at once', async () => {
      await book('submitting', 'confirmed')
      const { bugs, deliver } = delivery(() => {
        throw new Error('a bug')
      })
      await deliver()
      await deliver()
      expect(bugs).toHaveLength(1)
    })
  })

  describe('retention', () => {
    test('the content of a sent mail is deleted at once, unless sent mails are kept', async () => {
      await book('submitting', 'confirmed')
      const [first] = await claim()
      await mails(true).sent(first ?? expect.fail('nothing was claimed'))
      expect(await mails().recent(10)).toHaveLength(1)
      await book('submitting', 'confirmed')
      await delivery().deliver()
      expect(await mails().recent(10)).toHaveLength(1)
    })

    test('a mail is deleted after its retention, sent or not', async () => {
      await book('submitting', 'confirmed')
      purpose = 'keep'
      await book('submitting', 'confirmed')
      const before = clock.now()
      expect(await mails().deleteOld(before)).toBe(0)
      expect(await mails().deleteOld(before + 1)).toBe(2)
      expect(await rows()).toEqual([])
      expect(await claim()).toEqual([])
    })
  })
})
