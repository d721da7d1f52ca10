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

async function mailTo(email: string, name = 'Hotel Testa') {
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
  return writeMail(content, { domain: FROM.domain, isSandbox: false, voucherOf: async () => voucher })
}

const send = async (to = 'ada@example.com', more: Partial<SmtpSettings> = {}, tls = {}) =>
  createSmtpSender(settings(more), FROM, tls).send(await mailTo(to))

describe('a mail through a real SMTP server', () => {
  test('arrives with both texts, its files and its headers', async () => {
    mailbox = await startMailbox()
    expect(await send()).toEqual({ result: 'sent' })
    const [{ mail, from, to, raw } = expect.fail('nothing came')] = mailbox.received
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

  test('a name that would be a header is only a name, and no other recipient', async () => {
    mailbox = await startMailbox()
    const mail = await mailTo('ada@example.com', 'Inn\r\nBcc: all@example.com\r\nX-Evil: 1\r\n\r\nbody')
    expect(await createSmtpSender(settings(), FROM).send(mail)).toEqual({ result: 'sent' })
    const [{ mail: read, to } = expect.fail('nothing came')] = mailbox.received
    expect(to).toEqual(['ada@example.com'])
    expect(read.headers.map(({ key }) => key)).not.toContain('x-evil')
    expect(read.bcc ?? []).toEqual([])
    expect(read.subject).toContain('Inn Bcc: all@example.com X-Evil: 1 body')
  })

  test.each(['東京グランドホテル', 'Отель «Берёзка»', 'فندق النخيل', `${'Hôtel du Très Long Nom '.repeat(8)}fin`])(
    '%s arrives whole in subject or text',
    async (name) => {
      mailbox = await startMailbox()
      await createSmtpSender(settings(), FROM).send(await mailTo('ada@example.com', name))
      const { mail } = mailbox.received[0] ?? expect.fail('nothing came')
      expect(mail.subject).toContain(name.slice(0, 90))
      expect(mail.text).toContain(name)
    },
  )

  test.each(['a,b@example.com', 'a@example.com;b', 'a:b@example.com', 'no-address', 'x@y\u0000.example'])(
    '%s is no address that anything is sent to',
    async (address) => {
      mailbox = await startMailbox()
      expect(await send(address)).toEqual({ result: 'refused', code: 'address' })
      expect(mailbox.received).toEqual([])
    },
  )
})

describe('what the server says decides what becomes of a mail', () => {
  test('4xx at the end of the message: later', async () => {
    mailbox = await startMailbox({ answer: () => 451 })
    expect(await send()).toEqual({ result: 'deferred', code: '451' })
  })

  test('4xx for the recipient (greylisting): later', async () => {
    mailbox = await startMailbox({ recipient: () => 450 })
    expect(await send()).toEqual({ result: 'deferred', code: '450' })
  })

  test('5xx for the recipient or the message: never', async () => {
    mailbox = await startMailbox({ recipient: () => 550 })
    expect(await send()).toEqual({ result: 'refused', code: '550' })
    await mailbox.stop()
    mailbox = await startMailbox({ answer: () => 554 })
    expect(await send()).toEqual({ result: 'refused', code: '554' })
  })

  test('a connection lost after the message: not known, so later', async () => {
    mailbox = await startMailbox({ answer: () => 'drop' })
    expect(await send()).toMatchObject({ result: 'unavailable' })
    expect(mailbox.received).toHaveLength(1)
  })

  test('a server that is not there, and a password that is not taken: later, and no mail is to blame', async () => {
    expect(await send()).toMatchObject({ result: 'unavailable' })
    mailbox = await startMailbox({ login: { user: 'serai', password: 'right' } })
    const wrong = { user: 'serai', password: 'wrong-secret', startTls: 'required' as const }
    const outcome = await send('ada@example.com', wrong, { ca: CERTIFICATE })
    expect(outcome).toEqual({ result: 'unavailable', code: '535' })
    expect(JSON.stringify(outcome)).not.toContain('secret')
  })
})

describe('encryption', () => {
  test('STARTTLS, then the password, then the mail', async () => {
    mailbox = await startMailbox({ login: { user: 'serai', password: 'right' } })
    const right = { user: 'serai', password: 'right', startTls: 'required' as const }
    expect(await send('ada@example.com', right, { ca: CERTIFICATE })).toEqual({ result: 'sent' })
    expect(mailbox.received[0]).toMatchObject({ isEncrypted: true, user: 'serai' })
  })

  test('TLS from the first byte', async () => {
    mailbox = await startMailbox({ secure: true })
    expect(await send('ada@example.com', { secure: true }, { ca: CERTIFICATE })).toEqual({ result: 'sent' })
    expect(mailbox.received[0]?.isEncrypted).toBe(true)
  })

  test('where it is demanded, nothing is sent without it, or to a server with a certificate that nobody vouches for', async () => {
    mailbox = await startMailbox({ hideSTARTTLS: true })
    expect(await send('ada@example.com', { startTls: 'required' })).toMatchObject({ result: 'unavailable' })
    await mailbox.stop()
    mailbox = await startMailbox()
    expect(await send('ada@example.com', { startTls: 'required' })).toMatchObject({ result: 'unavailable' })
    expect(mailbox.received).toEqual([])
  })
})

describe('SERAI_SMTP_URL', () => {
  test('names host, port, encryption and login', () => {
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
  ])('%s is refused with what to do, without repeating it', (url, why) => {
    const told = readSmtpUrl(url)
    expect(told).toMatch(why)
    expect(told).not.toContain('hunter2')
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
