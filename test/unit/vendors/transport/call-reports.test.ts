import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../src/lib/time/clock.ts'
import { startDeadline } from '../../../../src/lib/time/deadline.ts'
import { createHttpClient } from '../../../../src/vendors/transport/http-client.ts'

const silent = createServer(() => undefined)
beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)))
afterAll(() => silent.close())

const CALL = { class: 'search', operation: 'try', method: 'GET', path: '/', ifLost: 'none' } as const

/** How a call to a vendor that never answers is reported. */
async function reportedAs(signal: AbortSignal): Promise<unknown> {
  const faults: unknown[] = []
  const { port } = silent.address() as AddressInfo
  const origins = { main: `http://127.0.0.1:${port}` }
  const onCall = ({ fault }: { fault?: unknown }) => faults.push(fault)
  const client = createHttpClient({ vendor: 'silent', origins, clock: systemClock, onCall })
  await expect(client.send(CALL, { signal, requestId: 'r' })).rejects.toMatchObject({ fault: 'timeout' })
  await client.close()
  expect(faults).toHaveLength(1)
  return faults[0]
}

test('a call whose client hung up, or had less than two seconds, is given up', async () => {
  const gone = new AbortController()
  setTimeout(() => gone.abort(new Error('the client hung up')), 50)
  expect(await reportedAs(gone.signal)).toBe('given_up')
  using short = startDeadline(50)
  expect(await reportedAs(short.signal)).toBe('given_up')
})

test('a vendor that is silent for longer has timed out', async () => {
  using deadline = startDeadline(2_050)
  expect(await reportedAs(deadline.signal)).toBe('timeout')
})
