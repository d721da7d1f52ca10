import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mailbox, startMailbox } from '../../support/mail/mailbox.ts'
import { type PaymentApp, paymentApp } from '../../support/payments/payment-app.ts'

const OPERATOR = 'operations@sender.example'
const GUEST = { given_name: 'Zoë', family_name: 'Solberg', email: 'zoe@example.com' }

let app: PaymentApp
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await startMailbox({ login: { user: 'u', password: 'p' }, hideSTARTTLS: true })
  app = await paymentApp({
    mail: {
      smtp: { host: '127.0.0.1', port: mailbox.port, secure: false, startTls: 'off', user: 'u', password: 'p' },
      sender: { name: 'Serai', address: 'bookings@sender.example', domain: 'sender.example' },
      keep: false,
      operator: OPERATOR,
    },
  })
})
afterAll(async () => {
  await app.close()
  await mailbox.stop()
})

const euros = (amount: number) => `EUR ${amount.toLocaleString('en-GB', { minimumFractionDigits: 2 })}`

async function sentMails() {
  for (let rounds = 0; rounds < 3; rounds += 1) await app.deliverMails()
  return mailbox.received.map(({ to, mail }) => ({ to: to[0], subject: mail.subject ?? '', text: mail.text ?? '' }))
}

test('guests learn from mails which card was charged and refunded, and operators which payment needs a review', async () => {
  let room = await app.room()
  while (room.cancel_policy.cancelation !== 'free') room = await app.room()
  const { paymentId, body, amount } = await app.authorise(room)
  const { booking_id } = (await app.book({ ...body, guests: [GUEST] })).json().data
  await app.drive()
  const [confirmed] = await sentMails()
  expect(confirmed?.text).toContain(`Charged to your card: ${euros(amount)}, Visa ending in 4242`)

  const { refund } = (await app.post(`/api/accommodation/bookings/${booking_id}/cancel`)).json().data
  await app.drive()
  const refunded = (await sentMails()).find(({ subject }) => subject.startsWith('Refund: '))
  expect(refunded).toMatchObject({ to: GUEST.email, text: expect.stringContaining(euros(refund)) })

  const intent = app.provider.intent(paymentId)
  intent.refunds = intent.refunds.map((done) => ({ ...done, state: 'failed' }))
  await app.drive(2, 26 * 3_600_000)
  const note = (await sentMails()).find(({ to }) => to === OPERATOR)
  expect(note).toMatchObject({ subject: expect.stringContaining('refund_failed') })
  expect(note?.text).toContain(`serai payments show ${paymentId}`)
  expect(note?.text).not.toContain('Solberg')
})
