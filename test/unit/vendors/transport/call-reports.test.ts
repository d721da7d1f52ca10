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

/** Fault reported for a call to a vendor that never answers. */
async function reportFault(signal: AbortSignal): Promise<unknown> {
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

test('a call is reported as given up if the client disconnects or has less than two seconds', async () => {
  const gone = new AbortController()
  setTimeout(() => gone.abort(new Error('the client hung up')), 50)
  expect(await reportFault(gone.signal)).toBe('given_up')
  using short = startDeadline(50)
  expect(await reportFault(short.signal)).toBe('given_up')
})

test('a call is reported as a timeout if the vendor is silent for longer', async () => {
  using deadline = startDeadline(2_050)
  expect(await reportFault(deadline.signal)).toBe('timeout')
})
