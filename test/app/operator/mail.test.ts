import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { type Mailbox, startMailbox } from '../../support/mail/mailbox.ts'

const GUEST = { given_name: 'Zoë', family_name: 'Müller', email: 'zoe@example.com' }

let mailbox: Mailbox
let app: LedgerApp
let operator: string
let refusals = 0
beforeAll(async () => {
  mailbox = await startMailbox({
    hideSTARTTLS: true,
    recipient: () => {
      refusals -= 1
      return refusals >= 0 ? 550 : undefined
    },
  })
  const smtp = {
    host: '127.0.0.1',
    port: mailbox.port,
    secure: false,
    startTls: 'off',
    user: undefined,
    password: undefined,
  } as const
  const sender = { name: 'Serai', address: 'bookings@sender.example', domain: 'sender.example' }
  app = await ledgerApp({ mail: { smtp, sender, keep: false, operator: undefined } })
  operator = await operatorToken(app)
})
afterAll(async () => {
  await app.close()
  await mailbox.stop()
})

async function book(): Promise<string> {
  const { booking_info } = await app.room()
  const answer = await app.book({ ...booking_info, guests: [GUEST], contact: { email: GUEST.email, phone: '' } })
  expect(answer.statusCode).toBe(201)
  return answer.json().data.booking_id
}
const sendAgain = (id: string, payload: object) =>
  app.as(operator, { method: 'POST', url: `/api/operator/bookings/${id}/mail`, payload })
const attention = async () => (await app.as(operator, { url: '/api/operator/attention' })).json().data

test('a guest who lost the mail gets it once more, under an id that mail programs do not drop', async () => {
  const id = await book()
  await app.deliverMails()
  expect((await sendAgain(id, {})).statusCode).toBe(202)
  await app.deliverMails()
  const mails = mailbox.received.map(({ mail }) => mail)
  expect(mails.map(({ subject }) => subject)).toEqual([mails[0]?.subject, mails[0]?.subject])
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2)
})

test('a mail that was given up needs attention, and is sent as it was when the server takes it', async () => {
  refusals = 1
  const id = await book()
  await app.deliverMails()
  const [entry] = await attention()
  expect(entry).toMatchObject({ kind: 'mail_failed', booking_id: id, action: 'send_mail' })
  const before = mailbox.received.length
  expect((await sendAgain(id, { sequence: entry.mail_sequence })).statusCode).toBe(202)
  expect(await attention()).toEqual([])
  await app.deliverMails()
  expect(mailbox.received.length).toBe(before + 1)
  const twice = await sendAgain(id, { sequence: entry.mail_sequence })
  expect(twice.json()).toMatchObject({ status: 409, code: 'not_possible' })
})
