import { afterEach, describe, expect, test } from 'vitest'
import type { MailContent } from '../../../src/domain/mail.ts'
import { createSmtpSender } from '../../../src/mail/smtp-sender.ts'
import { readSender, readSmtpUrl, type SmtpSettings } from '../../../src/mail/smtp-settings.ts'
import { writeMail } from '../../../src/mail/write-mail.ts'
import { aBooking, START } from '../../support/booking/an-offer.ts'
import { CERTIFICATE, type Mailbox, startMailbox } from '../../support/mail/mailbox.ts'

const FROM = { name: 'Hôtels & Söhne', address: 'bookings@sender.example', domain: 'sender.example' }

let mailbox: Mailbox | undefined
afterEach(async () => {
  await mailbox?.stop()
  mailbox = undefined
})

const settings = (more: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: '127.0.0.1',
  port: mailbox?.port ?? 1,
  secure: false,
  startTls: 'off',
  user: undefined,
  password: undefined,
  ...more,
})

async function createMail(email: string, name = 'Hotel Testa') {
  const booking = aBooking({ vendorReference: 'V-1' })
  const content: MailContent = {
    kind: 'confirmed',
    booking: {
      ...booking,
      property: { ...booking.property, name },
      persons: { ...booking.persons, contact: { email, phone: '' } },
    },
    event: { sequence: 3, from: 'submitting', at: START },
  }
  const voucher = { filename: 'voucher.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }
  return writeMail(content, {
    domain: FROM.domain,
    isSandbox: false,
    createVoucher: async () => voucher,
    linkTo: async () => undefined,
  })
}

const send = async (to = 'ada@example.com', more: Partial<SmtpSettings> = {}, tls = {}) =>
  createSmtpSender(settings(more), FROM, tls).send(await createMail(to))

describe('sending a mail to an SMTP server', () => {
  test('a mail arrives with both texts, its attachments and its headers', async () => {
    mailbox = await startMailbox()
    expect(await send()).toEqual({ result: 'sent' })
    const [{ mail, from, to, raw } = expect.fail('no mail arrived')] = mailbox.received
    expect([from, to]).toEqual(['bookings@sender.example', ['ada@example.com']])
    expect(mail.from).toMatchObject({ name: 'Hôtels & Söhne', address: 'bookings@sender.example' })
    expect(mail.messageId).toBe('<evt_1_3@sender.example>')
    expect(mail.date).toBe(new Date(START).toISOString())
    expect(mail.text).toContain('Your booking is confirmed.')
    expect(mail.html).toContain('application/ld+json')
    expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['booking.ics', 'text/calendar'],
      ['voucher.pdf', 'application/pdf'],
    ])
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(998)
  })

  test('a name with header lines adds neither a header nor a recipient', async () => {
    mailbox = await startMailbox()
    const mail = await createMail('ada@example.com', 'Inn\r\nBcc: all@example.com\r\nX-Evil: 1\r\n\r\nbody')
    expect(await createSmtpSender(settings(), FROM).send(mail)).toEqual({ result: 'sent' })
    const [{ mail: read, to } = expect.fail('no mail arrived')] = mailbox.received
    expect(to).toEqual(['ada@example.com'])
    expect(read.headers.map(({ key }) => key)).not.toContain('x-evil')
    expect(read.bcc ?? []).toEqual([])
    expect(read.subject).toContain('Inn Bcc: all@example.com X-Evil: 1 body')
  })

  test.each(['東京グランドホテル', 'Отель «Берёзка»', 'فندق النخيل', `${'Hôtel du Très Long Nom '.repeat(8)}fin`])(
    'the name %s arrives complete in subject or text',
    async (name) => {
      mailbox = await startMailbox()
      await createSmtpSender(settings(), FROM).send(await createMail('ada@example.com', name))
      const { mail } = mailbox.received[0] ?? expect.fail('no mail arrived')
      expect(mail.subject).toContain(name.slice(0, 90))
      expect(mail.text).toContain(name)
    },
  )

  test.each(['a,b@example.com', 'a@example.com;b', 'a:b@example.com', 'no-address', 'x@y\u0000.example'])(
    'nothing is sent to the invalid address %s',
    async (address) => {
      mailbox = await startMailbox()
      expect(await send(address)).toEqual({ result: 'refused', code: 'address' })
      expect(mailbox.received).toEqual([])
    },
  )
})

