import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../../src/config.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { type Mailbox, startMailbox } from '../../support/mail/mailbox.ts'

const sender = { name: 'Serai', address: 'bookings@sender.example', domain: 'sender.example' }
const OPERATOR = 'operations@sender.example'
const GUEST = { given_name: 'Zoë', family_name: 'Müller-Ōtani', email: 'zoe@example.com', phone: '+41 44 1234567' }

/** Mail settings for the test mailbox, as `SERAI_SMTP_URL` would configure them. */
const mailThrough = ({ port }: Mailbox): Config['mail'] => ({
  smtp: { host: '127.0.0.1', port, secure: false, startTls: 'off', user: 'u', password: 'a-secret-password' },
  sender,
  keep: false,
  operator: OPERATOR,
})
const simulated = (headers = {}) => ({ 'x-simulate-return': 'success', ...headers })

describe('mail with SMTP', () => {
  let mailbox: Mailbox
  let app: LedgerApp
  let connectionsToDrop = 0
  beforeAll(async () => {
    mailbox = await startMailbox({
      login: { user: 'u', password: 'a-secret-password' },
      hideSTARTTLS: true,
      answer: () => {
        connectionsToDrop -= 1
        return connectionsToDrop >= 0 ? 'drop' : 'take'
      },
    })
    app = await ledgerApp({ mail: mailThrough(mailbox) })
  })
  afterAll(async () => {
    await app.close()
    await mailbox.stop()
  })

  const book = async () => {
    const { booking_info } = await app.room()
    const answer = await app.book({ ...booking_info, guests: [GUEST], contact: { email: GUEST.email, phone: '' } })
    expect(answer.statusCode).toBe(201)
    return answer.json().data
  }

  test('the contact receives one confirmation, then the cancellation with the refund of the API', async () => {
    const booking = await book()
    await app.deliverMails()
    await app.deliverMails()
    expect(mailbox.received.map(({ to }) => to)).toEqual([[GUEST.email]])
    const confirmed = mailbox.received[0]?.mail ?? expect.fail('no mail')
    expect(confirmed.subject).toContain(`Confirmed: ${booking.property.name}`)
    expect(confirmed.text).toContain('Zoë Müller-Ōtani')
    expect(confirmed.text).toContain(booking.vendor_reference)
    expect(confirmed.attachments.map(({ filename }) => filename)).toEqual([
      'booking.ics',
      `voucher-${booking.reference}.pdf`,
    ])
    const voucher = confirmed.attachments[1]?.content
    expect(new TextDecoder('latin1').decode(voucher as ArrayBuffer).slice(0, 5)).toBe('%PDF-')

    const url = `/api/accommodation/bookings/${booking.booking_id}/cancel`
    const cancel = (await app.request({ method: 'POST', url })).json().data
    await app.deliverMails()
    const cancelled = mailbox.received[1]?.mail ?? expect.fail('no second mail')
    expect(cancelled.subject).toMatch(/^Cancelled: /)
    expect(cancelled.text).toContain(
      `Refund: EUR ${cancel.refund.toLocaleString('en-GB', { minimumFractionDigits: 2 })} (`,
    )
    expect(cancelled.messageId).not.toBe(confirmed.messageId)
  })

  test('after a connection lost behind the message, the same mail is sent again with the same message id', async () => {
    mailbox.received.length = 0
    connectionsToDrop = 1
    await book()
    await app.deliverMails()
    app.clock.advance(60_000)
    await app.deliverMails()
    expect(mailbox.received).toHaveLength(2)
    const [first, again] = mailbox.received.map(({ mail }) => mail)
    expect(again?.messageId).toBe(first?.messageId)
    expect([again?.subject, again?.text, again?.html, again?.date]).toEqual([
      first?.subject,
      first?.text,
      first?.html,
      first?.date,
    ])
  })

  test('a change by the vendor is reported to the operator, and to the guest if it concerns them', async () => {
    const changes = { reprice: 'price_differs', other_guest: 'guests_differ' } as const
    for (const [change, code] of Object.entries(changes)) {
      const { booking_info } = await app.room('expedia_rapid')
      const guests = [{ ...GUEST, given_name: 'Zoe', family_name: 'Muller' }]
      const booked = await app.book({ ...booking_info, guests, contact: { email: GUEST.email } })
      const { booking_id: id, reference } = booked.json().data
      await app.deliverMails()
      mailbox.received.length = 0
      await app.sandbox.control.expedia_rapid?.changeBooking(reference, change as keyof typeof changes)
      for (let reading = 0; reading < 2; reading += 1) {
        app.clock.advance(25 * 60 * 60_000)
        while ((await app.readBookings()) > 0);
        while ((await app.deliverMails()) > 0);
      }
      const notNumbers = mailbox.received.filter(({ mail }) => !mail.subject?.startsWith('Confirmation number'))
      const sent = notNumbers.map(({ to, mail }) => [to[0], mail.subject])
      const toOperator = [OPERATOR, expect.stringContaining(`${code}: ${id}`)]
      const toGuest = [GUEST.email, expect.stringContaining('Difference found')]
      expect(sent, change).toEqual(
        code === 'price_differs' ? [toOperator] : expect.arrayContaining([toOperator, toGuest]),
      )
      expect(sent).toHaveLength(code === 'price_differs' ? 1 : 2)
      const note = mailbox.received.find(({ to }) => to[0] === OPERATOR)?.mail.text
      expect(note).toContain(`serai api operator.bookings.show --booking_id ${id}`)
      expect(note).not.toMatch(/Zoe|Muller|zoe@/)
    }
  })

  test('no log line contains the password, an address or a name', async () => {
    connectionsToDrop = 1
    await book()
    await app.deliverMails()
    const log = app.logged.join('')
    expect(log).toContain('"mail"')
    expect(log).not.toMatch(/a-secret-password|zoe@example|Müller/)
  })

  test('a simulated booking sends no mail', async () => {
    mailbox.received.length = 0
    connectionsToDrop = 0
    await app.deliverMails()
    app.clock.advance(60_000)
    await app.deliverMails()
    const before = mailbox.received.length
    const answer = await app.book({ price_check_uri: '/x', guests: [GUEST] }, simulated({ 'idempotency-key': 'sim' }))
    expect(answer.statusCode).toBe(201)
    await app.deliverMails()
    expect(mailbox.received).toHaveLength(before)
  })

  test('the page configuration announces mail, and no mail can be read over HTTP', async () => {
    expect((await app.call({ url: '/page-config.json' })).json().mail).toBe(true)
    expect((await app.call({ url: '/dev/mail' })).statusCode).toBe(404)
  })
})

