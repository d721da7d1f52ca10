import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { monotonicMs, systemClock } from '../../../../src/lib/time/clock.ts'
import { createRateLimiter } from '../../../../src/store/rate-limiters.ts'
import type { CallLimits } from '../../../../src/vendors/call-limits.ts'
import type { Call, CallClass } from '../../../../src/vendors/transport/call.ts'
import { createHttpClient, type HttpClient } from '../../../../src/vendors/transport/http-client.ts'
import { startStopwatch } from '../../../support/time/measure.ts'

/** A vendor that refuses calls over `allowed` per second, like LiteAPI: 429 without `retry-after`. */
let allowed = Number.POSITIVE_INFINITY
let arrivals: number[] = []
const server = createServer((_request, response) => {
  const now = monotonicMs()
  const isOver = arrivals.filter((at) => at > now - 1_000).length >= allowed
  if (!isOver) arrivals.push(now)
  response.writeHead(isOver ? 429 : 200).end('{}')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

let clients: HttpClient[] = []
beforeEach(() => {
  allowed = Number.POSITIVE_INFINITY
  arrivals = []
})
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()))
  clients = []
})

let vendors = 0
function connect(limits: CallLimits, vendor = `vendor-${++vendors}`) {
  const origins = { main: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const holdOff = ({ status }: { status: number }, now: number) => (status === 429 ? now + 300 : 0)
  const client = createHttpClient({
    ...{ vendor, origins, clock: systemClock, holdOff, limits, createLimiter: createRateLimiter },
  })
  clients.push(client)
  const send = (callClass: CallClass, { load, accountId = 'a', answerInMs = 5_000 }: Partial<Sending> = {}) => {
    const call: Call = { class: callClass, operation: 'try', method: 'GET', path: '/', ifLost: 'none', ...load }
    const answerBy = monotonicMs() + answerInMs
    return client.send(call, { signal: AbortSignal.timeout(10_000), requestId: 'r', accountId, answerBy })
  }
  return { client, send }
}
type Sending = { load: Pick<Call, 'load'>; accountId: string; answerInMs: number }

test('calls over the limit per second wait for the next second', async () => {
  const sendSeven = async () => {
    arrivals.length = 0
    const { send, client } = connect({ searchPerSecond: 3 })
    const replies = await Promise.all(Array.from({ length: 7 }, () => send('search')))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200))
    const first = arrivals[0] ?? 0
    const countBefore = (ms: number) => arrivals.filter((at) => at < first + ms).length
    return { arrived: [countBefore(900), countBefore(1_900)], quotas: await client.readQuotas() }
  }
  const quotas = [{ kind: 'search', amount: 3, windowMs: 1_000, used: 1 }]
  // Repeated if a busy machine delayed the first arrivals.
  await expect.poll(sendSeven, { timeout: 12_000, interval: 0 }).toEqual({ arrived: [3, 6], quotas })
})

test('a call that would have to wait beyond its deadline is refused at once', async () => {
  const { send } = connect({ searchPerMinute: 1 })
  await send('search')
  const readMs = startStopwatch()
  await expect(send('search')).rejects.toMatchObject({
    fault: 'throttled',
    effect: 'none',
    detail: 'over the call limit',
  })
  expect(readMs()).toBeLessThan(500)
  expect(arrivals).toHaveLength(1)
})

test('a booking never waits behind searches', async () => {
  const { send } = connect({ searchPerSecond: 1, bookingPerSecond: 1 })
  const searches = Promise.all(Array.from({ length: 3 }, () => send('search')))
  const readMs = startStopwatch()
  await send('book')
  expect(readMs()).toBeLessThan(500)
  await searches
})

test('accounts take turns, so that one with many searches does not delay another', async () => {
  const { send } = connect({ searchPerSecond: 2 })
  const order: string[] = []
  const note = (accountId: string) => send('search', { accountId, answerInMs: 9_000 }).then(() => order.push(accountId))
  await Promise.all([...Array.from({ length: 6 }, () => note('busy')), note('other')])
  expect(order.indexOf('other')).toBeLessThan(4)
})

test('the load of a call counts instead of its number', async () => {
  const { send, client } = connect({ searchPerMinute: 1_000 })
  await send('search', { load: { load: 600 } })
  await expect(send('search', { load: { load: 600 } })).rejects.toMatchObject({ fault: 'throttled' })
  await send('search', { load: { load: 400 } })
  expect(await client.readQuotas()).toMatchObject([{ used: 1_000 }])
})

test('a search that the vendor throttles is sent again within its deadline', async () => {
  allowed = 2
  const { send } = connect({})
  const replies = await Promise.all(Array.from({ length: 4 }, () => send('search')))
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2)
  expect(arrivals.length).toBeGreaterThanOrEqual(2)
  const later = await send('content')
  expect(later.status).toBe(200)
})

test('content that the vendor throttles continues with the same page', async () => {
  allowed = 1
  const { send } = connect({})
  expect((await send('content')).status).toBe(200)
  const startedAt = monotonicMs()
  expect((await send('content')).status).toBe(200)
  expect(monotonicMs() - startedAt).toBeGreaterThan(500)
})