describe('replies of the SMTP server', () => {
  test('a 4xx reply to the message defers the mail', async () => {
    mailbox = await startMailbox({ answer: () => 451 })
    expect(await send()).toEqual({ result: 'deferred', code: '451' })
  })

  test('a 4xx reply to the recipient (greylisting) defers the mail', async () => {
    mailbox = await startMailbox({ recipient: () => 450 })
    expect(await send()).toEqual({ result: 'deferred', code: '450' })
  })

  test('a 5xx reply to the recipient or the message refuses the mail', async () => {
    mailbox = await startMailbox({ recipient: () => 550 })
    expect(await send()).toEqual({ result: 'refused', code: '550' })
    await mailbox.stop()
    mailbox = await startMailbox({ answer: () => 554 })
    expect(await send()).toEqual({ result: 'refused', code: '554' })
  })

  test('a connection lost after the message is reported as unavailable', async () => {
    mailbox = await startMailbox({ answer: () => 'drop' })
    expect(await send()).toMatchObject({ result: 'unavailable' })
    expect(mailbox.received).toHaveLength(1)
  })

  test('an unreachable server and a wrong password are reported as unavailable', async () => {
    expect(await send()).toMatchObject({ result: 'unavailable' })
    mailbox = await startMailbox({ login: { user: 'serai', password: 'right' } })
    const wrong = { user: 'serai', password: 'wrong-secret', startTls: 'required' as const }
    const outcome = await send('ada@example.com', wrong, { ca: CERTIFICATE })
    expect(outcome).toEqual({ result: 'unavailable', code: '535' })
    expect(JSON.stringify(outcome)).not.toContain('secret')
  })
})

describe('encryption of SMTP', () => {
  test('STARTTLS comes before the password and the mail', async () => {
    mailbox = await startMailbox({ login: { user: 'serai', password: 'right' } })
    const right = { user: 'serai', password: 'right', startTls: 'required' as const }
    expect(await send('ada@example.com', right, { ca: CERTIFICATE })).toEqual({ result: 'sent' })
    expect(mailbox.received[0]).toMatchObject({ isEncrypted: true, user: 'serai' })
  })

  test('TLS can be used from the first byte', async () => {
    mailbox = await startMailbox({ secure: true })
    expect(await send('ada@example.com', { secure: true }, { ca: CERTIFICATE })).toEqual({ result: 'sent' })
    expect(mailbox.received[0]?.isEncrypted).toBe(true)
  })

  test('if TLS is required, nothing is sent without it or to a server with an untrusted certificate', async () => {
    mailbox = await startMailbox({ hideSTARTTLS: true })
    expect(await send('ada@example.com', { startTls: 'required' })).toMatchObject({ result: 'unavailable' })
    await mailbox.stop()
    mailbox = await startMailbox()
    expect(await send('ada@example.com', { startTls: 'required' })).toMatchObject({ result: 'unavailable' })
    expect(mailbox.received).toEqual([])
  })
})

describe('SERAI_SMTP_URL', () => {
  test('the SMTP URL contains host, port, encryption and login', () => {
    expect(readSmtpUrl('smtps://serai:p%40ss@mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 465,
      secure: true,
      startTls: 'required',
      user: 'serai',
      password: 'p@ss',
    })
    expect(readSmtpUrl('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false, startTls: 'required' })
    expect(readSmtpUrl('smtp://127.0.0.1:1025')).toMatchObject({ port: 1025, startTls: 'optional' })
    expect(readSmtpUrl('smtp://relay:25?tls=off')).toMatchObject({ port: 25, startTls: 'off' })
  })

  test.each([
    ['http://mail.example.com', /begin with smtp/],
    ['mail.example.com', /such as smtps/],
    ['smtp://u:hunter2@mail.example.com?tls=off', /unencrypted/],
    ['smtp://mail.example.com?tls=maybe', /tls=required/],
    ['smtp://mail.example.com?pool=true', /parameter/],
    ['smtps://u:hunter2%@mail.example.com', /write it as %25/],
  ])('the SMTP URL %s is refused with a hint that does not repeat it', (url, why) => {
    const message = readSmtpUrl(url)
    expect(message).toMatch(why)
    expect(message).not.toContain('hunter2')
  })

  test('the sender is an address with or without a name', () => {
    expect(readSender('Example Hotels <bookings@example.com>')).toEqual({
      name: 'Example Hotels',
      address: 'bookings@example.com',
      domain: 'example.com',
    })
    expect(readSender('bookings@example.com')).toMatchObject({ name: '', address: 'bookings@example.com' })
    for (const wrong of ['', 'nobody', 'a@b, c@d', 'A <a@b.c> <d@e.f>', 'x\r\nBcc: a@b.c <d@e.f>'])
      expect(readSender(wrong)).toBe(undefined)
  })
})
