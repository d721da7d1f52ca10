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

/** Bytes of a response: of its body as sent, and of all of it on the connection. */
const poll = (path: string, tag?: string) =>
  new Promise<{ status: number; body: number; bytes: number; tag: string }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'accept-encoding': 'br',
      ...(tag && { 'if-none-match': tag }),
    }
    const sent = httpRequest({ port, path, headers, agent: false }, (response) => {
      let body = 0
      response.on('data', (chunk: Buffer) => {
        body += chunk.length
      })
      response.on('end', () => {
        const { etag = '' } = response.headers
        resolve({ status: response.statusCode ?? 0, body, bytes: response.socket.bytesRead, tag: etag })
      })
    })
    sent.on('error', reject).end()
  })

test('polling an unchanged booking with its tag for an hour costs at most 5 % of the content, in small responses', async () => {
  const payload = { bed_id: 'one', price_check_uri: '/api/accommodation/price_check?token=none' }
  const headers = { 'x-simulate-return': 'success' }
  const booked = await app.as(token, { method: 'POST', url: '/api/accommodation/book', payload, headers })
  const path = String(booked.headers.location)
  const plain = await poll(path)
  const tagged = await poll(path, plain.tag)
  expect([plain.status, tagged.status]).toEqual([200, 304])
  expect((plain.body + (POLLS - 1) * tagged.body) / (POLLS * plain.body)).toBeLessThanOrEqual(0.05)
  // The rest is headers, which HTTP requires.
  expect(tagged.bytes).toBeLessThan(260)
})
