import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { randomIds } from '../../lib/crypto/ids.ts'
import { problemOf } from '../problem.ts'

type ConnectionError = Error & { readonly code?: string }

/** How long a client may go on sending what nobody reads, so that it gets to see the answer. */
const LINGER_MS = 1_000

/** Requests that are over before there is one: the same problem bodies, written straight to the socket. */
export function addUnreadable(app: FastifyInstance): void {
  app.server.removeAllListeners('clientError')
  app.server.on('clientError', (error: ConnectionError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // What still comes in after the answer fails to parse as well.
    if (socket.writableEnded) return
    socket.end(answerTo(error))
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}

function answerTo(error: ConnectionError): string {
  const requestId = randomIds.prefixed('req')
  const { status, body } = problemOf(nameError(error), requestId)
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${STATUS_WORDS[status] ?? 'Bad Request'}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    text,
  ].join('\r\n')
}

const STATUS_WORDS: Record<number, string> = {
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function nameError({ code }: ConnectionError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('headers_too_large', 'The address and the headers together are longer than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('request_timeout', 'The request did not arrive whole in the time there is for it.')
  return new AppError('malformed_request', 'What was sent is not an HTTP request.')
}
