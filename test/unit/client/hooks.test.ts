import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, signInWith } from '../../../packages/client/src/index.ts'
import { replyJson, replyProblem, scriptedServer } from '../../support/http/scripted-server.ts'

let server: Awaited<ReturnType<typeof scriptedServer>>
beforeAll(async () => {
  server = await scriptedServer()
})
afterAll(() => server.close())

const shown = replyJson(200, { data: { booking_id: 'bkg_1' } })
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('hooks see every attempt and every repeat, and can add headers', async () => {
  const seen: unknown[] = []
  const client = createClient({
    baseUrl: server.url,
    token: 't',
    onRequest({ operation, attempt, path, headers }) {
      seen.push(['request', operation, attempt, path])
      headers.traceparent = TRACE
    },
    onResponse: ({ operation, attempt, status }) => seen.push(['response', operation, attempt, status]),
    onRetry: ({ operation, attempt, error, waitMs }) =>
      seen.push(['retry', operation, attempt, error.code, waitMs > 0]),
  })
  server.play(replyProblem(503, 'overloaded'), shown)
  await client.booking.show({ booking_id: 'bkg_1' })
  const path = '/api/accommodation/bookings/bkg_1'
  expect(seen).toEqual([
    ['request', 'booking.show', 1, path],
    ['response', 'booking.show', 1, 503],
    ['retry', 'booking.show', 1, 'overloaded', true],
    ['request', 'booking.show', 2, path],
    ['response', 'booking.show', 2, 200],
  ])
  expect(server.seen().map(({ headers }) => headers.traceparent)).toEqual([TRACE, TRACE])
})

test('a call passes its trace context on, and hooks that throw change nothing', async () => {
  const fail = () => {
    throw new Error('the collector is down')
  }
  const client = createClient({ baseUrl: server.url, token: 't', onRequest: fail, onResponse: fail, onRetry: fail })
  server.play(replyProblem(503, 'overloaded'), shown)
  expect(await client.booking.show({ booking_id: 'bkg_1' }, { traceparent: TRACE })).toEqual({ booking_id: 'bkg_1' })
  expect(server.seen().map(({ headers }) => headers.traceparent)).toEqual([TRACE, TRACE])
})

test.each([
  ['the client', { retries: 0 }, {}],
  ['the call', {}, { retries: 0 }],
])('retries: 0 of %s also applies to the sign-in that a call needs', async (_, ofClient, ofCall) => {
  const options = { baseUrl: server.url }
  const signIn = signInWith({ email: 'ana@example.com', password: 'a long password' }, options)
  const client = createClient({ ...options, ...ofClient, ...signIn })
  server.play(replyProblem(503, 'overloaded'), shown)
  await expect(client.booking.show({ booking_id: 'bkg_1' }, ofCall)).rejects.toMatchObject({ status: 503 })
  expect(server.seen().map(({ url }) => url)).toEqual(['/api/accounts/get_token'])
})