describe('mail in development, without SMTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp({ mail: { smtp: undefined, sender, keep: true, operator: undefined } })
    const token = await app.signIn()
    const payload = { price_check_uri: '/x', guests: [GUEST], special_requests: '<script>alert(1)</script>' }
    const answer = await app.as(token, {
      method: 'POST',
      url: '/api/accommodation/book',
      payload,
      headers: simulated(),
    })
    expect(answer.statusCode).toBe(201)
    await app.deliverMails()
  })
  afterAll(() => app.close())

  test('the page configuration does not announce mail without SMTP', async () => {
    expect((await app.call({ url: '/page-config.json' })).json().mail).toBe(false)
  })

  test('every mail can be read at /dev/mail, and no script in it runs', async () => {
    const list = await app.call({ url: '/dev/mail' })
    expect(list.statusCode).toBe(200)
    expect(list.body).toContain('[Simulated] Confirmed: ')
    const path = /href="(\/dev\/mail\/[^"]+)"/.exec(list.body)?.[1] ?? expect.fail('no link')
    for (const url of [path, `${path}/html`]) {
      const page = await app.call({ url })
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
      expect(page.body).toContain('&lt;script&gt;alert(1)')
      expect(page.body).not.toContain('<script>alert')
    }
    const file = await app.call({ url: `${path}/files/0` })
    expect(file.headers['content-type']).toContain('text/calendar')
    expect(file.headers['content-disposition']).toBe('attachment; filename="booking.ics"')
    expect((await app.call({ url: '/dev/mail/evt_none_1' })).statusCode).toBe(404)
  })

  test('/dev/mail is available only from this machine', async () => {
    const elsewhere = [
      { remoteAddress: '10.1.2.3' },
      { headers: { 'x-forwarded-for': '127.0.0.1' } },
      // The name of a site that leads to this machine (DNS rebinding).
      { headers: { host: 'site.example' } },
    ]
    for (const from of elsewhere) {
      expect((await app.call({ url: '/dev/mail', ...from })).statusCode).toBe(404)
    }
  })
})

test('in production without SMTP no mail is created and /dev/mail does not exist', async () => {
  const app = await testApp()
  const token = await app.signIn()
  const headers = simulated()
  await app.as(token, { method: 'POST', url: '/api/accommodation/book', payload: { price_check_uri: '/x' }, headers })
  expect((await app.call({ url: '/dev/mail' })).statusCode).toBe(404)
  await app.close()
})
