import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { UNLIMITED } from '../../support/app/ledger-app.ts'

const POLLS = 3_600

let app: TestApp
let token: string
let port: number
beforeAll(async () => {
  app = await testApp({ allowances: UNLIMITED })
  token = await app.signIn()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  port = Number(new URL(app.http.listeningOrigin).port)
})
afterAll(() => app.close())

/** Bytes on the connection in both directions. */
const poll = (path: string, tag?: string) =>
  new Promise<{ status: number; received: number; sent: number; tag: string; headers: string[] }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'accept-encoding': 'br',
      ...(tag && { 'if-none-match': tag }),
    }
    const sent = httpRequest({ port, path, headers, agent: false }, (response) => {
      response.resume().on('end', () => {
        const { statusCode: status = 0, headers, socket } = response
        const { bytesRead: received, bytesWritten } = socket
        resolve({ status, received, sent: bytesWritten, tag: headers.etag ?? '', headers: Object.keys(headers).sort() })
      })
    })
    sent.on('error', reject).end()
  })

test('polling an unchanged booking with its tag for an hour costs at most 5 % of the bytes of its responses', async () => {
  const payload = {
    bed_id: 'one',
    price_check_uri: '/api/accommodation/price_check?token=none',
    guests: [
      { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0123' },
      { given_name: 'Grace', family_name: 'Hopper', email: 'grace@example.org', phone: '+1 202 555 0187' },
    ],
    contact: { email: 'bookings@example.com', phone: '+44 20 7946 0987' },
    special_requests: 'A quiet room',
    client_reference: 'PO-2027-0042',
  }
  const headers = { 'x-simulate-return': 'success' }
  const booked = await app.as(token, { method: 'POST', url: '/api/accommodation/book', payload, headers })
  const path = String(booked.headers.location)
  const plain = await poll(path)
  const tagged = await poll(path, plain.tag)
  expect([plain.status, tagged.status]).toEqual([200, 304])
  expect(tagged.headers).toEqual(['cache-control', 'date', 'etag'])
  const hour = (bytes: (answer: typeof plain) => number) => bytes(plain) + (POLLS - 1) * bytes(tagged)
  const share = (bytes: (answer: typeof plain) => number) => hour(bytes) / (POLLS * bytes(plain))
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`
  const responses = share(({ received }) => received)
  const both = share(({ received, sent }) => received + sent)
  console.info(
    `Polling: ${tagged.received} of ${plain.received} bytes a response (${percent(responses)}), ${percent(both)} with the request.`,
  )
  expect(responses).toBeLessThanOrEqual(0.05)
  // Most of a request is its token.
  expect(both).toBeLessThanOrEqual(0.2)
})
