import { afterAll, beforeAll, expect, test } from 'vitest'
import { TaskCountsResponse } from '../../../src/operator/schemas/attention.ts'
import { TASK_KINDS } from '../../../src/store/tasks.ts'
import { type LedgerApp, ledgerApp } from '../../support/app/ledger-app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { type Mailbox, startMailbox } from '../../support/mail/mailbox.ts'

const GUEST = { given_name: 'Zoë', family_name: 'Müller', email: 'zoe@example.com' }

let mailbox: Mailbox
let app: LedgerApp
let operator: string
let refusals = 0
/** Reply code of the mail server when it refuses a mail. */
let refusal = 550
beforeAll(async () => {
  mailbox = await startMailbox({
    hideSTARTTLS: true,
    recipient: () => {
      refusals -= 1
      return refusals >= 0 ? refusal : undefined
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

test('overdue and failing background tasks are counted by kind', async () => {
  const counts = async () => {
    const answer = await app.as(operator, { url: '/api/operator/tasks' })
    expectToMatch(TaskCountsResponse, answer.json())
    return answer.json().data
  }
  const mails = async () => (await counts()).find(({ kind }: { kind: string }) => kind === 'mail')
  const none = { kind: 'mail', overdue: 0, overdue_since: null, failing: 0, failing_since: null }
  expect((await counts()).map(({ kind }: { kind: string }) => kind)).toEqual(TASK_KINDS)
  expect(await mails()).toEqual(none)
  await book()
  const since = new Date(app.clock.now()).toISOString()
  expect(await mails()).toEqual({ ...none, overdue: 1, overdue_since: since })
  refusals = 1
  refusal = 451
  await app.deliverMails()
  expect(await mails()).toEqual({ ...none, failing: 1, failing_since: since })
  refusals = 0
  refusal = 550
  app.clock.advance(60 * 60_000)
  await app.deliverMails()
  expect(await mails()).toEqual(none)
})

test('a guest who lost the mail gets it again under a new message id', async () => {
  const id = await book()
  await app.deliverMails()
  const before = mailbox.received.length
  expect((await sendAgain(id, {})).statusCode).toBe(202)
  await app.deliverMails()
  const mails = mailbox.received.slice(before - 1).map(({ mail }) => mail)
  expect(mails.map(({ subject }) => subject)).toEqual([mails[0]?.subject, mails[0]?.subject])
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2)
})

test('a mail that was given up needs attention and can be sent again unchanged', async () => {
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
