import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call, CallClass } from '../../../../src/vendors/transport/call.ts'
import { createHttpClient } from '../../../../src/vendors/transport/http-client.ts'

/** Returns 429 for `/busy`. */
const server = createServer(({ url }, response) => response.writeHead(url === '/busy' ? 429 : 200).end('{}'))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

/** Lists the classes of calls that are still sent after a 429 for one class. */
async function listSentAfter(busy: CallClass): Promise<CallClass[]> {
  const origins = { main: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const holdOff = ({ status }: { status: number }, now: number) => (status === 429 ? now + 100_000 : 0)
  const client = createHttpClient({ vendor: 'busy', origins, clock: { now: () => 5_000 }, holdOff })
  const send = (callClass: CallClass, path: string) => {
    const call: Call = { class: callClass, operation: 'try', method: 'GET', path, ifLost: 'none' }
    return client.send(call, { signal: AbortSignal.timeout(5_000), requestId: 'r' })
  }
  await send(busy, '/busy').catch(() => undefined)
  expect(client.heldUntil()).toBe(105_000)
  const sent: CallClass[] = []
  for (const callClass of ['content', 'search', 'book'] as const) {
    const isSent = await send(callClass, '/').then(
      () => true,
      ({ fault }) => fault !== 'throttled',
    )
    if (isSent) sent.push(callClass)
  }
  await client.close()
  return sent
}

test('throttled searches pause searches and content but not bookings', async () => {
  expect(await listSentAfter('search')).toEqual(['book'])
})

test('throttled content does not pause searches', async () => {
  expect(await listSentAfter('content')).toEqual(['search', 'book'])
})
