import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call, CallClass } from '../../../../src/vendors/transport/call.ts'
import { createHttpClient } from '../../../../src/vendors/transport/http-client.ts'

/** Turns away what asks for `/busy`. */
const server = createServer(({ url }, response) => response.writeHead(url === '/busy' ? 429 : 200).end('{}'))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

/** Which calls are made after one of a class was turned away. */
async function madeAfter(busy: CallClass): Promise<CallClass[]> {
  const origins = { main: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const holdOff = ({ status }: { status: number }, now: number) => (status === 429 ? now + 1_000 : 0)
  const client = createHttpClient({ vendor: 'busy', origins, clock: { now: () => 5_000 }, holdOff })
  const send = (of: CallClass, path: string) => {
    const call: Call = { class: of, operation: 'try', method: 'GET', path, ifLost: 'none' }
    return client.send(call, { signal: AbortSignal.timeout(5_000), requestId: 'r' })
  }
  await send(busy, '/busy')
  expect(client.heldUntil()).toBe(6_000)
  const made: CallClass[] = []
  for (const of of ['content', 'search', 'book'] as const) {
    const isMade = await send(of, '/').then(
      () => true,
      ({ fault }) => fault !== 'throttled',
    )
    if (isMade) made.push(of)
  }
  await client.close()
  return made
}

test('a vendor that asks to slow down searches gets neither searches nor content, and bookings all the same', async () => {
  expect(await madeAfter('search')).toEqual(['book'])
})

test('content that is read too fast costs no search', async () => {
  expect(await madeAfter('content')).toEqual(['search', 'book'])
})
