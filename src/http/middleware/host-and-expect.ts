import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'

/** Node would answer an `expect` it does not know by itself, without a body; here it goes the way of every request. */
export function takeOverExpect(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/** What HTTP itself demands of the headers. Two hosts may mean that a proxy in front looked at the other one. */
export const refuseOddHeaders: onRequestHookHandler = ({ raw, headers }, _reply, done) => {
  const hosts = timesSent(raw, 'host')
  if (hosts > 1) throw new AppError('malformed_request', 'Send the host header once.')
  if (hosts === 0 && raw.httpVersion === '1.1')
    throw new AppError('malformed_request', 'Send a host header: HTTP/1.1 asks for it.')
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new AppError('expectation_failed', 'The only expectation that is met is expect: 100-continue.')
  done()
}

/** Node keeps only the first of two such headers. */
export function timesSent({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) times += 1
  return times
}
