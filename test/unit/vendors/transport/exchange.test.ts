import type { Pool } from 'undici'
import { expect, test } from 'vitest'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import { exchange } from '../../../../src/vendors/transport/exchange.ts'

const book: Call = {
  class: 'book',
  operation: 'book',
  method: 'POST',
  path: '/bookings',
  body: {},
  ifLost: 'unknown',
}

/** Rejection of a booking whose request fails with this error. */
function expectRejection(error: object) {
  const pool = { request: () => Promise.reject(Object.assign(new Error('failed'), error)) } as unknown as Pool
  const context = { signal: new AbortController().signal, requestId: 'test' }
  return expect(exchange({ pool, vendor: 'alpha', threads: undefined }, book, context)).rejects
}

test.each([
  [{ code: 'ECONNREFUSED', syscall: 'connect' }],
  // All addresses of a host failed.
  [{ code: 'EHOSTUNREACH' }],
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }],
])('a failure to connect proves that nothing was done: %o', async (error) => {
  await expectRejection(error).toMatchObject({ fault: 'unreachable', effect: 'none' })
})

test.each([
  [{ code: 'EHOSTUNREACH', syscall: 'read' }],
  [{ code: 'ENETUNREACH', syscall: 'write' }],
  [{ code: 'ECONNRESET', syscall: 'read' }],
  [{ code: 'UND_ERR_SOCKET' }],
  [{}],
])('a connection lost after the request proves nothing: %o', async (error) => {
  await expectRejection(error).toMatchObject({ fault: 'unreachable', effect: 'unknown' })
})
