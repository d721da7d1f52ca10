import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'

/** Node would answer an unknown `expect` itself, without a body. */
export function handleExpect(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/** Checks the headers as HTTP requires. With two hosts, a proxy may have checked the other one. */
export const checkHostAndExpect: onRequestHookHandler = ({ raw, headers }, _reply, done) => {
  const hosts = countHeader(raw, 'host')
  if (hosts > 1) throw new AppError('malformed_request', 'Send the host header once.')
  if (hosts === 0 && raw.httpVersion === '1.1')
    throw new AppError('malformed_request', 'Send a host header. HTTP/1.1 requires it.')
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new AppError('expectation_failed', 'The header expect may only be 100-continue.')
  done()
}

/** `headers` contains only the first of several. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) count += 1
  return count
}
