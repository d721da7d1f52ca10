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
import { aBooking, aPrice, BY, euro } from '../../support/booking/an-offer.ts'
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
    await bookings().create(booking, keys, now, 0, BY)
    await move(bookingId, 'pending', ...states)
    return bookingId
  }

  async function move(bookingId: string, ...states: BookingState[]) {
    for (const [at, to] of states.entries()) {
      const from = states[at - 1]
      if (from === undefined) continue
      await bookings().move(bookingId, from, to, { at: clock.now(), by: BY, dueAt: null, vendorReference: 'V-1' })
    }
  }

  /** The vendor names less board, at a reading. */
  async function differ(bookingId: string) {
    const at = clock.now()
    const { vendorId, reference } = (await bookings().any(bookingId)) ?? expect.fail('no booking')
    await bookings().promptReadings(vendorId, [reference], at)
    const [held] = await bookings().claimReadings(at, LEASE, { perMinute: 6_000, most: 1 })
    const term = (board: Board) => ({ what: 'board', board }) as const
    const found = { booked: term('breakfast'), vendorSays: term('room_only') }
    const compared = { differs: [{ code: 'terms_differ', since: at, ...found } as const], agrees: [] }
    await bookings().finishReading(held ?? expect.fail('nothing to read'), { at, outcome: 'differs', compared })
  }

  /** Delivers with a server that answers as told; keeps what it was given. */
  function delivery(
    answers: (nth: number) => SendResult | Promise<SendResult> = () => ({ result: 'sent' }),
    store = mails(),
  ) {
    const given: Mail[] = []
    const reports: MailReport[] = []
    const bugs: unknown[] = []
    const deliver = createDeliverMails({
      mails: store,
      sender: {
        send: async (mail) => {
          given.push(mail)
          return answers(given.length)
        },
      },
      write: async (content) =>
        content.kind === 'operator_note'
          ? writeOperatorNote(content, 'operator@x.example', 'x.example')
          : writeMail(content, { domain: 'x.example', isSandbox: false, voucherOf: async () => VOUCHER }),
      clock,
      random: () => 0.5,
      onReport: (report) => reports.push(report),
      onBug: (error) => bugs.push(error),
    })
    return { given, reports, bugs, deliver }
  }

  describe('writing', () => {
    test('a mail is written with the change it tells of, or neither is', async () => {
      const bookingId = await book('submitting', 'confirmed')
      expect((await rows()).map(({ kind, booking_id }) => [kind, booking_id])).toEqual([['confirmed', bookingId]])

      const broken = createBookingStore(open(), keyring, async (tx, booking, event) => {
        await createMailQueue(keyring, () => 'send')(tx, booking, event)
        throw new Error('the disk is full')
      })
      const facts = { at: clock.now(), by: BY, dueAt: null }
      await expect(broken.move(bookingId, 'confirmed', 'cancelling', facts)).rejects.toThrow('full')
      await move(bookingId, 'confirmed', 'cancelling')
      await expect(broken.move(bookingId, 'cancelling', 'cancelled', facts)).rejects.toThrow('full')
      expect((await rows()).map(({ kind }) => kind)).toEqual(['confirmed'])
    })

    test('nothing personal can be read in the database', async () => {
      await book('submitting', 'confirmed')
      const [row] = await rows()
      expect(row?.content).toMatch(/^mal1\.k1\./)
      expect(JSON.stringify(row)).not.toMatch(/lovelace|testa/i)
    })

    test('nothing is written where there is no use for it, or nobody to write to', async () => {
      purpose = undefined
      await book('submitting', 'confirmed')
      expect(await rows()).toEqual([])
    })

    test('what is only kept is never handed out for sending', async () => {
      purpose = 'keep'
      await book('submitting', 'confirmed')
      expect(await claim()).toEqual([])
      expect((await mails().recent(10)).map(({ outcome, content }) => [outcome, content.kind])).toEqual([
        ['kept', 'confirmed'],
      ])
    })
  })

  describe('claiming', () => {
    test('a mail server that takes half a minute for each of its answers is no reason to send a mail twice', async () => {
      await book('submitting', 'confirmed')
      const slow = Promise.withResolvers<SendResult>()
      const first = delivery(() => slow.promise)
      const running = first.deliver()
      await expect.poll(() => first.given).toHaveLength(1)
      clock.turn(10 * 30 * SECOND)
      const second = delivery()
      await second.deliver()
      expect(second.given).toEqual([])
      slow.resolve({ result: 'sent' })
      await running
      expect(await rows()).toMatchObject([{ outcome: 'sent', attempts: 1 }])
    })

    test('a mail that a later one has overtaken is not sent any more', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await move(bookingId, 'confirmed', 'cancelling', 'cancelled')
      const { given, deliver } = delivery()
      await deliver()
      expect(given.map(({ subject }) => subject.split(':')[0])).toEqual(['Cancelled'])
      expect((await rows()).map(({ outcome, content }) => [outcome, content])).toEqual([
        ['superseded', null],
        ['sent', null],
      ])
    })

    test('a difference makes no earlier mail superfluous, and is itself told once, to the guest and to the operator', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await differ(bookingId)
      await differ(bookingId)
      const { given, deliver } = delivery()
      for (let round = 0; round < 5; round += 1) await deliver()
      expect(given.map(({ to, subject }) => `${to} ${subject.split(':')[0]}`).sort()).toEqual([
        'ada@example.com Confirmed',
        'ada@example.com Difference found',
        'operator@x.example terms_differ',
      ])
    })

    test('a note to the operator tells a difference in selling prices, never in net prices', async () => {
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
      await open().write((tx) => queue(tx, booking, { ...event, kind: 'discrepancy', by: BY }))
      const { given, deliver } = delivery()
      for (let round = 0; round < 3; round += 1) await deliver()
      expect(given.map(({ to }) => to)).toEqual(['operator@x.example'])
      expect(given[0]?.text).toContain('137.50')
      expect(given[0]?.text).not.toMatch(/100\.00|110\.00/)
    })

    test('a difference is not told to the guest any more once the booking is cancelled, but to the operator', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await differ(bookingId)
      await move(bookingId, 'confirmed', 'cancelling', 'cancelled')
      const { given, deliver } = delivery()
      for (let round = 0; round < 5; round += 1) await deliver()
      expect(given.map(({ subject }) => subject.split(':')[0]).sort()).toEqual(['Cancelled', 'terms_differ'])
    })

    test('notes that the operator’s server does not take keep no mail from the guest', async () => {
      const bookingId = await book('submitting', 'confirmed')
      await differ(bookingId)
      const { given, deliver } = delivery(() => ({ result: 'deferred', code: '451' }))
      await deliver()
      expect(given.map(({ to }) => to).sort()).toEqual(['ada@example.com', 'operator@x.example'])
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
    test('a mail that was not taken is tried again with the same message id, later each time, and then given up', async () => {
      const bookingId = await book('submitting', 'confirmed')
      const { given, reports, deliver } = delivery(() => ({ result: 'deferred', code: '451' }))
      const startedAt = clock.now()
      const times: number[] = []
      for (let tries = 0; tries < 60 && reports.at(-1)?.result !== 'given_up'; tries += 1) {
        await deliver()
        times.push(clock.now() - startedAt)
        const [mail] = await createMailLog(open(), keyring).ofBooking(bookingId)
        if (mail?.dueAt) clock.turn(mail.dueAt - clock.now())
      }
      expect(times.slice(0, 4)).toEqual([0, 15 * SECOND, 75 * SECOND, 375 * SECOND])
      expect(times.at(-1)).toBeGreaterThan(MAIL_RETRY_FOR_MS - 3 * 3_600_000)
      expect(new Set(given.map(({ messageId }) => messageId)).size).toBe(1)
      expect((await rows()).map(({ outcome, error }) => [outcome, error])).toEqual([['failed', '451']])
    })

    test('a refusal for good ends it at once', async () => {
      await book('submitting', 'confirmed')
      const { given, reports, deliver } = delivery(() => ({ result: 'refused', code: '550' }))
      await deliver()
      clock.turn(MAIL_RETRY_FOR_MS)
      await deliver()
      expect(given).toHaveLength(1)
      expect(reports.map(({ result, code }) => [result, code])).toEqual([['given_up', '550']])
    })

    test('a mail that was sent is not sent again because the database was away when that was to be noted', async () => {
      await book('submitting', 'confirmed')
      let failures = 1
      const { given, reports, deliver } = delivery(undefined, {
        ...mails(),
        sent: (mail) => (failures-- > 0 ? Promise.reject(new Error('away')) : mails().sent(mail)),
      })
      await deliver()
      clock.turn(MAIL_RETRY_FOR_MS / 2)
      await deliver()
      expect(given).toHaveLength(1)
      expect(reports.map(({ result }) => result)).toEqual(['sent'])
      expect((await rows()).map(({ outcome, attempts }) => [outcome, attempts])).toEqual([['sent', 1]])
    })

    test('a mail that was given up stays known after a later note, can be sent again, and not after a later mail', async () => {
      const bookingId = await book('submitting', 'confirmed')
      const log = createMailLog(open(), keyring)
      const givenUp = async () => (await log.givenUp(10)).map(({ kind }) => kind)
      let result: SendResult = { result: 'refused', code: '550' }
      const { given, deliver } = delivery(() => result)
      await deliver()
      result = { result: 'sent' }
      await differ(bookingId)
      for (let round = 0; round < 3; round += 1) await deliver()
      expect(await givenUp()).toEqual(['confirmed'])
      const sequence = (await rows()).find(({ kind }) => kind === 'confirmed')?.sequence ?? expect.fail('no mail')
      expect(await log.retry(bookingId, sequence, clock.now())).toBe(true)
      result = { result: 'refused', code: '550' }
      await deliver()
      expect(given.filter(({ subject }) => subject.startsWith('Confirmed'))).toHaveLength(2)
      await move(bookingId, 'confirmed', 'cancelling', 'cancelled')
      expect(await givenUp()).toEqual([])
      expect(await log.retry(bookingId, sequence, clock.now())).toBe(false)
    })

    test('a server that takes none is not asked for every waiting mail at once', async () => {
      for (let n = 0; n < 9; n += 1) await book('submitting', 'confirmed')
      const { given, deliver } = delivery(() => ({ result: 'unavailable', code: 'ECONNECTION' }))
      expect(await deliver()).toBe(0)
      expect(given.length).toBeLessThan(9)
      expect((await rows()).every(({ outcome }) => outcome === null)).toBe(true)
    })

    test('a mail that cannot be opened any more is given up, and the others are sent', async () => {
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

    test('a bug in one mail is told of, costs the others nothing, and does not repeat at once', async () => {
      await book('submitting', 'confirmed')
      const { bugs, deliver } = delivery(() => {
        throw new Error('a bug')
      })
      await deliver()
      await deliver()
      expect(bugs).toHaveLength(1)
    })
  })

  describe('forgetting', () => {
    test('what was sent is unreadable at once, except where it is kept to be read', async () => {
      await book('submitting', 'confirmed')
      const [first] = await claim()
      await mails(true).sent(first ?? expect.fail('nothing was claimed'))
      expect(await mails().recent(10)).toHaveLength(1)
      await book('submitting', 'confirmed')
      await delivery().deliver()
      expect(await mails().recent(10)).toHaveLength(1)
    })

    test('after its retention nothing is left of a mail, sent or not', async () => {
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
