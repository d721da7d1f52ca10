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

/** The outcome of a booking whose request ends with this error. */
function outcomeOf(error: object) {
  const pool = { request: () => Promise.reject(Object.assign(new Error('failed'), error)) } as unknown as Pool
  const context = { signal: new AbortController().signal, requestId: 'test' }
  return expect(exchange({ pool, vendor: 'alpha', threads: undefined }, book, context)).rejects
}

test.each([
  [{ code: 'ECONNREFUSED', syscall: 'connect' }],
  // Several addresses of one host were tried.
  [{ code: 'EHOSTUNREACH' }],
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }],
])('a connection that was never made proves that nothing was done: %o', async (error) => {
  await outcomeOf(error).toMatchObject({ fault: 'unreachable', effect: 'none' })
})

test.each([
  [{ code: 'EHOSTUNREACH', syscall: 'read' }],
  [{ code: 'ENETUNREACH', syscall: 'write' }],
  [{ code: 'ECONNRESET', syscall: 'read' }],
  [{ code: 'UND_ERR_SOCKET' }],
  [{}],
])('a connection that is lost later proves nothing: %o', async (error) => {
  await outcomeOf(error).toMatchObject({ fault: 'unreachable', effect: 'unknown' })
})
